"""What an operation may be sent that nobody means well with: parameters, paths, JSON, bodies, headers."""

# ruff: noqa: SIM905 (JSON in a list of Python's strings is quoted twice, and nobody reads that)

# Values of parameters and parts of forms, as they are before they are quoted.
HOSTILE = (
    *("", " ", "0", "-1", "-0", "1", "2147483647", "2147483648", "-2147483649", "9223372036854775807"),
    *("9223372036854775808", "-9223372036854775808", "18446744073709551616", "1" + "0" * 400, "0" * 400),
    *("NaN", "nan", "inf", "-inf", "Infinity", "1e308", "1e999", "-1e999", "1.5", "0x10", "1_000", "٣", "½"),
    *("1s", "1e9s", "999999999999999999999s", "-5ms", "1.5ns", "..", "1..2", "1-2", "2-1", "0-4294967295"),
    *(
        "\0",
        "a\0b",
        "\n",
        "\r\nX-Injected: 1",
        "\x1b[31m",
        "\u202e",
        "\ud7ff",
        "\ufffe",
        "😀" * 50,
        "é" * 200,
    ),
    *("null", "true", "None", "[]", "{}", "[1,2]", '{"a":1}', '"', "'", "\\", "%", "%%", "%s", "${x}", "{0}"),
    *(
        "' OR '1'='1",
        "1; DROP TABLE trace",
        "') --",
        "pg_sleep(9)",
        "<script>alert(1)</script>",
        "../../etc/passwd",
    ),
    *(
        ",",
        ",,,",
        "1,,2",
        ",".join(["1"] * 2000),
        "-" * 200,
        "(" * 200,
        "((((",
        "a:b:c",
        ":",
        "::",
        "*",
        ".*",
        "a" * 63,
    ),
    *("t>", "t>5", "event:", "event:*", "a=b=c", "!" * 100, "(a*)*b", "NOT NOT NOT x", '"unended', "x" * 201),
    *(
        "x" * 10_000,
        "9" * 10_000,
        "cpu0," * 800,
        "@" * 500,
        "irq-cpu0@" + "9" * 60,
        "wakeup-1@-1",
        "wakeup--1@0+99999999999",
    ),
)
# Parts of a path as they are sent: no UTF-8, a surrogate, NUL, an encoded slash, half an escape.
NUL_PART = "%00"
PATH_PARTS = "%00 a%00b %FF %ED%A0%80 %C0%80 %F5 %2F %2e%2e % %zz %0d%0a %20".split()
# As JSON is written: what Python's own writer would refuse, or make something else of, is in it.
JSON_TEXTS = (
    *'null true [] {} [[]] [null] [{"":{}}] {"a":1}'.split(),
    *"0 -0 -0.0 -1 1.0 1.5 1e3 1e400 -1e400 2147483648 9223372036854775808 NaN Infinity -Infinity".split(),
    *("1" + "0" * 400, "9" * 5000, "-" + "9" * 30, "[" + ",".join(["1"] * 5000) + "]"),
    *r""" "" "0" "-0" "%" "'" "X" "x-y" "1ns" "-1" "NaN" "1e400" "9223372036854775808ns" """.split(),
    *r""" "\u0000" "a\u0000b" "\ud800" "a\udfffb" "\ud83d\ude00" "\n" "a\n" "\r\nX-A:1" """.split(),
    *r""" "\u001b[31m" "\u202e" "\ufffe" "\u007f" "label:" "label:\u0000" "word:99" ";" "--" """.split(),
    *('" "', '"1' + "0" * 400 + '"', '"' + "9" * 5000 + '"', '"' + "x" * 201 + '"', '"' + "é" * 4000 + '"'),
    *(r'''"select '\u0000'"''', '"select 1/0"', '"select"', '"select $1"', '"select repeat(1::text, 9)"'),
)
NUL_TEXTS = tuple(text for text in JSON_TEXTS if r"\u0000" in text)
JSON_KEYS = (
    *r""" "" "\u0000" "a\u0000b" "\ud800" "__proto__" "a\n" """.split(),
    '"a b"',
    '"' + "k" * 300 + '"',
)
# Bodies that are no JSON, or not what their head says.
BODIES = (
    *(b"", b" ", b"\0", b"{", b"[", b'"', b"nul", b"{}{}", b'{"a":}', b"\xff\xfe", b"\xef\xbb\xbf{}"),
    *(b'"\xed\xa0\x80"', b'{"\xff":1}', b"[" * 60, b'{"a":' * 60, b"\x1f\x8b", b"a=b", b"--x\r\n\r\n--x--"),
    *(b'{"a":1,"a":2}', '{"a":1}'.encode("utf-16")),
    *(b"1" * 200_000, b'"' + b"x" * 200_000 + b'"', b"x" * (1 << 20)),
)
CONTENT_TYPES = (
    *(b"", b"/", b"\xff", b"application/json", b"application/json; charset=utf-16", b"text/plain"),
    *(b"multipart/form-data", b"multipart/form-data; boundary=x", b"application/x-www-form-urlencoded"),
    b"application/octet-stream",
)
HEADERS = (
    *"Accept Accept-Encoding Accept-Language Authorization Content-Encoding Cookie Expect Host".split(),
    *"Idempotency-Key If-Match If-Modified-Since If-None-Match Last-Event-ID Origin Range Referer".split(),
    *"Sec-Fetch-Site Transfer-Encoding Upgrade X-Forwarded-For X-Request-Id".split(),
)
HEADER_VALUES = (
    *(b"", b" ", b"\0", b"a\0b", b"\xff", b"\xed\xa0\x80", b"\xc3\xa9", b"\x7f", b"x" * 4000),
    *b"* */*;q=9 a/b;q= , -0 NaN null 100-continue bytes=-1 bytes=9-1".split(),
    *b'W/" [::1 http://[ http://a:b http://localhost:99999'.split(),
    *(b"1" + b"0" * 400, b"bytes=0-" + b"9" * 400),
)

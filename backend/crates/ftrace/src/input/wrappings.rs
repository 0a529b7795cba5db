//! Everything that is taken off a file before its format is looked at, for the reference.

use crate::model::About;

/// One wrapping: of the whole file, or of each line.
pub struct Wrapping {
    pub title: &'static str,
    pub about: About,
}

/// From the outside of a file to its lines.
pub static WRAPPINGS: &[Wrapping] = &[
    Wrapping {
        title: "gzip, zstd, xz",
        about: About {
            recognised_by: "the first bytes of the file",
            reads: "one layer, with several members or frames; everything before damage",
            leaves_out: "a second layer, archives (zip, tar, 7z), bzip2, lz4: refused by name",
        },
    },
    Wrapping {
        title: "atrace -z",
        about: About {
            recognised_by: "`TRACE:`, a line end and a zlib stream",
            reads: "the text inside",
            leaves_out: "a stream with anything before `TRACE:`",
        },
    },
    Wrapping {
        title: "UTF-16, byte order marks, CRLF",
        about: About {
            recognised_by: "the mark, or a zero in every second byte; each line's end",
            reads: "the decoded text; places count the file's own bytes",
            leaves_out: "half a character at the end becomes U+FFFD",
        },
    },
    Wrapping {
        title: "quoted-printable mail",
        about: About {
            recognised_by: "lines that end in `=`, and every `=` begins an escape",
            reads: "the decoded, joined lines",
            leaves_out: "base64",
        },
    },
    Wrapping {
        title: "marks before lines",
        about: About {
            recognised_by: "most lines (of mail, one in five) begin with `> `, a diff's `+` or `-`, an editor's number, or a console's stamp, also with syslog before it; up to three of them nested",
            reads: "the rest of the line",
            leaves_out: "the console's stamp; the lines of a diff are read whether they were added or removed",
        },
    },
    Wrapping {
        title: "blanks around lines",
        about: About {
            recognised_by: "a blank at the end of every line; before measurements, blanks that all lines begin with",
            reads: "the lines without them",
            leaves_out: "blanks at the end of printed texts, in such a file",
        },
    },
    Wrapping {
        title: "HTML entities, no-break spaces, markdown escapes, script strings",
        about: About {
            recognised_by: "`=&gt;`, `&lt;idle&gt;`; U+00A0; `\\_`; most lines end in `\\n\\`",
            reads: "the characters that they stand for",
            leaves_out: "a page around the trace that is not systrace's: refused",
        },
    },
];

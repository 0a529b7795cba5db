//! JSON piece by piece, as measuring programs write it: a damaged file is read line by line like any other.

/// A piece of JSON.
pub enum Token<'t> {
    Open,
    Close,
    /// Between members.
    Sign,
    Text(&'t str),
    Bare(&'t str),
}

/// The next piece of a line, and what is after it; `None` at its end. An error where the line is no JSON.
pub fn token(text: &str) -> Result<Option<(Token<'_>, &str)>, ()> {
    let text = text.trim_start();
    let Some(first) = text.chars().next() else { return Ok(None) };
    let after = text.get(first.len_utf8()..).unwrap_or_default();
    Ok(Some(match first {
        '{' | '[' => (Token::Open, after),
        '}' | ']' => (Token::Close, after),
        ',' | ':' => (Token::Sign, after),
        '"' => {
            let mut is_escaped = false;
            let end = after.find(|sign| {
                let is_end = sign == '"' && !is_escaped;
                is_escaped = sign == '\\' && !is_escaped;
                is_end
            });
            let (string, rest) = after.split_at(end.ok_or(())?);
            (Token::Text(string), rest.get(1..).unwrap_or_default())
        }
        _ => {
            let end = text.find([',', ':', '}', ']', '{', '[', '"']).unwrap_or(text.len());
            let (bare, rest) = text.split_at(end);
            (Token::Bare(bare.trim_end()), rest)
        }
    }))
}

/// The members of an object without any inside, such as a line of JSON lines; `None` where it is none.
pub fn flat_object(text: &str) -> Option<Vec<(&str, &str)>> {
    let mut members = Vec::new();
    let (mut key, mut is_open, mut rest) = (None, false, text);
    loop {
        match token(rest).ok()? {
            None => return None,
            Some((Token::Open, after)) if !is_open => (is_open, rest) = (true, after),
            Some((Token::Close, after)) if is_open && key.is_none() => {
                return after.trim().is_empty().then_some(members);
            }
            Some((Token::Sign, after)) if is_open => rest = after,
            Some((Token::Text(name), after)) if is_open && key.is_none() => (key, rest) = (Some(name), after),
            Some((Token::Text(value) | Token::Bare(value), after)) if is_open => {
                members.push((key.take()?, value));
                rest = after;
            }
            Some(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_objects_without_others_are_flat() {
        assert_eq!(flat_object(r#"{"a": 1, "b": "x\"y"}"#), Some(vec![("a", "1"), ("b", r#"x\"y"#)]));
        assert_eq!(flat_object("{}"), Some(vec![]));
        for text in
            ["", "{", "[1]", "1", r#"{"a": 1"#, r#"{"a": {"b": 1}}"#, r#"{"a"}"#, "{} x", r#"{"a": "1}"#]
        {
            assert_eq!(flat_object(text), None, "{text}");
        }
    }
}

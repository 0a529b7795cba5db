//! From the text of the search box to terms.

use super::term::{Comparison, Contained, Depth, FieldTest, NumberTest, Term, Test, TextTest};
use crate::explore::ExploreError;
use crate::explore::args::Value;
use crate::explore::duration::parse_duration;
use crate::explore::request::Params;
use crate::model::Flags;

/// Names of flags, as answers show them.
pub const FLAGS: &[(&str, u32)] = &[
    ("irqs_off", Flags::IRQS_OFF),
    ("need_resched", Flags::NEED_RESCHED),
    ("need_resched_lazy", Flags::NEED_RESCHED_LAZY),
    ("preempt_resched", Flags::PREEMPT_RESCHED),
    ("hardirq", Flags::HARDIRQ),
    ("softirq", Flags::SOFTIRQ),
    ("nmi", Flags::NMI),
    ("bh_off", Flags::BH_OFF),
];

/// How a value is compared with that of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Contains,
    Compares(Comparison),
}

/// Longer ones first, so that `<=` is not read as `<`.
const OPERATORS: &[(&str, Operator)] = &[
    ("!=", Operator::Compares(Comparison::NotEqual)),
    ("<=", Operator::Compares(Comparison::LessOrEqual)),
    (">=", Operator::Compares(Comparison::GreaterOrEqual)),
    (":", Operator::Compares(Comparison::Equal)),
    ("=", Operator::Compares(Comparison::Equal)),
    ("<", Operator::Compares(Comparison::Less)),
    (">", Operator::Compares(Comparison::Greater)),
    ("~", Operator::Contains),
];

/// The terms of a filter; `params` places stamps of the file on the trace's time line.
///
/// Errors: `bad_filter` with the column of the mistake, counted in characters from 1.
pub fn parse(text: &str, params: &Params) -> Result<Vec<Term>, ExploreError> {
    let mut scanner = Scanner { rest: text, column: 1 };
    let mut terms = Vec::new();
    loop {
        scanner.skip_blanks();
        if scanner.rest.is_empty() {
            return Ok(terms);
        }
        terms.push(term(&mut scanner, params)?);
    }
}

fn term(scanner: &mut Scanner<'_>, params: &Params) -> Result<Term, ExploreError> {
    let negated = scanner.take("-");
    if scanner.at_blank() {
        return Err(scanner.error("expected a word or key:value right after the -"));
    }
    let Some((key, operator)) = scanner.key_and_operator() else {
        let part = scanner.value("a word")?.or_refuse_nothing()?;
        return Ok(Term { negated, test: Test::Anywhere(Contained::new(&part.text)) });
    };
    let value = scanner.value(&format!("a value for {key}"))?;
    // Only the top buffer has no name; for any other key an empty value makes no sense.
    let value = if key == "buffer" { value } else { value.or_refuse_nothing()? };
    Ok(Term { negated, test: test(key, operator, &value, params)? })
}

/// A value, and its position for messages.
struct Word {
    text: String,
    column: usize,
}

impl Word {
    fn or_refuse_nothing(self) -> Result<Self, ExploreError> {
        if self.text.is_empty() {
            return Err(ExploreError::bad_filter(self.column, "expected text between the quotes"));
        }
        Ok(self)
    }
}

fn test(key: &str, operator: Operator, value: &Word, params: &Params) -> Result<Test, ExploreError> {
    match key {
        "event" => Ok(Test::Event(text_test(key, operator, value)?)),
        "comm" => Ok(Test::Comm(text_test(key, operator, value)?)),
        "buffer" => Ok(Test::Buffer(text_test(key, operator, value)?)),
        "cpu" => Ok(Test::Cpu(number_test(key, operator, value, "a CPU number", integer)?)),
        "pid" => Ok(Test::Pid(number_test(key, operator, value, "a pid", integer)?)),
        "t" => {
            let expected = "a time: 1500 or 5ms from trace start, or a stamp of the file";
            Ok(Test::Time(number_test(key, operator, value, expected, |text| params.parse_time(text))?))
        }
        "preempt_depth" => {
            Ok(Test::Depth(Depth::Preempt, number_test(key, operator, value, "a number", integer)?))
        }
        "migrate_disable_depth" => {
            Ok(Test::Depth(Depth::MigrateDisable, number_test(key, operator, value, "a number", integer)?))
        }
        "flags" => flag_test(operator, value),
        _ => Ok(Test::Field { name: key.to_owned(), test: field_test(operator, value)? }),
    }
}

fn text_test(key: &str, operator: Operator, value: &Word) -> Result<TextTest, ExploreError> {
    match operator {
        Operator::Contains => Ok(TextTest::Contains(Contained::new(&value.text))),
        Operator::Compares(Comparison::Equal) => Ok(TextTest::Is(value.text.clone())),
        Operator::Compares(Comparison::NotEqual) => Ok(TextTest::IsNot(value.text.clone())),
        Operator::Compares(_) => Err(ExploreError::bad_filter(
            value.column,
            format!("{key} is text; expected one of : = != ~ before it"),
        )),
    }
}

fn number_test(
    key: &str,
    operator: Operator,
    value: &Word,
    expected: &str,
    read: impl Fn(&str) -> Option<i64>,
) -> Result<NumberTest, ExploreError> {
    let refuse = |detail: String| ExploreError::bad_filter(value.column, detail);
    let Operator::Compares(comparison) = operator else {
        return Err(refuse(format!("{key} is a number; expected one of : = != < <= > >= before it")));
    };
    let number = read(&value.text);
    let number = number.ok_or_else(|| refuse(format!("{:?} is not {expected}", value.text)))?;
    Ok(NumberTest { comparison, value: number })
}

fn flag_test(operator: Operator, value: &Word) -> Result<Test, ExploreError> {
    let refuse = |detail: String| Err(ExploreError::bad_filter(value.column, detail));
    if operator != Operator::Compares(Comparison::Equal) {
        return refuse("expected flags:name; - before it asks for the flag not to be set".to_owned());
    }
    match FLAGS.iter().find(|(name, _)| *name == value.text) {
        Some((_, bit)) => Ok(Test::Flag(*bit)),
        None => {
            let names: Vec<&str> = FLAGS.iter().map(|(name, _)| *name).collect();
            refuse(format!("{:?} is no flag; expected one of {}", value.text, names.join(", ")))
        }
    }
}

fn field_test(operator: Operator, value: &Word) -> Result<FieldTest, ExploreError> {
    let Operator::Compares(comparison) = operator else {
        return Ok(FieldTest::Text(TextTest::Contains(Contained::new(&value.text))));
    };
    let number = Value::of(&value.text).number.or_else(|| parse_duration(&value.text));
    match (number, comparison) {
        (Some(number), _) => {
            Ok(FieldTest::Number(NumberTest { comparison, value: number }, value.text.clone()))
        }
        (None, Comparison::Equal) => Ok(FieldTest::Text(TextTest::Is(value.text.clone()))),
        (None, Comparison::NotEqual) => Ok(FieldTest::Text(TextTest::IsNot(value.text.clone()))),
        (None, _) => {
            let detail = format!("{:?} is no number; expected 120, 0x1f, 50us or 5ms", value.text);
            Err(ExploreError::bad_filter(value.column, detail))
        }
    }
}

fn integer(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// What is left of the text, and the column that it begins at.
struct Scanner<'a> {
    rest: &'a str,
    column: usize,
}

impl<'a> Scanner<'a> {
    fn skip_blanks(&mut self) {
        let blanks = self.rest.len().saturating_sub(self.rest.trim_start().len());
        self.advance(blanks);
    }

    fn at_blank(&self) -> bool {
        self.rest.chars().next().is_none_or(char::is_whitespace)
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.rest.starts_with(sign);
        if found {
            self.advance(sign.len());
        }
        found
    }

    /// `next_pid>=`. `None`, and nothing taken, where a plain word is next.
    fn key_and_operator(&mut self) -> Option<(&'a str, Operator)> {
        let end = self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'))?;
        let (key, behind) = self.rest.split_at_checked(end)?;
        if !key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return None;
        }
        let (sign, operator) = OPERATORS.iter().find(|(sign, _)| behind.starts_with(sign))?;
        self.advance(end.saturating_add(sign.len()));
        Some((key, *operator))
    }

    /// A run without blanks, or quoted text in which `\"` and `\\` stand for themselves.
    fn value(&mut self, expected: &str) -> Result<Word, ExploreError> {
        let column = self.column;
        if self.at_blank() {
            return Err(self.error(&format!("expected {expected}")));
        }
        if !self.take("\"") {
            let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
            let text = self.rest.get(..end).unwrap_or_default().to_owned();
            self.advance(end);
            return Ok(Word { text, column });
        }
        let mut text = String::new();
        let mut is_escaped = false;
        for (at, c) in self.rest.char_indices() {
            match c {
                '\\' if !is_escaped => is_escaped = true,
                '"' if !is_escaped => {
                    self.advance(at.saturating_add(1));
                    return self.end_of_quote(Word { text, column });
                }
                _ => {
                    is_escaped = false;
                    text.push(c);
                }
            }
        }
        Err(ExploreError::bad_filter(column, "expected a second \" to end what begins here"))
    }

    fn end_of_quote(&self, word: Word) -> Result<Word, ExploreError> {
        if self.at_blank() { Ok(word) } else { Err(self.error("expected a blank after the closing \"")) }
    }

    fn advance(&mut self, bytes: usize) {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.column = self.column.saturating_add(taken.chars().count());
        self.rest = rest;
    }

    fn error(&self, detail: &str) -> ExploreError {
        ExploreError::bad_filter(self.column, detail)
    }
}

//! The functions that print formats call.

use super::eval::constant_of;
use super::expression::{Expression, Failure, Parser, Pending, Scope};
use super::program::{Arithmetic, Code, Op, Table};
use super::token::Token;
use super::types::{Type, cast_type};

/// A function whose arguments are expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    PrintFlags,
    PrintSymbolic,
    PrintHex {
        has_blanks: bool,
    },
    PrintArray,
    /// `__builtin_expect(x, likely)`
    Expect,
    SwapBytes(u8),
    /// `__print_ns_to_secs(x)`, `__print_ns_without_secs(x)`
    Nanoseconds(Arithmetic),
}

const NS_PER_SECOND: i64 = 1_000_000_000;

impl Parser<'_, '_, '_> {
    /// A function whose `(` was taken; `Some` where its first argument is an expression to be parsed.
    pub(super) fn function(&mut self, name: &[u8]) -> Result<Option<Pending>, Failure> {
        let function = match name {
            b"__print_flags" | b"__print_flags_u64" => Function::PrintFlags,
            b"__print_symbolic" | b"__print_symbolic_u64" => Function::PrintSymbolic,
            b"__print_hex" => Function::PrintHex { has_blanks: true },
            b"__print_hex_str" => Function::PrintHex { has_blanks: false },
            b"__print_array" => Function::PrintArray,
            b"__builtin_expect" => Function::Expect,
            b"__fswab16" | b"__builtin_bswap16" => Function::SwapBytes(2),
            b"__fswab32" | b"__builtin_bswap32" => Function::SwapBytes(4),
            b"__fswab64" | b"__builtin_bswap64" => Function::SwapBytes(8),
            b"__print_ns_to_secs" => Function::Nanoseconds(Arithmetic::Divide),
            b"__print_ns_without_secs" => Function::Nanoseconds(Arithmetic::Remainder),
            b"sizeof" => return self.size_of().map(|()| None),
            b"__builtin_constant_p" => return self.never_constant().map(|()| None),
            _ => return self.field_function(name).map(|()| None),
        };
        Ok(Some(Pending::Call { function, arguments: 0 }))
    }

    /// A comma between arguments. False where the rest of the call was taken with it.
    pub(super) fn next_argument(&mut self) -> Result<bool, Failure> {
        let Some(Pending::Call { function, arguments }) = self.pop_pending() else {
            return Err(Failure::Unknown);
        };
        match function {
            Function::PrintFlags | Function::PrintSymbolic => {
                self.print_names(function)?;
                Ok(false)
            }
            _ => {
                self.wait(Pending::Call { function, arguments: arguments.saturating_add(1) })?;
                Ok(true)
            }
        }
    }

    /// The `)` of a call, with this many commas before it.
    pub(super) fn finish_call(&mut self, function: Function, commas: usize) -> Result<(), Failure> {
        let (op, arguments, result) = match function {
            Function::PrintHex { has_blanks } => (Op::PrintHex { has_blanks }, 2, Type::Text),
            Function::PrintArray => (Op::PrintArray, 3, Type::Text),
            Function::SwapBytes(bytes) => {
                let kind = Type::Integer { bytes, is_signed: false };
                (Op::SwapBytes(usize::from(bytes)), 1, kind)
            }
            Function::Expect if commas == 1 => {
                self.pop_type()?;
                let value = self.pop_type()?;
                self.push(Op::Drop, value);
                return Ok(());
            }
            Function::Nanoseconds(operation) if commas == 0 => {
                self.pop_type()?;
                self.expression.code.ops.push(Op::Constant(NS_PER_SECOND));
                let kind = Type::Integer { bytes: 8, is_signed: false };
                self.push(Op::Binary { operation, is_signed: false }, kind);
                return Ok(());
            }
            _ => return Err(Failure::Unknown),
        };
        if commas.saturating_add(1) != arguments {
            return Err(Failure::Unknown);
        }
        for _ in 0..arguments {
            self.pop_type()?;
        }
        self.push(op, result);
        Ok(())
    }

    /// `"|", { 0x1, "A" }, { 0x2, "B" })` after the value of `__print_flags`, without the delimiter for
    /// `__print_symbolic`.
    fn print_names(&mut self, function: Function) -> Result<(), Failure> {
        let Type::Integer { bytes, .. } = self.pop_type()? else { return Err(Failure::Unknown) };
        let mut table = Table { value_bytes: bytes, ..Table::default() };
        if function == Function::PrintFlags {
            match self.take()? {
                Token::Text(text) => table.delimiter = text.clone(),
                Token::Word(b"NULL") => {}
                _ => return Err(Failure::Unknown),
            }
            if self.rest.first() == Some(&Token::Sign(b",")) {
                self.take()?;
            }
        }
        loop {
            match self.take()? {
                Token::Sign(b")") => break,
                Token::Sign(b",") => {}
                Token::Sign(b"{") => {
                    let entry = self.table_entry()?;
                    table.entries.extend(entry);
                }
                _ => return Err(Failure::Unknown),
            }
        }
        let index = self.expression.code.tables.len();
        self.expression.code.tables.push(table);
        let op = match function {
            Function::PrintFlags => Op::PrintFlags(index),
            _ => Op::PrintSymbolic(index),
        };
        self.push(op, Type::Text);
        Ok(())
    }

    /// `(1u << 3), "NAME" }`; `None` for the `{ -1, NULL }` at the end of some tables, and for a constant that
    /// is not known, whose value then prints as a number.
    fn table_entry(&mut self) -> Result<Option<(i64, Vec<u8>)>, Failure> {
        let end = self.rest.iter().position(|token| *token == Token::Sign(b"}")).ok_or(Failure::Unknown)?;
        let (entry, behind) = self.rest.split_at_checked(end).ok_or(Failure::Unknown)?;
        self.rest = behind.get(1..).unwrap_or_default();
        let mut code = Code::default();
        let value = Expression { code: &mut code, scope: Scope { format: None, ..self.expression.scope } };
        match value.compile(entry) {
            Ok([Token::Sign(b","), Token::Text(name)]) => {
                let value = constant_of(&code).ok_or(Failure::Unknown)?;
                Ok(Some((value, name.clone())))
            }
            Ok([Token::Sign(b","), name @ ..]) if self.is_null(name) => Ok(None),
            Err(Failure::Unknown) => {
                self.expression.code.has_unknown_names = true;
                Ok(None)
            }
            Err(Failure::TooDeep) => Err(Failure::TooDeep),
            Ok(_) => Err(Failure::Unknown),
        }
    }

    /// `NULL`, `((void *)0)` or `0` in place of a name.
    fn is_null(&self, name: &[Token<'_>]) -> bool {
        let mut code = Code::default();
        let value = Expression { code: &mut code, scope: Scope { format: None, ..self.expression.scope } };
        matches!(value.compile(name), Ok([])) && constant_of(&code) == Some(0)
    }

    /// A function of one field's name: `__get_str(name)`. Of any other function the value is not known.
    fn field_function(&mut self, name: &[u8]) -> Result<(), Failure> {
        if !name.starts_with(b"__get_") {
            self.skip_bracket()?;
            return self.unknown_value();
        }
        let (Token::Word(field), Token::Sign(b")")) = (self.take()?, self.take()?) else {
            return Err(Failure::Unknown);
        };
        let format = self.expression.scope.format.ok_or(Failure::Unknown)?;
        let field = format.field(field).ok_or(Failure::Unknown)?.clone();
        let element = u8::try_from(field.element_bytes).unwrap_or(1);
        let bytes = Type::Bytes { element, is_signed: field.is_signed };
        let index = self.add_field(field);
        let (op, kind) = match name {
            b"__get_str" | b"__get_rel_str" => (Op::FieldText(index), Type::Text),
            b"__get_dynamic_array"
            | b"__get_rel_dynamic_array"
            | b"__get_sockaddr"
            | b"__get_rel_sockaddr" => (Op::Bytes(index), bytes),
            b"__get_dynamic_array_len" | b"__get_rel_dynamic_array_len" => (Op::Length(index), Type::INT),
            b"__get_bitmask" | b"__get_rel_bitmask" | b"__get_cpumask" | b"__get_rel_cpumask" => {
                (Op::Bitmask(index), Type::Text)
            }
            _ => return Err(Failure::Unknown),
        };
        self.push(op, kind);
        Ok(())
    }

    /// `sizeof(type)` and `sizeof(REC->field)`.
    fn size_of(&mut self) -> Result<(), Failure> {
        let kind = Type::Integer { bytes: 8, is_signed: false };
        if let [Token::Word(b"REC"), Token::Sign(b"->"), Token::Word(name), Token::Sign(b")"), behind @ ..] =
            self.rest
        {
            let field = self.expression.scope.format.and_then(|format| format.field(name));
            let size = field.ok_or(Failure::Unknown)?.size;
            self.rest = behind;
            self.push(Op::Constant(i64::try_from(size).unwrap_or(0)), kind);
            return Ok(());
        }
        let (named, behind) =
            cast_type(self.rest, self.expression.scope.long_bytes).ok_or(Failure::Unknown)?;
        let size = match named {
            Type::Integer { bytes, .. } => i64::from(bytes),
            _ => i64::try_from(self.expression.scope.long_bytes).unwrap_or(8),
        };
        self.rest = behind;
        self.push(Op::Constant(size), kind);
        Ok(())
    }

    /// `__builtin_constant_p(...)`: no field is a constant.
    fn never_constant(&mut self) -> Result<(), Failure> {
        self.skip_bracket()?;
        self.push(Op::Constant(0), Type::INT);
        Ok(())
    }
}

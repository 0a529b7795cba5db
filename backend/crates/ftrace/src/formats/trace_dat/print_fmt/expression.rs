//! Compiles one C expression of a print format to code, by operator precedence with a stack of its own:
//! hostile nesting costs a bounded number of entries and no recursion.

use super::constants::constant;
use super::emit::{AND, OR, TERNARY, arithmetic};
use super::program::{Arithmetic, Code, Op};
use super::token::Token;
use super::types::{Type, cast_type};
use crate::formats::trace_dat::event_format::{EventFormat, Storage};
use crate::formats::trace_dat::symbols::Symbols;
use crate::model::Limits;

/// Why a print format is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    TooDeep,
    Unknown,
}

/// What the names in an expression mean.
#[derive(Clone, Copy)]
pub struct Scope<'c> {
    /// Whose fields `REC->` means; `None` for constants.
    pub format: Option<&'c EventFormat>,
    /// For the address that some formats add to a field: `(unsigned long)(_stext) + REC->caller_offs`.
    pub symbols: &'c Symbols,
    pub long_bytes: usize,
    pub limits: &'c Limits,
}

/// Code that an expression is to be added to.
pub struct Expression<'c> {
    pub code: &'c mut Code,
    pub scope: Scope<'c>,
}

/// An operator or bracket that waits for what is on its right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pending {
    Paren,
    Index,
    Binary(Arithmetic),
    Unary(Unary),
    /// With the jump to be aimed after the right operand.
    And(usize),
    Or(usize),
    Question(usize),
    Colon(usize),
    Call {
        function: super::calls::Function,
        arguments: usize,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Negate,
    Not,
    Invert,
    Plus,
    Dereference,
    AddressOf,
    Cast(Type),
}

/// The state of compiling one expression.
pub(super) struct Parser<'e, 'c, 't> {
    pub(super) expression: &'e mut Expression<'c>,
    pub(super) rest: &'t [Token<'t>],
    pub(super) pending: Vec<Pending>,
    pub(super) types: Vec<Type>,
}

impl Expression<'_> {
    /// Compiles up to a comma that is in no bracket, or to the end, and returns the tokens after that.
    pub fn compile<'t>(mut self, tokens: &'t [Token<'t>]) -> Result<&'t [Token<'t>], Failure> {
        let mut parser =
            Parser { expression: &mut self, rest: tokens, pending: Vec::new(), types: Vec::new() };
        parser.run()?;
        Ok(parser.rest)
    }
}

impl<'t> Parser<'_, '_, 't> {
    fn run(&mut self) -> Result<(), Failure> {
        loop {
            self.operand()?;
            if !self.operators()? {
                break;
            }
        }
        self.reduce(0)?;
        match (self.pending.is_empty(), self.types.as_slice()) {
            (true, [_]) => Ok(()),
            _ => Err(Failure::Unknown),
        }
    }

    /// Takes prefix operators and one operand.
    fn operand(&mut self) -> Result<(), Failure> {
        loop {
            let token = self.take()?;
            let prefix = match token {
                Token::Sign(b"-") => Pending::Unary(Unary::Negate),
                Token::Sign(b"!") => Pending::Unary(Unary::Not),
                Token::Sign(b"~") => Pending::Unary(Unary::Invert),
                Token::Sign(b"+") => Pending::Unary(Unary::Plus),
                Token::Sign(b"*") => Pending::Unary(Unary::Dereference),
                Token::Sign(b"&") => Pending::Unary(Unary::AddressOf),
                // `(REC)->field` is how macros write it.
                Token::Sign(b"(") if matches!(self.rest, [Token::Word(b"REC"), Token::Sign(b")"), ..]) => {
                    self.rest = self.rest.get(2..).unwrap_or_default();
                    return self.field();
                }
                // A block of statements, as a value.
                Token::Sign(b"(") if self.rest.first() == Some(&Token::Sign(b"{")) => {
                    self.skip_bracket()?;
                    return self.unknown_value();
                }
                Token::Sign(b"(") => match cast_type(self.rest, self.expression.scope.long_bytes) {
                    Some((kind, behind)) => {
                        self.rest = behind;
                        Pending::Unary(Unary::Cast(kind))
                    }
                    None => Pending::Paren,
                },
                Token::Number { value, bytes, is_signed } => {
                    let kind = Type::Integer { bytes: *bytes, is_signed: *is_signed };
                    self.push(Op::Constant(*value), kind);
                    return Ok(());
                }
                Token::Text(text) => {
                    let index = self.expression.code.texts.len();
                    self.expression.code.texts.push(text.clone());
                    self.push(Op::Text(index), Type::Text);
                    return Ok(());
                }
                Token::Word(b"REC") => return self.field(),
                Token::Word(word) => match self.word(word)? {
                    Some(call) => call,
                    None => return Ok(()),
                },
                Token::Sign(_) => return Err(Failure::Unknown),
            };
            self.wait(prefix)?;
        }
    }

    /// A word other than `REC`: a constant, or a function; `Some` where its arguments are still to come.
    fn word(&mut self, word: &[u8]) -> Result<Option<Pending>, Failure> {
        if self.rest.first() == Some(&Token::Sign(b"(")) {
            self.take()?;
            return self.function(word);
        }
        if let Some(value) = constant(word) {
            self.push(Op::Constant(value), Type::INT);
            return Ok(None);
        }
        let code_start = self.expression.scope.symbols.code_start().filter(|_| word == b"_stext");
        let Some(address) = code_start else { return self.unknown_value().map(|()| None) };
        let kind = Type::Integer { bytes: 8, is_signed: false };
        self.push(Op::Constant(address.cast_signed()), kind);
        Ok(None)
    }

    /// A variable or a function of the kernel, whose value no file states; a constant expression ends there.
    pub(super) fn unknown_value(&mut self) -> Result<(), Failure> {
        self.expression.scope.format.ok_or(Failure::Unknown)?;
        self.expression.code.has_unknown_value = true;
        self.push(Op::Constant(0), Type::Integer { bytes: 8, is_signed: false });
        Ok(())
    }

    /// Takes everything up to the `)` of a `(` that was taken.
    pub(super) fn skip_bracket(&mut self) -> Result<(), Failure> {
        let mut depth = 1_usize;
        while depth > 0 {
            match self.take()? {
                Token::Sign(b"(") => depth = depth.saturating_add(1),
                Token::Sign(b")") => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        Ok(())
    }

    /// `->name` after `REC`.
    fn field(&mut self) -> Result<(), Failure> {
        let (Token::Sign(b"->"), Token::Word(name)) = (self.take()?, self.take()?) else {
            return Err(Failure::Unknown);
        };
        let format = self.expression.scope.format.ok_or(Failure::Unknown)?;
        let field = format.field(name).ok_or(Failure::Unknown)?;
        let is_address = self.pending.last() == Some(&Pending::Unary(Unary::AddressOf));
        let is_number = field.storage == Storage::Scalar && matches!(field.size, 1 | 2 | 4 | 8);
        if is_address {
            self.pending.pop();
        }
        if is_number && !is_address {
            let (offset, size, is_signed) = (field.offset, field.size, field.is_signed);
            let bytes = u8::try_from(size).unwrap_or(8);
            self.push(Op::Number { offset, size, is_signed }, Type::Integer { bytes, is_signed });
            return Ok(());
        }
        let element = u8::try_from(field.element_bytes).unwrap_or(1);
        let kind = Type::Bytes { element, is_signed: field.is_signed };
        let index = self.add_field(field.clone());
        self.push(Op::Bytes(index), kind);
        Ok(())
    }

    /// Takes operators after an operand; true where another operand follows.
    fn operators(&mut self) -> Result<bool, Failure> {
        loop {
            let Some(token) = self.rest.first() else { return Ok(false) };
            let Token::Sign(sign) = token else { return Err(Failure::Unknown) };
            if *sign == b"," && !self.is_in_call() {
                return Ok(false);
            }
            self.take()?;
            match *sign {
                b")" => self.close_paren()?,
                b"]" => self.close_index()?,
                b"," => {
                    self.reduce(0)?;
                    if !self.next_argument()? {
                        continue;
                    }
                    return Ok(true);
                }
                _ => {
                    self.infix(sign)?;
                    return Ok(true);
                }
            }
        }
    }

    fn infix(&mut self, sign: &[u8]) -> Result<(), Failure> {
        let waiting = match sign {
            b"[" => Pending::Index,
            b"&&" => {
                self.reduce(AND)?;
                Pending::And(self.jump(Op::AndJump(0)))
            }
            b"||" => {
                self.reduce(OR)?;
                Pending::Or(self.jump(Op::OrJump(0)))
            }
            b"?" => {
                self.reduce(OR)?;
                self.types.pop().ok_or(Failure::Unknown)?;
                Pending::Question(self.jump(Op::JumpIfZero(0)))
            }
            b":" => {
                self.reduce(TERNARY)?;
                let Some(Pending::Question(condition)) = self.pending.pop() else {
                    return Err(Failure::Unknown);
                };
                let behind = self.jump(Op::Jump(0));
                self.aim(condition);
                Pending::Colon(behind)
            }
            _ => {
                let (operation, precedence) = arithmetic(sign).ok_or(Failure::Unknown)?;
                self.reduce(precedence)?;
                Pending::Binary(operation)
            }
        };
        self.wait(waiting)
    }

    fn close_paren(&mut self) -> Result<(), Failure> {
        self.reduce(0)?;
        match self.pending.pop() {
            Some(Pending::Paren) => Ok(()),
            Some(Pending::Call { function, arguments }) => self.finish_call(function, arguments),
            _ => Err(Failure::Unknown),
        }
    }

    fn close_index(&mut self) -> Result<(), Failure> {
        self.reduce(0)?;
        match (self.pending.pop(), self.types.pop(), self.types.pop()) {
            (Some(Pending::Index), Some(Type::Integer { .. }), Some(bytes)) => self.push_element(bytes),
            _ => Err(Failure::Unknown),
        }
    }

    /// Emits an operation, and puts the type of its result on the stack of types.
    pub(super) fn push(&mut self, op: Op, kind: Type) {
        self.expression.code.ops.push(op);
        self.types.push(kind);
    }

    /// The type of the last operand.
    ///
    /// Errors: there is none, as in `+ 1`.
    pub(super) fn pop_type(&mut self) -> Result<Type, Failure> {
        self.types.pop().ok_or(Failure::Unknown)
    }

    /// The index in the code of a field that the expression reads.
    pub(super) fn add_field(&mut self, field: crate::formats::trace_dat::event_format::Field) -> usize {
        let index = self.expression.code.fields.len();
        self.expression.code.fields.push(field);
        index
    }

    /// The next token.
    ///
    /// Errors: the text ends here.
    pub(super) fn take(&mut self) -> Result<&'t Token<'t>, Failure> {
        let (token, rest) = self.rest.split_first().ok_or(Failure::Unknown)?;
        self.rest = rest;
        Ok(token)
    }

    /// Puts an operator aside until its right operand is read.
    ///
    /// Errors: too many are open at once.
    pub(super) fn wait(&mut self, waiting: Pending) -> Result<(), Failure> {
        self.pending.push(waiting);
        if self.pending.len() > self.expression.scope.limits.max_print_fmt_nesting {
            return Err(Failure::TooDeep);
        }
        Ok(())
    }

    pub(super) fn pop_pending(&mut self) -> Option<Pending> {
        self.pending.pop()
    }

    fn is_in_call(&self) -> bool {
        let open = self
            .pending
            .iter()
            .rev()
            .find(|waiting| matches!(waiting, Pending::Paren | Pending::Index | Pending::Call { .. }));
        matches!(open, Some(Pending::Call { .. }))
    }

    /// Emits a jump to be aimed later, and returns its position.
    fn jump(&mut self, op: Op) -> usize {
        self.expression.code.ops.push(op);
        self.expression.code.ops.len().saturating_sub(1)
    }

    /// Aims a jump at what comes next.
    pub(super) fn aim(&mut self, jump: usize) {
        let here = self.expression.code.ops.len();
        if let Some(op) = self.expression.code.ops.get_mut(jump) {
            *op = match op {
                Op::JumpIfZero(_) => Op::JumpIfZero(here),
                Op::AndJump(_) => Op::AndJump(here),
                Op::OrJump(_) => Op::OrJump(here),
                _ => Op::Jump(here),
            };
        }
    }
}

//! The code of operators, emitted when what is on their right is there.

use super::expression::{Failure, Parser, Pending, Unary};
use super::program::{Arithmetic, Op};
use super::types::Type;

/// Binds closer than any binary operator.
const UNARY: u8 = 14;
pub(super) const AND: u8 = 5;
pub(super) const OR: u8 = 4;
pub(super) const TERNARY: u8 = 3;

impl Parser<'_, '_, '_> {
    /// Emits what waits and binds at least as close as `precedence`, up to an open bracket.
    pub(super) fn reduce(&mut self, precedence: u8) -> Result<(), Failure> {
        while let Some(waiting) = self.pending.last().copied() {
            let own = match waiting {
                Pending::Paren | Pending::Index | Pending::Question(_) | Pending::Call { .. } => break,
                Pending::Unary(_) => UNARY,
                Pending::Binary(operation) => precedence_of(operation),
                Pending::And(_) => AND,
                Pending::Or(_) => OR,
                Pending::Colon(_) => TERNARY,
            };
            if own < precedence {
                break;
            }
            self.pending.pop();
            self.emit(waiting)?;
        }
        Ok(())
    }

    fn emit(&mut self, waiting: Pending) -> Result<(), Failure> {
        let right = self.types.pop().ok_or(Failure::Unknown)?;
        match waiting {
            Pending::Unary(operator) => return self.emit_unary(operator, right),
            Pending::Binary(operation) => {
                let left = self.types.pop().ok_or(Failure::Unknown)?;
                return self.emit_binary(operation, left, right);
            }
            Pending::And(jump) | Pending::Or(jump) => {
                self.types.pop().ok_or(Failure::Unknown)?;
                self.push(Op::Truth, Type::INT);
                // The jump arrives with the 0 or 1 that it pushed itself.
                self.aim(jump);
            }
            Pending::Colon(jump) => {
                let left = self.types.pop().ok_or(Failure::Unknown)?;
                self.types.push(left.merged(right));
                self.aim(jump);
            }
            _ => return Err(Failure::Unknown),
        }
        Ok(())
    }

    fn emit_unary(&mut self, operator: Unary, operand: Type) -> Result<(), Failure> {
        let promoted = operand.promoted();
        match operator {
            Unary::Negate => self.push_cut(Op::Negate, promoted),
            Unary::Invert => self.push_cut(Op::Invert, promoted),
            Unary::Not => self.push(Op::Not, Type::INT),
            Unary::Plus => self.types.push(promoted),
            Unary::Dereference => {
                self.expression.code.ops.push(Op::Constant(0));
                return self.push_element(operand);
            }
            Unary::AddressOf => return Err(Failure::Unknown),
            Unary::Cast(kind) => self.emit_cast(kind, operand),
        }
        Ok(())
    }

    fn emit_cast(&mut self, kind: Type, operand: Type) {
        match (kind, operand) {
            // Of a pointer into the record only the size of what it points at changes.
            (Type::Pointer { element, is_signed }, Type::Bytes { .. }) => {
                self.types.push(Type::Bytes { element, is_signed });
            }
            (Type::Integer { bytes, is_signed }, Type::Integer { .. }) => {
                self.push(Op::Cut { bytes: usize::from(bytes), is_signed }, kind);
            }
            _ => self.types.push(operand),
        }
    }

    fn emit_binary(&mut self, operation: Arithmetic, left: Type, right: Type) -> Result<(), Failure> {
        if let (Arithmetic::Add, Type::Bytes { element, .. }, Type::Integer { .. }) = (operation, left, right)
        {
            self.push(Op::Advance { bytes: usize::from(element) }, left);
            return Ok(());
        }
        use Arithmetic::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, ShiftLeft, ShiftRight};
        let common = match operation {
            ShiftLeft | ShiftRight => left.promoted(),
            _ => left.promoted().merged(right.promoted()),
        };
        let Type::Integer { is_signed, .. } = common else { return Err(Failure::Unknown) };
        let op = Op::Binary { operation, is_signed };
        match operation {
            Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual => self.push(op, Type::INT),
            _ => self.push_cut(op, common),
        }
        Ok(())
    }

    /// An operation whose result may not fit its type.
    fn push_cut(&mut self, op: Op, kind: Type) {
        self.push(op, kind);
        if let Type::Integer { bytes: 4, is_signed } = kind {
            self.expression.code.ops.push(Op::Cut { bytes: 4, is_signed });
        }
    }

    /// Emits the indexing of `bytes`, whose index is on the stack.
    ///
    /// Errors: something other than an array is indexed.
    pub(super) fn push_element(&mut self, bytes: Type) -> Result<(), Failure> {
        let Type::Bytes { element, is_signed } = bytes else { return Err(Failure::Unknown) };
        let op = Op::Element { bytes: usize::from(element), is_signed };
        self.push(op, Type::Integer { bytes: element, is_signed });
        Ok(())
    }
}

/// The operation of a sign, and how close it binds.
pub(super) fn arithmetic(sign: &[u8]) -> Option<(Arithmetic, u8)> {
    let operation = match sign {
        b"*" => Arithmetic::Multiply,
        b"/" => Arithmetic::Divide,
        b"%" => Arithmetic::Remainder,
        b"+" => Arithmetic::Add,
        b"-" => Arithmetic::Subtract,
        b"<<" => Arithmetic::ShiftLeft,
        b">>" => Arithmetic::ShiftRight,
        b"<" => Arithmetic::Less,
        b"<=" => Arithmetic::LessEqual,
        b">" => Arithmetic::Greater,
        b">=" => Arithmetic::GreaterEqual,
        b"==" => Arithmetic::Equal,
        b"!=" => Arithmetic::NotEqual,
        b"&" => Arithmetic::BitAnd,
        b"^" => Arithmetic::BitXor,
        b"|" => Arithmetic::BitOr,
        _ => return None,
    };
    Some((operation, precedence_of(operation)))
}

fn precedence_of(operation: Arithmetic) -> u8 {
    match operation {
        Arithmetic::Multiply | Arithmetic::Divide | Arithmetic::Remainder => 13,
        Arithmetic::Add | Arithmetic::Subtract => 12,
        Arithmetic::ShiftLeft | Arithmetic::ShiftRight => 11,
        Arithmetic::Less | Arithmetic::LessEqual | Arithmetic::Greater | Arithmetic::GreaterEqual => 10,
        Arithmetic::Equal | Arithmetic::NotEqual => 9,
        Arithmetic::BitAnd => 8,
        Arithmetic::BitXor => 7,
        Arithmetic::BitOr => 6,
    }
}

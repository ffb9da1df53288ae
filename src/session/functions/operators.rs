//! Finds the operation that an operator of the language stands for.
//!
//! Operators are spelled in `language::precedence`, operations are rows of `ops::TABLE`.

use std::sync::LazyLock;

use chainrule_engine::ops::Shape as Notation;
use chainrule_engine::ops::{self, Op};
use chainrule_language::Operator;
use chainrule_language::precedence::{self, Grouping};

/// The operation of an operator. The rows are looked up once, for all operators of the language.
pub(crate) fn operation(operator: &'static Operator) -> &'static Op {
    static OPERATIONS: LazyLock<Vec<&'static Op>> = LazyLock::new(|| {
        let row = |operator: &Operator| {
            let shape = match operator.grouping {
                Grouping::Prefix => Notation::Prefix,
                Grouping::Postfix => Notation::Postfix,
                Grouping::Left | Grouping::Right | Grouping::Alone => Notation::Infix,
            };
            ops::operator(operator.spelling, shape)
                .expect("a test asks that each operator has a row")
        };
        precedence::OPERATORS.iter().map(row).collect()
    });
    let place = std::ptr::from_ref(operator) as usize - precedence::OPERATORS.as_ptr() as usize;
    OPERATIONS[place / size_of::<Operator>()]
}

//! Writes an operation on columns in C, Python or JAX, from its spelling in `dialect.rs`.
//!
//! C has no lists. Python applies a function to the items of lists with `each`, and the operations of JAX take arrays.

use super::dialect::{Dialect, operands, word_by_word};
use super::identifiers::is_identifier;
use super::inline::{ATOM, binding};
use super::writer::{LoopColumn, MOST_TERMS, Phrase, Writer};
use super::{Refusal, join_items};
use chainrule_engine::ops::{OPERAND_NAMES, Op, Rule};
use chainrule_program::values::Value;

impl Writer<'_> {
    /// Returns whether a sum of these operands is written with `+`.
    pub(super) fn writes_terms(&self, operands: &[LoopColumn]) -> bool {
        match self.dialect {
            Dialect::C => true,
            Dialect::Jax => operands.len() <= MOST_TERMS,
            // `+` joins two lists of Python.
            Dialect::Python | Dialect::NumPy => {
                operands.len() <= MOST_TERMS && operands.iter().all(|it| it[0].node().is_some())
            }
        }
    }

    /// Returns the text of an operation on columns with these texts.
    pub(super) fn applied_text(
        &self,
        op: &'static Op,
        operands: &[LoopColumn],
        texts: &[String],
    ) -> Phrase {
        let has_lists = operands.iter().any(|operand| operand[0].node().is_none());
        let items = texts.join(", ");
        let list = match self.dialect {
            Dialect::Jax if has_lists => format!("stacked([{}])", join_items(texts)),
            Dialect::Jax => format!("jnp.array([{items}])"),
            // A pointer and a length.
            Dialect::C => format!("(double[]){{{items}}}, {}", texts.len()),
            // Functions take any number of operands.
            Dialect::Python | Dialect::NumPy => items,
        };
        let is_item_by_item = has_lists && self.dialect.has_tape();
        // A factor of the chain rule differs from a product only where a number is infinite or NaN.
        if op.name == "chain" && operands.iter().all(is_finite) && !is_item_by_item {
            return Ok(texts.join(" * "));
        }
        self.filled_text(op, texts, &list, has_lists)
    }

    /// Returns the text of an operation on the items of lists; `text` is the text of the lists.
    pub(super) fn reduced_text(&self, op: &'static Op, lists: &LoopColumn, text: &str) -> Phrase {
        let has_rows = lists[0].shape().depth() > 1;
        let list = match self.dialect {
            Dialect::Python | Dialect::NumPy => format!("*{text}"),
            _ => text.to_string(),
        };
        self.filled_text(op, &[text.to_string()], &list, has_rows)
    }

    /// Returns the spelling of an operation with these operands, and `list` as all of them. If the result is a list, Python
    /// computes it item by item, and in JAX a function of any number of operands works along the first axis.
    fn filled_text(&self, op: &'static Op, texts: &[String], list: &str, is_list: bool) -> Phrase {
        let missing = Refusal::MissingFunction(op);
        let spelling = self.dialect.value(op).ok_or(missing)?;
        if is_list && self.dialect.has_tape() {
            // A function: `tanh`, or `lambda x: x * sigmoid(x)`.
            let parameters = operands(op);
            let called = spelling.strip_suffix(&format!("({parameters})"));
            let lambda = || format!("lambda {parameters}: {spelling}");
            let name = called.filter(|name| is_identifier(name));
            let function = name.map_or_else(lambda, str::to_string);
            return Ok(format!("each({function}, {list})"));
        }
        let mut text = fill_words(&spelling, texts, list);
        if is_list && matches!(op.rule, Rule::Many { .. }) {
            // Before the closing bracket of the call.
            text.insert_str(text.len() - 1, ", axis=0");
        }
        Ok(text)
    }
}

/// Returns whether all numbers of a column are finite at present.
fn is_finite(column: &LoopColumn) -> bool {
    let mut nodes = column.iter().flat_map(Value::nodes);
    nodes.all(|node| node.data().is_finite())
}

/// Returns a spelling with these operands in place of `x`, `y` and `z`, and with this list in place of `a`.
fn fill_words(spelling: &str, operands: &[String], list: &str) -> String {
    let mut filled = String::new();
    for (word, after) in word_by_word(spelling) {
        let index = OPERAND_NAMES.iter().position(|name| *name == word);
        let operand = index.and_then(|index| operands.get(index));
        // An argument of a call needs no brackets.
        let is_argument =
            (filled.ends_with('(') || filled.ends_with(", ")) && after.starts_with([')', ',']);
        match operand {
            Some(operand) if is_argument || binding(operand) == ATOM => filled.push_str(operand),
            Some(operand) => filled.extend(["(", operand, ")"]),
            None if word == "a" => filled.push_str(list),
            None => filled.push_str(word),
        }
        filled.push_str(after);
    }
    filled
}

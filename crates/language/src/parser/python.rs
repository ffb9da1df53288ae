//! Reads the parts of expressions that only Python has: `a if b else c`, `a and b`, and options of functions such as
//! `dtype=float`.

use super::expression::{Operand, OperandKind, Parsed, TreeReader};
use super::name::name_in_tree;
use crate::grammar::{Pair, Rule};
use crate::lexer::words::strip_quotes;
use crate::precedence::level;
use crate::tree::{Head, Item, ItemKind, Literal, Span};

/// Options of functions of modules that change nothing here.
const IGNORED_OPTIONS: [&str; 3] = ["dtype", "requires_grad", "device"];

impl<'t> TreeReader<'_, 't> {
    /// Applies Python's `a and b`, `a or b`, or one of the two words of `a if b else c`. Returns the kind of the whole.
    pub(super) fn word_operator(
        &mut self,
        left: Operand,
        rule: Rule,
        sign: Span,
        right: Operand,
    ) -> Parsed<OperandKind> {
        match (rule, left.kind) {
            (Rule::py_if, OperandKind::Chosen) => Err(self.source.error_at(sign.start)),
            (Rule::py_if, _) => {
                self.apply(Head::Then, 1, right.span);
                // In the tree, the condition comes before the value of the choice.
                let value_length = right.first_item - left.first_item;
                self.items[left.first_item..].rotate_left(value_length);
                self.apply(Head::Else, 1, sign);
                Ok(OperandKind::Chosen)
            }
            (Rule::py_else, OperandKind::Chosen) => {
                self.apply(Head::Choose, 3, left.sign);
                Ok(OperandKind::Other)
            }
            (Rule::py_else, _) => Err(self.source.error_at(sign.start)),
            _ => self.connect(left, rule, sign, right),
        }
    }

    /// Applies `a and b` or `a or b`. Between conditions outside of Python, they become `a*b` and `max(a, b)`. All others
    /// become a choice, which evaluates its right side only if needed: `a and b` becomes `b if a else decided`, and
    /// `a or b` becomes `decided if a else b`. The number `decided` is the result if the left side decides.
    fn connect(
        &mut self,
        left: Operand,
        rule: Rule,
        sign: Span,
        right: Operand,
    ) -> Parsed<OperandKind> {
        let is_and = rule == Rule::py_and;
        let is_left_truth = self.is_truth(left, right.first_item);
        let are_truths = is_left_truth && self.is_truth(right, self.items.len());
        if are_truths && !self.is_python {
            if is_and {
                self.operator("*", sign);
            } else {
                self.apply(Head::Function("max", 0), 2, sign);
            }
            return Ok(OperandKind::Truth);
        }
        let item = |kind, span| Item { kind, span };
        let decided = match self.items[left.first_item..right.first_item] {
            _ if is_left_truth => item(Literal::plain(if is_and { 0.0 } else { 1.0 }), sign),
            [only] => only,
            // The tree would need the left side twice, and a session would evaluate it twice.
            _ => return Err(self.source.error_at(sign.start)),
        };
        let then = item(ItemKind::Apply(Head::Then, 1), left.span);
        let otherwise = item(ItemKind::Apply(Head::Else, 1), sign);
        let before_right = right.first_item..right.first_item;
        if is_and {
            self.items.splice(before_right, [then]);
            self.items.extend([otherwise, decided]);
        } else {
            self.items.splice(before_right, [then, decided, otherwise]);
        }
        self.apply(Head::Choose, 3, sign);
        let truth = are_truths.then_some(OperandKind::Truth);
        Ok(truth.unwrap_or(OperandKind::Other))
    }

    /// Whether an operand, whose items end before `end`, is a condition: always 1 or 0.
    fn is_truth(&self, operand: Operand, end: usize) -> bool {
        let is_comparison = match self.items[end - 1].kind {
            ItemKind::Apply(Head::Operator(operator), 2) => operator.level == level::COMPARISON,
            _ => false,
        };
        operand.kind == OperandKind::Truth || is_comparison
    }

    /// Reads an option of a function, such as `, b=2`. Returns false if the option makes no operand, as `, dtype=float`.
    pub(super) fn option(&mut self, pair: Pair<'_>) -> Parsed<bool> {
        let mut inner = pair.into_inner();
        let [Some(word), Some(sign), Some(value)] = std::array::from_fn(|_| inner.next()) else {
            return Ok(false);
        };
        let word = self.span(&word);
        let name = name_in_tree(word.of(self.text));
        let text = self.span(&value).of(self.text);
        if value.as_rule() == Rule::quoted {
            let quoted = strip_quotes(text).unwrap_or_default();
            return Ok(self.quoted_option(name, word, self.span(&sign), quoted));
        }
        if IGNORED_OPTIONS.contains(&name) && !is_integer_type(text) {
            return Ok(false);
        }
        self.operand(value.into_inner())?;
        // `num`, the number of items of `linspace`, is an operand without a name.
        if name != "num" {
            self.apply(Head::Named(name), 1, word);
        }
        Ok(true)
    }

    /// Reads an option whose value is a text in quotes. Notes the text of `, label='a'`. Returns whether the option is an
    /// operand.
    fn quoted_option(&mut self, name: &'t str, word: Span, sign: Span, quoted: &'t str) -> bool {
        match name {
            // Of the ignored options, only these two may have a text as their value: `dtype='float32'`.
            "device" => false,
            "dtype" if !is_integer_type(quoted) => false,
            "label" => {
                self.label = Some((quoted, sign));
                false
            }
            _ => {
                self.push(ItemKind::Text(quoted), word);
                self.apply(Head::Named(name), 1, word);
                true
            }
        }
    }
}

/// Whether the value of `dtype` is a type of whole numbers, such as `int`, `np.int64` or `torch.long`. It would round the
/// items, so it is not ignored, and the session refuses it.
fn is_integer_type(text: &str) -> bool {
    text.contains("int") || text.contains("long")
}

//! Reads statements that come from Python: `n.label = 'n'`, `a.data += 0.1`, `print('L', L)`, `x.append(3)`,
//! `random.shuffle(x)`.

use std::rc::Rc;

use super::binding::operator_of;
use super::errors::tree_error;
use super::expression::{Parsed, Reader};
use super::name::kept_name;
use crate::grammar::{Pair, Pairs, Rule};
use crate::lexer::{trim, words};
use crate::tree::{
    BindingTarget, Expression, Head, Item, ItemKind, ListChange, Name, PrintPiece, Printing, Span,
    StepKind,
};

impl<'t> Reader<'t> {
    /// Reads `n.label = 'n'`, `a.data += 0.1` or `print('L', L)`.
    pub(super) fn python_line(&self, pair: Pair<'_>) -> Parsed<StepKind> {
        let rule = pair.as_rule();
        let mut inner = pair.into_inner();
        if rule == Rule::py_print {
            return self.printing(inner);
        }
        let owner = self.span(&self.next_pair(&mut inner)?);
        let node = self.operand_at(owner)?;
        let label_or_assign = self.next_pair(&mut inner)?;
        if rule == Rule::py_label {
            let label = kept_name(self.quoted_text(&label_or_assign));
            return Ok(StepKind::Label { node, label });
        }
        let measured = self.value(&mut inner)?;
        let typed = measured.expression;
        if let Some(width) = measured.width {
            let parts = [
                ("next", self.span(&label_or_assign)),
                ("leaf", owner),
                ("value", typed.span),
                ("width", width.span),
            ];
            return self.error("@data", &parts);
        }
        let value = match operator_of(&label_or_assign) {
            Some(operator) => typed.compound(&node.items, operator),
            None => typed,
        };
        Ok(StepKind::Data { leaf: node, value })
    }

    /// Reads the arguments of `print`, such as `'L', L, sep=';'`.
    fn printing(&self, arguments: Pairs<'_>) -> Parsed<StepKind> {
        let mut values = Vec::new();
        let mut printing = Printing {
            arguments: Vec::new(),
            separator: " ".into(),
            end: "\n".into(),
        };
        for pair in arguments {
            match pair.as_rule() {
                Rule::py_formatted => {
                    let inner = pair.into_inner();
                    let pieces = inner.map(|piece| self.print_piece(piece, &mut values));
                    printing.arguments.push(pieces.collect::<Parsed<_>>()?);
                }
                Rule::py_separator => printing.separator = self.plain_text(pair),
                Rule::py_end => printing.end = self.plain_text(pair),
                _ => {
                    let piece = self.print_piece(pair, &mut values)?;
                    printing.arguments.push(vec![piece]);
                }
            }
        }
        let printing = Rc::new(printing);
        Ok(StepKind::Print { printing, values })
    }

    /// Reads an argument of `print`, or a piece of a formatted text. Adds its value to `values` if it has one.
    fn print_piece(&self, piece: Pair<'_>, values: &mut Vec<Expression>) -> Parsed<PrintPiece> {
        Ok(match piece.as_rule() {
            Rule::quoted | Rule::py_text => PrintPiece::Text(self.plain_text(piece)),
            Rule::py_field => {
                let mut inner = piece.into_inner();
                values.push(self.expression(self.next_pair(&mut inner)?)?);
                let format = inner.next().map(|format| self.span(&format));
                let typed = format.filter(|place| !place.of(self.text).is_empty());
                PrintPiece::Value(typed.map(|place| (place.of(self.text).to_string(), place)))
            }
            _ => {
                values.push(self.expression(piece)?);
                PrintPiece::Value(None)
            }
        })
    }

    /// The text between quotes.
    fn quoted_text(&self, quoted: &Pair<'_>) -> &'t str {
        words::strip_quotes(self.span(quoted).of(self.text)).unwrap_or_default()
    }

    /// The text that Python prints for a piece in quotes, for an option such as `sep=';'`, or for a text between the fields
    /// of a formatted text. `\n` and `\t` become a line end and a tab, and in a formatted text `{{` becomes `{`.
    fn plain_text(&self, piece: Pair<'_>) -> String {
        let is_formatted = piece.as_rule() == Rule::py_text;
        let text = if is_formatted {
            self.span(&piece).of(self.text)
        } else {
            // An option has its text as its last part. A text in quotes has no parts.
            self.quoted_text(&piece.clone().into_inner().last().unwrap_or(piece))
        };
        let mut plain = String::with_capacity(text.len());
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            let next = characters.peek().copied();
            let escaped = match (character, next) {
                ('\\', Some('n')) => Some('\n'),
                ('\\', Some('t')) => Some('\t'),
                ('\\', Some('\\' | '\'' | '"')) => next,
                ('{' | '}', _) if is_formatted && next == Some(character) => next,
                _ => None,
            };
            plain.push(escaped.unwrap_or(character));
            if escaped.is_some() {
                characters.next();
            }
        }
        plain
    }
}

/// Reads a call of `print`, `backward`, `append` or `extend` as a step. Returns `None` for all other expressions.
pub fn called_step(text: &str, expression: &Expression) -> Option<Parsed<StepKind>> {
    let root = expression.items.last()?;
    let ItemKind::Apply(Head::Function(word, 0), count) = root.kind else {
        return None;
    };
    match (word, count) {
        ("backward", 1) => backward_step(text, expression, root.span).map(Ok),
        ("append", 2) => list_step(text, expression, ListChange::Append),
        ("extend", 2) => list_step(text, expression, ListChange::Extend),
        ("random.shuffle", 1) => list_step(text, expression, ListChange::Replace),
        ("print", _) => {
            let source = Reader::new(text, expression.span).ok()?;
            let pair = source.parse(Rule::py_print).ok()?.next()?;
            Some(source.python_line(pair))
        }
        _ => None,
    }
}

/// Makes the step of `L.backward()` or `backward(L)`.
fn backward_step(text: &str, call: &Expression, word: Span) -> Option<StepKind> {
    let target = if word.start == call.span.start {
        let bracket = text[word.end as usize..].find('(')?;
        let inside = call.span.ending_at(call.span.end - 1);
        inside.starting_at(word.end + bracket as u32 + 1)
    } else {
        call.span.ending_at(word.start - 1)
    };
    let (_, operand) = call.items.split_last()?;
    let (items, span) = (operand.to_vec(), trim(text, target));
    Some(StepKind::Backward(Expression { items, span }))
}

/// Makes the step of `x.append(3)`, `x.extend([3, 4])` or `random.shuffle(x)`. Refuses a list that is not a name.
fn list_step(text: &str, call: &Expression, change: ListChange) -> Option<Parsed<StepKind>> {
    let [first, items @ .., root] = call.items.as_slice() else {
        return None;
    };
    // The items in random order are an expression, in which the list stands again.
    let mut shuffled = *root;
    shuffled.kind = ItemKind::Apply(Head::Function("random.shuffled", 0), 1);
    let in_random_order = [*first, shuffled];
    let is_shuffle = change == ListChange::Replace;
    let new_items = if is_shuffle { &in_random_order } else { items };
    let name = match first.kind {
        ItemKind::Name(name) if !uses_earlier_value(items) => name,
        _ if is_shuffle => return Some(Err(tree_error(text, "@shuffled", &[("left", call.span)]))),
        _ => {
            let list = call.span.ending_at(root.span.start - 1);
            return Some(Err(tree_error(text, "@grown", &[("left", list)])));
        }
    };
    let span = new_items.iter().map(|item| item.span).reduce(Span::to)?;
    Some(Ok(StepKind::ChangeList {
        list: BindingTarget {
            name,
            span: first.span,
            heading: None,
        },
        items: Expression {
            items: new_items.to_vec(),
            span: trim(text, span),
        },
        change,
    }))
}

/// Whether one of the items takes a value that stands before all of them. In `x.append(a + b)` the items `a b +` after `x`
/// leave 1, 2 and 1 values. In `w[0].append(3)` the items `0 Index 3` after `w` leave 1 and 0: the index has taken `w`.
fn uses_earlier_value(items: &[Item<Name>]) -> bool {
    let mut values = 0_i64;
    for item in items {
        values += 1 - i64::from(item.kind.operands());
        if values < 1 {
            return true;
        }
    }
    false
}

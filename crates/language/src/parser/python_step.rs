//! Reads statements that come from Python: `n.label = 'n'`, `a.data += 0.1`, `print('L', L)`, `x.append(3)`,
//! `random.shuffle(x)`.

use std::rc::Rc;

use super::binding::operator_of;
use super::errors::tree_error;
use super::expression::{Parsed, Reader};
use super::name::kept_name;
use super::statement::next_if;
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
                Rule::py_separator => printing.separator = self.plain_text(pair),
                Rule::py_end => printing.end = self.plain_text(pair),
                Rule::py_starred => {
                    values.push(self.expression(self.next_pair(&mut pair.into_inner())?)?);
                    printing.arguments.push(vec![PrintPiece::Items]);
                }
                Rule::py_joined => {
                    let mut pieces = Vec::new();
                    for part in pair.into_inner() {
                        self.add_pieces(part, &mut pieces, &mut values)?;
                    }
                    printing.arguments.push(pieces);
                }
                _ => {
                    values.push(self.expression(pair)?);
                    printing.arguments.push(vec![PrintPiece::Value(None)]);
                }
            }
        }
        let printing = Rc::new(printing);
        Ok(StepKind::Print { printing, values })
    }

    /// Reads a part of a text that `print` writes.
    fn add_pieces(
        &self,
        part: Pair<'_>,
        pieces: &mut Vec<PrintPiece>,
        values: &mut Vec<Expression>,
    ) -> Parsed<()> {
        let rule = part.as_rule();
        let mut inner = part.clone().into_inner();
        match rule {
            Rule::quoted | Rule::py_text => pieces.push(PrintPiece::Text(self.plain_text(part))),
            Rule::py_formatted => {
                for piece in inner {
                    self.add_pieces(piece, pieces, values)?;
                }
            }
            Rule::py_field => {
                let value = self.expression(self.next_pair(&mut inner)?)?;
                if let Some(echo) = next_if(&mut inner, Rule::py_echo) {
                    let typed = value.span.to(self.span(&echo));
                    pieces.push(PrintPiece::Text(typed.of(self.text).to_string()));
                }
                values.push(value);
                let format = inner.next().map(|format| self.span(&format));
                let typed = format.filter(|place| !place.of(self.text).is_empty());
                let format_and_place = typed.map(|place| (place.of(self.text).to_string(), place));
                pieces.push(PrintPiece::Value(format_and_place));
            }
            Rule::name | Rule::group => {
                values.push(self.operand_at(self.span(&part))?);
                pieces.push(PrintPiece::Value(None));
            }
            Rule::py_str => {
                values.push(self.expression(self.next_pair(&mut inner)?)?);
                pieces.push(PrintPiece::Value(None));
            }
            Rule::py_repeated => {
                let text = self.plain_text(self.next_pair(&mut inner)?);
                values.push(self.operand_at(self.span(&self.next_pair(&mut inner)?))?);
                pieces.push(PrintPiece::Repeated(text));
            }
            // `"%.2f" % x` and `"{:.2f}".format(x)`
            _ => self.fill_template(inner, pieces, values)?,
        }
        Ok(())
    }

    /// Reads `"%.2f" % x` or `"{:.2f}".format(x)`.
    fn fill_template(
        &self,
        mut parts: Pairs<'_>,
        pieces: &mut Vec<PrintPiece>,
        values: &mut Vec<Expression>,
    ) -> Parsed<()> {
        let template = self.next_pair(&mut parts)?;
        let place = self.span(&template);
        let typed = parts.map(|value| self.operand_at(self.span(&value)));
        let filled = typed.collect::<Parsed<Vec<Expression>>>()?;
        let mut fields = 0;
        let mut is_in_order = true;
        for part in template.into_inner() {
            if matches!(part.as_rule(), Rule::py_text | Rule::py_text_of_percents) {
                pieces.push(PrintPiece::Text(self.plain_text(part)));
                continue;
            }
            let is_percent = part.as_rule() == Rule::py_percent;
            let mut inner = part.into_inner();
            let number = next_if(&mut inner, Rule::py_place);
            is_in_order &= number.is_none_or(|it| it.as_str().parse() == Ok(fields));
            fields += 1;
            let typed_format = inner.as_str();
            let format = if is_percent {
                let without_s = typed_format.trim_end_matches('s');
                without_s.replace('-', "<").replace('i', "d")
            } else {
                typed_format.to_string()
            };
            pieces.push(PrintPiece::Value(
                (!format.is_empty()).then_some((format, place)),
            ));
        }
        if fields != filled.len() || !is_in_order {
            return self.error("@template", &[("next", place)]);
        }
        values.extend(filled);
        Ok(())
    }

    /// The text between quotes.
    fn quoted_text(&self, quoted: &Pair<'_>) -> &'t str {
        words::strip_quotes(self.span(quoted).of(self.text)).unwrap_or_default()
    }

    /// The text that Python prints for a piece in quotes, for an option such as `sep=';'`, or for a text between the fields
    /// of a formatted text. `\n` and `\t` become a line end and a tab, and in a formatted text `{{` becomes `{`.
    fn plain_text(&self, piece: Pair<'_>) -> String {
        let doubled: &[char] = match piece.as_rule() {
            Rule::py_text => &['{', '}'],
            Rule::py_text_of_percents => &['%'],
            _ => &[],
        };
        let text = if doubled.is_empty() {
            // An option has its text as its last part. A text in quotes has no parts.
            self.quoted_text(&piece.clone().into_inner().last().unwrap_or(piece))
        } else {
            self.span(&piece).of(self.text)
        };
        let mut plain = String::with_capacity(text.len());
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            let next = characters.peek().copied();
            let escaped = match (character, next) {
                ('\\', Some('n')) => Some('\n'),
                ('\\', Some('t')) => Some('\t'),
                ('\\', Some('\\' | '\'' | '"')) => next,
                (sign, _) if doubled.contains(&sign) && next == Some(sign) => next,
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

//! Lines of Python that are no expression, binding or definition, as in the lecture that the calculator accompanies.
//!
//! `L.backward()` is `:backward L`, `a.data = 3` is `:set a 3` except that it keeps the gradients, and `print(L)` is `L`.
//! Only `n.label = 'n'` has no other spelling. In a block the same lines are run by its machine.

use std::rc::Rc;

use super::StatementRun;
use super::answers::value_piece;
use super::fstring::{MOST, PythonFormat};
use crate::commands::Reply;
use crate::commands::args::resolve;
use crate::commands::change::set;
use crate::commands::gradients::backward;
use crate::session::values::{CodeWord, Value};
use crate::session::{PrintPart, PrintedText};
use chainrule_engine::graph::Node;
use chainrule_language::{BindingTarget, Expression, PrintPiece, Printing, Span, StepKind};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Block, Fact, Line, NumberPart, Numbers, Piece, Report, plural, say};

/// The most numbers of a list that `print` writes whole.
pub const MOST_PRINTED: usize = 1_000;

/// What a `print` writes, with `\n` where a line ends, and the same for JSON.
pub(super) struct Printed {
    pub(super) line: Line,
    pub(super) items: Vec<Fact>,
}

impl<'t> StatementRun<'_, 't> {
    /// Runs a line of Python.
    pub(super) fn run_step(&mut self, step: StepKind<'t>) -> Result<Reply, Diagnostic> {
        match step {
            StepKind::Label { node, label } => self.set_label(node.span, label),
            StepKind::Data { leaf, value } => self.assign(leaf.span, &value),
            StepKind::Backward(root) => {
                let target = root.span;
                let reply = self.carry_out(&backward::COMMAND, (target, target))?;
                Ok(self.without_rows_of_network(reply, target))
            }
            StepKind::Append { list, items, each } => self.append(list, &items, each),
            StepKind::Print(printing) => self.print(&printing),
            _ => unreachable!("only a block has such lines"),
        }
    }

    /// One line in place of the table of a pass through a network, whose rows are too many to read. Python says nothing.
    fn without_rows_of_network(&self, mut reply: Reply, target: Span) -> Reply {
        let names = self.session.names();
        let network = |leaf: &Rc<Node>| {
            let list = names.name_without_place(names.list_of(leaf)?);
            let is_weight = self.session.functions().is_weight_list(&list);
            let name = list.rsplit_once('_').filter(|_| is_weight)?.0;
            Some(name.to_owned())
        };
        let Some(pass) = self.session.pass().filter(|_| !self.session.all_rows) else {
            return reply;
        };
        let nodes = pass.order().nodes().iter();
        let leaves: Vec<_> = nodes.filter(|it| it.is_leaf() && it.is_free()).collect();
        let network = leaves.iter().find_map(|leaf| network(leaf));
        if let (Some(report), Some(network)) = (&mut reply.report, network) {
            let command = format!(":grad {} wrt {network}", target.of(self.text));
            let line = say!("{} leaves have grads; {:typed}", leaves.len(), command);
            report.blocks = vec![Block::Line(line)];
        }
        reply
    }

    /// `n.label = 'n'`
    fn set_label(&mut self, node: Span, label: &str) -> Result<Reply, Diagnostic> {
        let found = resolve::node(self.session, self.text, node)?;
        if !found.varies() {
            let node_text = node.of(self.text);
            return Err(
                Diagnostic::new(format!("`{node_text}` is a constant and is in no table"))
                    .at(node)
                    .help("a number with a name of its own can have a label: `a = 2`"),
            );
        }
        self.session.relabel(&found, label, self.cut.span)?;
        Ok(self.reply(Vec::new(), |session| {
            let name = session.label(&found);
            let shown = session.shown_label(&found);
            // The lecture labels every value with its own name, which needs no confirmation.
            let is_news = shown != name;
            let line = || Block::Line(say!("{:name} is shown as {:name}", &name, &shown));
            Report {
                kind: "label",
                blocks: Vec::from_iter(is_news.then(line)),
                facts: vec![("node", Fact::Text(name)), ("label", Fact::Text(shown))],
                confirmation: true,
            }
        }))
    }

    /// `a.data = 3`
    fn assign(&mut self, leaf: Span, value: &Expression<'t>) -> Result<Reply, Diagnostic> {
        let (session, text) = (&mut *self.session, self.text);
        let node = resolve::node(session, text, leaf)?;
        let (data, notes) = session.measure(text, value)?;
        let reply = set::assign(session, self.cut.silenced, (node, data), leaf)?;
        Ok(reply.with_notes(notes))
    }

    /// `x.append(3)`; with `each`, `x.extend([3, 4])`. The answer takes no longer for a long list.
    fn append(
        &mut self,
        list: BindingTarget<'t>,
        items: &Expression<'t>,
        each: bool,
    ) -> Result<Reply, Diagnostic> {
        let (count, notes) = self.session.append(self.text, list, items, each)?;
        Ok(self.reply(notes, |_| {
            let facts = vec![("name", Fact::from(list.name)), ("items", count.into())];
            let line = say!("{:name} has {}", list.name, plural(count, "item"));
            Report::confirming("append", facts, line)
        }))
    }

    /// `print(L)`, `print('L', L)`, `print(f"L is {L}")`
    fn print(&mut self, printing: &Printing<'t>) -> Result<Reply, Diagnostic> {
        if let [only] = printing.arguments.as_slice()
            && let [PrintPiece::Value(only, None)] = only.as_slice()
        {
            let mut reply = self.evaluate(only)?;
            let blocks = reply
                .report
                .iter_mut()
                .flat_map(|report| &mut report.blocks);
            for block in blocks {
                if let Block::List {
                    before, numbers, ..
                } = block
                    && let Some(whole) = whole_list(numbers)
                {
                    let before = std::mem::take(before);
                    *block = Block::Line([before, whole].concat());
                }
            }
            return Ok(reply);
        }
        let (mut values, mut notes) = (Vec::new(), Vec::new());
        let text = PrintedText::new(printing, self.text, |expression| {
            let (value, found) = self.session.evaluate(self.text, expression)?;
            if let Value::Node(node) = &value {
                self.session.aim_at(node, expression.span.of(self.text));
            }
            notes.extend(found);
            values.push(value);
            Ok::<(), Box<Diagnostic>>(())
        })?;
        let Printed { line, items } = write_printed(&text, &values)?;
        let (kind, mut facts) = match values.as_slice() {
            [only] => ("value", super::data_facts(only)),
            _ => ("print", Vec::new()),
        };
        facts.push(("items", Fact::List(items)));
        for value in values {
            self.session.answer(value);
        }
        Ok(self.reply(notes, |_| Report::new(kind, facts, printed_lines([line]))))
    }
}

/// What `print` writes of these values.
pub(super) fn write_printed(text: &PrintedText, values: &[Value]) -> Result<Printed, Diagnostic> {
    let mut shown = Printed {
        line: Line::new(),
        items: Vec::new(),
    };
    let mut values = values.iter();
    for (place, parts) in text.arguments.iter().enumerate() {
        if place > 0 {
            shown.line.push(Piece::plain(&*text.separator));
        }
        for part in parts {
            match part {
                PrintPart::Text(words) => {
                    shown.line.push(Piece::plain(&**words));
                    shown.items.push(Fact::Text(words.to_string()));
                }
                PrintPart::Value { format } => {
                    let Some(value) = values.next() else { continue };
                    if let (Some(CodeWord::Text(words)), None) = (value.word(), format) {
                        shown.line.push(Piece::plain(&**words));
                        shown.items.push(Fact::Text(words.to_string()));
                        continue;
                    }
                    let numbers = value.numbers();
                    match (format, whole_list(&numbers)) {
                        (Some((written, place)), _) => {
                            let written = format_value(written, *place, value)?;
                            shown.line.push(Piece::plain(written));
                        }
                        (None, Some(whole)) => shown.line.extend(whole),
                        (None, None) => shown.line.push(value_piece(value)),
                    }
                    shown.items.push(Fact::Value(Rc::new(numbers)));
                }
            }
        }
    }
    shown.line.push(Piece::plain(&*text.end));
    Ok(shown)
}

/// A list as `print` writes it; none for a number, and for a list with too many.
fn whole_list(numbers: &Numbers) -> Option<Line> {
    let count = numbers
        .parts
        .iter()
        .filter(|part| matches!(part, NumberPart::Number(_)));
    if numbers.shape.is_empty() || count.count() > MOST_PRINTED {
        return None;
    }
    let mut line = Line::new();
    let mut is_first = true;
    for part in &numbers.parts {
        if !is_first && !matches!(part, NumberPart::Close) {
            line.push(Piece::plain(", "));
        }
        is_first = matches!(part, NumberPart::Open);
        line.push(match part {
            NumberPart::Open => Piece::plain("["),
            NumberPart::Number(number) => Piece::Number(*number),
            NumberPart::Close => Piece::plain("]"),
        });
    }
    Some(line)
}

/// The lines of what was printed, which end at each `\n`.
pub(super) fn printed_lines(printed: impl IntoIterator<Item = Line>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut line = Line::new();
    for piece in printed.into_iter().flatten() {
        match piece {
            Piece::Words(role, words) if words.contains('\n') => {
                let mut parts = words.split('\n');
                let last = parts.next_back().unwrap_or_default().to_owned();
                for part in parts {
                    line.push(Piece::Words(role, part.to_owned()));
                    blocks.push(Block::Line(std::mem::take(&mut line)));
                }
                if !last.is_empty() {
                    line.push(Piece::Words(role, last));
                }
            }
            piece => line.push(piece),
        }
    }
    if !line.is_empty() {
        blocks.push(Block::Line(line));
    }
    blocks
}

/// A value as its format writes it: `.4f`.
fn format_value(written: &str, place: Span, value: &Value) -> Result<String, Diagnostic> {
    let shown = match value {
        Value::Node(node) => PythonFormat::read(written).and_then(|it| it.write(node.data())),
        Value::List(_) => None,
    };
    shown.ok_or_else(|| {
        let help = format!(
            "`{{L:.4f}}` has 4 decimals, `{{L:>10.3e}}` an exponent and 10 columns, of at most {MOST}; there are also `g`, `%`, `,` and, for whole numbers, `d`"
        );
        let value = match value {
            Value::Node(node) => node.data().to_string(),
            list @ Value::List(_) => list.shape().to_string(),
        };
        Diagnostic::new(format!("`{written}` is not a format for {value}"))
            .at(place)
            .help(help)
    })
}

//! Statements in Python's spelling, as in the lecture that the calculator accompanies: each equals a statement in the
//! calculator's own language.
//!
//! `a = Value(2.0, label='a')` binds a name, `L.backward()` is `:backward L`, `a.data = 3` is `:set a 3` except that it
//! keeps the gradients, and `print(L)` is `L`. Only `n.label = 'n'` has no other spelling.

use std::rc::Rc;

use super::StatementRun;
use super::fstring::{MOST, PythonFormat};
use crate::commands::Reply;
use crate::commands::args::resolve;
use crate::commands::change::set;
use crate::commands::gradients::backward;
use crate::session::PrintPart;
use crate::session::values::{Value, Word};
use chainrule_engine::graph::Node;
use chainrule_language as language;
use chainrule_language::{
    Binding, BindingTarget, Expression, Item, ItemKind, Lecture, Operator, PrintPiece, Property,
    Span, ValueLine,
};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Block, Fact, Line, Note, Piece, Report, plural, say};

/// The longest label, in characters.
pub const MAX_LABEL: usize = 100;

/// What a `print` shows.
#[derive(Default)]
pub(super) struct PrintedLine {
    pub(super) line: Line,
    /// The same, for JSON.
    pub(super) items: Vec<Fact>,
    /// Its values.
    pub(super) values: Vec<Value>,
    pub(super) notes: Vec<Note>,
}

impl<'t> StatementRun<'_, 't> {
    /// Runs a statement in Python's spelling.
    pub(super) fn run_lecture(&mut self, lecture: Lecture<'t>) -> Result<Reply, Diagnostic> {
        match lecture {
            Lecture::Value(line) => self.bind_value(line),
            Lecture::Label { node, label } => self.set_label(node, label),
            Lecture::Data {
                leaf,
                compound,
                value,
            } => self.assign(leaf, compound, value),
            Lecture::Backward { target } => {
                let reply = self.carry_out(&backward::COMMAND, (target, target))?;
                Ok(self.without_rows_of_network(reply, target))
            }
            Lecture::Append { list, items, each } => self.append(list, &items, each),
            Lecture::Print(arguments) => self.print(&arguments),
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

    /// `a = Value(2.0, label='a')`
    fn bind_value(
        &mut self,
        ValueLine {
            target,
            mut number,
            label,
        }: ValueLine<'t>,
    ) -> Result<Reply, Diagnostic> {
        check_label(label.unwrap_or_default(), self.cut.span)?;
        // A `Value` holds a number and has no operands, so only the number of the expression is used.
        number.items.push(Item {
            kind: ItemKind::Property(Property::Data),
            span: number.span,
        });
        let name = target.name;
        let binding = Binding {
            frozen: false,
            targets: vec![target],
            compound: None,
            values: vec![number],
            widths: Vec::new(),
        };
        let reply = self.bind(&binding)?;
        let node = self.session.names().find_node(name).map(Rc::clone);
        if let (Some(label), Some(node)) = (label, node) {
            self.session.relabel(&node, label);
        }
        Ok(reply)
    }

    /// `n.label = 'n'`
    fn set_label(&mut self, node: Span, label: &str) -> Result<Reply, Diagnostic> {
        check_label(label, self.cut.span)?;
        let found = resolve::node(self.session, self.text, node)?;
        if !found.varies() {
            let node_text = node.of(self.text);
            return Err(
                Diagnostic::new(format!("`{node_text}` is a constant and is in no table"))
                    .at(node)
                    .help("a number with a name of its own can have a label: `a = 2`"),
            );
        }
        self.session.relabel(&found, label);
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

    /// `a.data = 3`, `a.data += 0.1*a.grad`
    fn assign(
        &mut self,
        leaf: Span,
        compound: Option<&'static Operator>,
        mut value: Expression<'t>,
    ) -> Result<Reply, Diagnostic> {
        let (session, text) = (&mut *self.session, self.text);
        let node = resolve::node(session, text, leaf)?;
        if let Some(operator) = compound {
            let owner = language::expression(text, leaf).map_err(|error| session.explain(error))?;
            value = value.compound(&owner.items, operator);
        }
        let (data, notes) = session.measure(text, &value)?;
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
    fn print(&mut self, arguments: &[Vec<PrintPiece>]) -> Result<Reply, Diagnostic> {
        if let [only] = arguments
            && let [PrintPiece::Value(only, None)] = only.as_slice()
        {
            return self.evaluate(only);
        }
        let PrintedLine {
            line,
            items,
            values,
            notes,
        } = self.print_line(arguments)?;
        let (kind, mut facts) = match values.as_slice() {
            [only] => ("value", super::data_facts(only)),
            _ => ("print", Vec::new()),
        };
        facts.push(("items", Fact::List(items)));
        for value in values {
            self.session.answer(value);
        }
        Ok(self.reply(notes, |_| Report::new(kind, facts, vec![Block::Line(line)])))
    }

    /// What `print` shows, on one line.
    fn print_line(&mut self, arguments: &[Vec<PrintPiece>]) -> Result<PrintedLine, Diagnostic> {
        let (mut values, mut notes) = (Vec::new(), Vec::new());
        let mut parts = Vec::with_capacity(arguments.len());
        for pieces in arguments {
            let mut written = Vec::with_capacity(pieces.len());
            for piece in pieces {
                written.push(match piece {
                    PrintPiece::Text(words) => PrintPart::Text((*words).into()),
                    PrintPiece::Value(expression, format) => {
                        let (value, found) = self.session.evaluate(self.text, expression)?;
                        if let Value::Node(node) = &value {
                            self.session.aim_at(node, expression.span.of(self.text));
                        }
                        notes.extend(found);
                        values.push(value);
                        PrintPart::value(self.text, *format)
                    }
                });
            }
            parts.push(written);
        }
        let line = printed_line(&parts, &values)?;
        Ok(PrintedLine {
            values,
            notes,
            ..line
        })
    }
}

/// What `print` shows of these values.
pub(super) fn printed_line(
    arguments: &[Vec<PrintPart>],
    values: &[Value],
) -> Result<PrintedLine, Diagnostic> {
    let mut shown = PrintedLine::default();
    let mut values = values.iter();
    for (place, parts) in arguments.iter().enumerate() {
        if place > 0 {
            shown.line.push(Piece::plain(" "));
        }
        for part in parts {
            match part {
                PrintPart::Text(words) => {
                    shown.line.push(Piece::plain(&**words));
                    shown.items.push(Fact::Text(words.to_string()));
                }
                PrintPart::Value { format } => {
                    let Some(value) = values.next() else { continue };
                    if let (Some(Word::Text(words)), None) = (value.word(), format) {
                        shown.line.push(Piece::plain(&**words));
                        shown.items.push(Fact::Text(words.to_string()));
                        continue;
                    }
                    shown.line.push(match format {
                        Some((written, place)) => {
                            Piece::plain(format_value(written, *place, value)?)
                        }
                        None => super::value_piece(value),
                    });
                    shown.items.push(Fact::Value(Rc::new(value.numbers())));
                }
            }
        }
    }
    Ok(shown)
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

pub(super) fn check_label(label: &str, statement: Span) -> Result<(), Diagnostic> {
    let length = label.chars().count();
    if length <= MAX_LABEL {
        return Ok(());
    }
    Err(Diagnostic::new(format!(
        "a label has at most {MAX_LABEL} characters, this one has {length}"
    ))
    .at(statement)
    .help("a table has room for a few words: `n.label = 'n'`"))
}

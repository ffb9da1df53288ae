//! What a statement is to those who show it, keep it or answer it again: made once, from its tree, so that nobody searches
//! its text.

use crate::command::args::{ArgumentKind, Arguments};
use crate::command::{Command, CommandTrait};
use crate::commands;
use chainrule_language::{
    self as language, Expression, Head, Item, ItemKind, Property, Span, Statement, StatementSpan,
    Step, StepKind, TextPart,
};

/// What a statement is.
#[derive(Clone)]
pub(crate) struct Meaning {
    /// Its place in the text.
    pub span: Span,
    /// Whether it ends with `;`.
    pub is_silenced: bool,
    /// Its command, unless it has none.
    pub command: Option<&'static Command>,
    /// The file that the command takes.
    pub file: Option<String>,
    /// What it asks the reader of a worksheet or a lesson for.
    pub asked: Option<Asked>,
    /// What happens if it runs again.
    pub again: Again,
    /// The names that it binds.
    pub bound: Vec<String>,
    /// The literals that it binds as leaves.
    pub literals: Vec<LeafLiteral>,
    /// The names, functions and results on which its answer depends.
    pub read: Vec<String>,
}

/// What the reader has to find.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    /// The place of what the author has found: the number of a guess, or the words of an answer.
    pub place: Span,
    /// Whether it is an answer to a question.
    pub is_answer: bool,
}

/// A number that is typed as a leaf, as `a = 2` and `w = [1, -2]` do.
#[derive(Clone)]
pub(crate) struct LeafLiteral {
    /// The name of the leaf, as in `a` or `w[0]`.
    pub leaf: String,
    pub span: Span,
    pub number: f64,
}

/// What happens if a statement runs again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    /// It shows numbers, which may be others by then.
    Answers,
    /// It shows no numbers, and nothing changes: a definition or a `print`. Also for what cannot be parsed, such as a line of
    /// Python: if it acts, the session refuses to answer it again.
    Nothing,
    /// It changes the session.
    Acts,
}

impl Meaning {
    /// The statements of a text.
    pub(crate) fn all_in(text: &str) -> impl Iterator<Item = Meaning> {
        let cuts = language::statements(text).flatten();
        cuts.map(move |cut| Meaning::of(text, &cut))
    }

    /// A statement of a text.
    pub(crate) fn of(text: &str, cut: &StatementSpan) -> Meaning {
        let mut meaning = Meaning {
            span: cut.span,
            is_silenced: cut.is_silenced,
            command: None,
            file: None,
            asked: None,
            again: Again::Nothing,
            bound: Vec::new(),
            literals: Vec::new(),
            read: Vec::new(),
        };
        match language::statement(text, cut) {
            Err(_) => meaning.asked = asked_by_claim(text, cut.span),
            Ok(Statement::Command(line)) => {
                meaning.again = Again::Acts;
                if let Ok(command) = commands::find(line.word) {
                    meaning.command = Some(command);
                    if command.is_answered_again() {
                        meaning.again = Again::Answers;
                    }
                    if let Ok(typed) = Arguments::parse(command, text, cut, line.span, line.rest) {
                        meaning.take_arguments(&typed);
                    }
                }
            }
            Ok(statement) => meaning.take_statement(&statement),
        }
        meaning
    }

    fn take_arguments(&mut self, typed: &Arguments) {
        let is_answer = typed.command.takes_rest();
        let place = typed.command.asked.and_then(|find| find(typed));
        self.asked = place.map(|place| Asked { place, is_answer });
        let file = typed.file_word().map(|it| it.of(typed.text));
        self.file = file.map(|it| language::strip_quotes(it).unwrap_or(it).to_owned());
        for argument in typed.command.arguments {
            use ArgumentKind::{File, Flag, Rest, Word, Words};
            if !matches!(argument.kind, File | Flag | Rest | Word | Words)
                && let Some(span) = typed.span_of(argument)
            {
                self.read.extend(names_in(span.of(typed.text)));
            }
        }
    }

    fn take_statement(&mut self, statement: &Statement) {
        let is_definition = |step: &Step| matches!(step.kind, StepKind::Define(_));
        self.again = match statement {
            Statement::Binding(binding) => {
                for target in &binding.targets {
                    self.bound.push(target.name.to_owned());
                }
                for (target, value) in binding.targets.iter().zip(&binding.values) {
                    let literals = leaf_literals(target.name, &value.expression);
                    self.literals.extend(literals.into_iter().flatten());
                }
                for value in &binding.values {
                    self.take_names(&value.expression);
                    if let Some(width) = &value.width {
                        self.take_names(&width.operand);
                    }
                }
                let bounds = binding.bounds.iter();
                for number in bounds.flat_map(|it| it.ends.iter().chain(&it.step)) {
                    self.take_names(number);
                }
                Again::Answers
            }
            Statement::Expression(expression) => {
                self.take_names(expression);
                Again::Answers
            }
            Statement::Step(StepKind::Print { values, .. }) => {
                for value in values {
                    self.take_names(value);
                }
                Again::Nothing
            }
            Statement::Empty => Again::Nothing,
            Statement::Block(steps) if steps.iter().all(is_definition) => Again::Nothing,
            _ => Again::Acts,
        };
    }

    /// Notes the names in an expression.
    fn take_names(&mut self, expression: &Expression) {
        for item in &expression.items {
            match item.kind {
                ItemKind::Name(name) | ItemKind::Apply(Head::Function(name, _), _) => {
                    self.read.push(name.to_owned());
                }
                ItemKind::Result(number) => self.read.push(format!("${number}")),
                ItemKind::Lambda(text) => self.read.extend(names_in(text)),
                _ => {}
            }
        }
    }

    /// Whether it is a command with this trait.
    pub(crate) fn has(&self, wanted: CommandTrait) -> bool {
        self.command.is_some_and(|it| it.has(wanted))
    }
}

/// The literals of a value that is a number or a list of numbers. `None` for any other value.
fn leaf_literals(name: &str, value: &Expression) -> Option<Vec<LeafLiteral>> {
    let (last, before) = value.items.split_last()?;
    let is_list = matches!(last.kind, ItemKind::Apply(Head::List, _));
    let numbers = if is_list { before } else { &value.items };
    let name_of = |place: usize| {
        if is_list {
            format!("{name}[{place}]")
        } else {
            name.to_owned()
        }
    };
    let literal_of = |(item, place): (&Item<_>, usize)| match item.kind {
        ItemKind::Number(literal) => Some(LeafLiteral {
            leaf: name_of(place),
            span: item.span,
            number: literal.value,
        }),
        _ => None,
    };
    numbers.iter().zip(0..).map(literal_of).collect()
}

/// The names and results in the text of an argument, which may be several expressions.
pub(super) fn names_in(text: &str) -> impl Iterator<Item = String> {
    let parts = language::parts(text).into_iter();
    let names = parts.filter(|(part, _)| matches!(part, TextPart::Name | TextPart::Reference));
    names.map(|(_, span)| span.of(text).to_owned())
}

/// A claim asks for its number or formula: `a.grad = 6`, `a.grad += 6`, `dL/da = 6`, `f'(x) = 2x` or `f'(3) = 6`.
/// `a.grad = 0` and `a.grad = None` reset a grad, `f'(x) = 6` is an equation, and they are no claims.
fn asked_by_claim(text: &str, statement: Span) -> Option<Asked> {
    let (before, right) = statement.of(text).split_once('=')?;
    let left = before.trim_end().trim_end_matches(['+', '-']);
    let call = format!("{left}(x)");
    // A name with primes, `f'`, is none.
    let target = language::as_expression(left).or_else(|| language::as_expression(&call))?;
    let value = right.trim_start();
    let is_reset = value == "None" || value.parse() == Ok(0.0);
    let is_claim = match target.items.last()?.kind {
        ItemKind::Property(property) => property == Property::Grad && !is_reset,
        // Only a derivative, `dL/da = 6`, has a quotient there.
        ItemKind::Apply(Head::Operator(operator), 2) => operator.spelling == "/" && !is_reset,
        ItemKind::Apply(Head::Function(_, 1..), 1) => {
            let has_letter = matches!(target.items[0].kind, ItemKind::Name(_));
            !value.is_empty() && (!has_letter || value.parse::<f64>().is_err())
        }
        _ => false,
    };
    // The span of a statement has no blanks at its end.
    let end = statement.end as usize;
    is_claim.then(|| Asked {
        place: Span::new(end - value.len(), end),
        is_answer: false,
    })
}

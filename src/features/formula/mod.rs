//! `:formula L`: L as a formula of its leaves, with the derivatives; its steps, other shapes, and the Taylor polynomial.
//!
//! The session finds the formulas, and `steps` goes through the rules. Letters without numbers get leaves for the time of
//! the look. The page is `docs/commands/formula.md`.

mod hessian;
mod implicit;
mod step_lines;
mod steps;
mod zeros;

pub(crate) use self::implicit::slopes_along;

use self::hessian::hessian_report;
use self::step_lines::steps_report;
use self::zeros::{other_letters_error, zeros_report};
use crate::command::prelude::*;
use crate::command::signatures::formula::{
    AS, AT, BY, EXPAND, FACTOR, HESSIAN, ORDER, SIGNATURE, STEPS, T, WRT, ZEROS,
};
use crate::study::compare::compare;
use chainrule_engine::graph::gradients;
use chainrule_engine::ops::{self, Op};
use chainrule_formulas::{
    FormulaShape, are_equal, derivatives_over, formula, formula_in_shape, formulas_of_parts,
    give_sample_leaves, look_at_call, note_on_mixed_items, note_rounded_numbers, taylor_terms,
    with_letters,
};
use chainrule_language::Expression;
use chainrule_program::error::Error;
use chainrule_program::{Environment as _, Purpose};
use chainrule_report::{Numbers, Piece, ask_numbers, join, list_with_and};
use chainrule_session::naming::labels::partial;
use chainrule_session::{Setting, explain};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

const EQUAL: &Op = ops::row("equal");

/// The most derivatives of an answer. Each goes through the whole formula.
const MOST_DERIVATIVES: usize = 50;
/// The most letters of an expression that is looked at together with its derivatives.
const MOST_LETTERS: usize = 3;
/// The degree of a Taylor polynomial if none is typed, and the largest one.
const DEGREE: u64 = 4;
const MOST_DEGREE: u64 = 8;
/// How far beside a number a derivative is computed. A jump is the same at a smaller distance, and a slope is not.
const STEP: f64 = 1e-6;
/// The smaller distance, as a part of the other.
const NEARER: f64 = 1e-2;
/// A change of at most this is no jump.
const NO_CHANGE: f64 = 1e-6;

/// The formula that is asked for.
struct Subject {
    root: Rc<Node>,
    /// What stands to the left of `=`: `f(x)`, `L`. Empty for an expression.
    head: String,
    /// What an error calls it: `f`, `L`, the expression.
    name: String,
    /// The parameters of a function; otherwise the free leaves below the root.
    letters: Vec<Rc<Node>>,
    /// Whether the letters have numbers of their own.
    has_numbers: bool,
    /// The place of what was typed.
    place: Span,
}

impl Subject {
    fn of_value(session: &Session, root: Rc<Node>, place: Span, has_numbers: bool) -> Subject {
        let name = session.label(&root);
        let is_named = session.names().first_name_or_former(&root).is_some() && !root.is_leaf();
        Subject {
            head: Some(name.clone()).filter(|_| is_named).unwrap_or_default(),
            name,
            letters: Order::below([&root]).leaves(Node::is_free),
            has_numbers,
            place,
            root,
        }
    }

    /// The formula of a function, whose letters have the names of its parameters.
    fn of_function(
        session: &Session,
        function: &str,
        place: Span,
        root: &Rc<Node>,
        letters: &[Rc<Node>],
    ) -> Subject {
        let parameters: Vec<String> = letters.iter().map(|it| session.label(it)).collect();
        Subject {
            head: format!("{function}({})", parameters.join(", ")),
            name: function.to_string(),
            letters: letters.to_vec(),
            has_numbers: false,
            place,
            root: Rc::clone(root),
        }
    }

    /// The notation for the derivative by a node: `f'(x)`, `∂L/∂a`.
    fn derivative(&self, label: &str, by: &[Rc<Node>]) -> String {
        match (&self.letters[..], by) {
            ([] | [_], [_]) if self.head.is_empty() => format!("d/d{label}"),
            ([only], [by]) if Rc::ptr_eq(only, by) && !self.has_numbers => {
                format!("{}'({label})", self.name)
            }
            _ if self.head.is_empty() => partial("", label),
            _ => partial(&self.name, label),
        }
    }
}

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    session.program_mut().purpose = Purpose::Formula;
    let statement = &arguments.text[..arguments.end()];
    let part = arguments.span_of(T).unwrap_or_default();
    if ![EXPAND, FACTOR, BY].iter().any(|it| arguments.has(it))
        && let Some(error) = session.products_error(statement, part)
    {
        return Err(error);
    }
    let typed = arguments.span_of(T).unwrap_or_default().of(arguments.text);
    let is_waiting = session.waiting_for(typed).is_some();
    if language::is_name(typed) && !session.is_function(typed) && !arguments.has(WRT) && !is_waiting
    {
        // A name that means nothing is no formula.
        return reply(session, arguments, true);
    }
    // A letter of the center needs a number.
    arguments.number(session, AT)?;
    with_letters(session, |look, has_numbers| {
        reply(look, arguments, has_numbers)
    })
}

fn reply(session: &mut Session, arguments: &Arguments, has_numbers: bool) -> Result<Reply> {
    let typed = arguments.span_of(T).unwrap_or_default();
    let name = typed.of(arguments.text).trim_end_matches(['\'', '’']);
    if session.is_function(name) && session.names().find(name).is_none() {
        if arguments.has(ZEROS) && !has_numbers {
            return Err(other_letters_error(name).at(typed));
        }
        let note = note_on_mixed_items(session, name, typed);
        let reply = function_reply(session, arguments, typed, name)?;
        return Ok(reply.with_notes(note));
    }
    let target = arguments.typed_target(session, T)?;
    let place = arguments.place(T);
    let mut subject = Subject::of_value(session, target.node, place, has_numbers);
    // A label is cut if its expression is long.
    if arguments.has(T) && subject.name.contains('…') {
        subject.name = language::one_line(typed.of(arguments.text));
    }
    // Notes on numbers that nobody has typed would be about nothing.
    let notes = if has_numbers {
        target.notes
    } else {
        Vec::new()
    };
    Ok(answer(session, arguments, &subject)?.with_notes(notes))
}

/// The reply about a function or its derivative, whose parameters get leaves.
fn function_reply(
    session: &mut Session,
    arguments: &Arguments,
    typed: Span,
    name: &str,
) -> Result<Reply> {
    let function = &*typed.of(arguments.text).replace('’', "'");
    let own = session.functions().get(name);
    let parameters = own.map_or_else(|| vec!["x".into()], |it| it.parameters.clone());
    let primes = function.len() - name.len();
    if primes == 0 {
        return look_at_call(
            session,
            (name, typed),
            &parameters,
            |look, root, letters| {
                let subject = Subject::of_function(look, function, typed, root, letters);
                answer(look, arguments, &subject)
            },
        )?;
    }
    let primes = u8::try_from(primes).unwrap_or(u8::MAX);
    let body = formula(session, name, primes, typed)?.body;
    let letters = give_sample_leaves(session, &parameters);
    let root = evaluate(session, &body)?;
    let subject = Subject::of_function(session, function, typed, &root, &letters);
    answer(session, arguments, &subject)
}

/// The value of a formula that the program has written.
fn evaluate(session: &mut Session, formula: &str) -> Result<Rc<Node>> {
    let expression = language::expression(formula, Span::new(0, formula.len()));
    let expression = expression.map_err(|error| explain(session, error))?;
    let (root, _) = session.evaluate_number(formula, &expression)?;
    Ok(root)
}

fn answer(session: &mut Session, arguments: &Arguments, subject: &Subject) -> Result<Reply> {
    if arguments.has(STEPS) {
        return steps_report(session, arguments, subject).map(Reply::show);
    }
    if arguments.has(HESSIAN) {
        let by = derivatives_by(session, arguments, subject)?;
        return hessian_report(session, subject, &by).map(Reply::show);
    }
    if arguments.has(ZEROS) {
        return zeros_report(session, arguments, subject).map(Reply::show);
    }
    if arguments.has(AT) {
        return taylor_reply(session, arguments, subject);
    }
    let Some(shape) = shape_of(session, arguments)? else {
        let by = derivatives_by(session, arguments, subject)?;
        return derivatives_report(session, subject, &by).map(Reply::show);
    };
    let formula = formula_in_shape(session, &subject.root, &shape);
    let formula = formula.map_err(|error| error.at(subject.place))?;
    note_rounded_numbers(session, &subject.root, &formula);
    Ok(Reply::show(formula_report(
        subject,
        &subject.head,
        &formula,
    )))
}

/// The shape that is asked for, if it is not the shortest one.
fn shape_of(session: &mut Session, arguments: &Arguments) -> Result<Option<FormulaShape>> {
    Ok(match () {
        () if arguments.has(EXPAND) => Some(FormulaShape::Expanded),
        () if arguments.has(FACTOR) => Some(FormulaShape::Factored),
        () if arguments.has(BY) => Some(FormulaShape::Collected(arguments.node(session, BY)?)),
        () => None,
    })
}

/// The report of one formula.
fn formula_report(subject: &Subject, head: &str, formula: &str) -> Report {
    let blocks = vec![definition_line(head, formula)];
    Report::new(&COMMAND, facts_of(subject, formula), blocks)
}

/// Shows the Taylor polynomial, or defines it as a function.
fn taylor_reply(session: &mut Session, arguments: &Arguments, subject: &Subject) -> Result<Reply> {
    let by = the_letter(session, arguments, subject)?;
    let mut polynomial = taylor(session, arguments, subject, &by)?;
    if arguments.has(EXPAND) {
        let root = evaluate(session, &polynomial)?;
        polynomial = formula_in_shape(session, &root, &FormulaShape::Expanded)?;
    }
    let Some((name, place)) = arguments.first_word(AS) else {
        // The polynomial is not equal to what it is near, so no name of it stands in front.
        return Ok(Reply::show(formula_report(subject, "", &polynomial)));
    };
    let letter = session.label(&by);
    if !language::is_name(name) || !language::is_name(&letter) {
        let message = format!("`{name}({letter})` cannot be the head of a function");
        let help = "names of letters, digits and `_`, as in `:formula exp(x) at 0 as T`";
        return Err(Diagnostic::new(message).at(place).help(help));
    }
    Ok(Reply {
        definition: Some(format!("{name}({letter}) = {polynomial}").into()),
        ..Reply::default()
    })
}

/// The formula of an expression whose letters have no numbers, with its derivatives if it has few letters.
pub(crate) fn look_at_letters(
    session: &mut Session,
    text: &str,
    expression: &Expression,
    shows_derivatives: bool,
) -> Result<Report> {
    with_letters(session, |look, has_numbers| {
        let (root, _) = look.evaluate_number(text, expression)?;
        if root.op() == Some(EQUAL) {
            return equality_report(look, &root);
        }
        let subject = Subject::of_value(look, root, expression.span, has_numbers);
        let shows_all = shows_derivatives && subject.letters.len() <= MOST_LETTERS;
        let by = if shows_all { &subject.letters[..] } else { &[] };
        derivatives_report(look, &subject, by)
    })
}

/// Whether the sides of an equation are equal: for every number of their letters, if the algebra makes their difference 0,
/// or at some.
fn equality_report(session: &mut Session, equation: &Rc<Node>) -> Result<Report> {
    let sides = [0, 1].map(|at| &equation.operands()[at]);
    let points = compare(session, sides, || Some(()));
    // The present numbers are samples that nobody has typed, so they come last.
    let different = (points.iter().skip(1).chain(points.first())).find(|it| !it.is_same());
    let is_proved = different.is_none() && are_equal(session, equation);
    let number = |it: &Setting| say!("{:name} = {}", session.label(&it.leaf), it.data);
    let line = match different {
        Some(point) => {
            let place = join(point.settings.iter().map(number), ", ");
            let [left, right] = point.sides;
            say!(
                "False: at {} the left is {}, the right is {}",
                place,
                left,
                right
            )
        }
        None if is_proved => {
            let letters = Order::below([equation]).leaves(Node::is_free);
            let names = letters.iter().map(|it| say!("{:name}", session.label(it)));
            say!("True, for every {}", list_with_and(names, usize::MAX))
        }
        None => say!("equal at {}", plural(points.len(), "point")),
    };
    let is_equal = different.is_none() && !points.is_empty();
    let facts = vec![("equal", is_equal.into()), ("proved", is_proved.into())];
    Ok(Report::new(&COMMAND, facts, vec![Block::Line(line)]))
}

/// The nodes by which the derivatives are asked for.
fn derivatives_by(
    session: &mut Session,
    arguments: &Arguments,
    subject: &Subject,
) -> Result<Vec<Rc<Node>>> {
    if !arguments.has(WRT) {
        return Ok(subject.letters.clone());
    }
    let by = arguments.nodes(session, WRT)?;
    session.check_ties(&subject.root, &by, arguments.place(WRT))?;
    Ok(by)
}

/// The formula, those of the named parts of a long one, and the derivatives by some nodes.
fn derivatives_report(session: &mut Session, subject: &Subject, by: &[Rc<Node>]) -> Result<Report> {
    if subject.has_numbers {
        session.note_shown(&subject.root, by);
    }
    let at_place = |error: Error| error.at(subject.place);
    let parts = formulas_of_parts(session, &subject.root).map_err(at_place)?;
    for part in &parts {
        note_rounded_numbers(session, &subject.root, &part.formula);
    }
    let mut blocks = vec![definition_line(&subject.head, &parts[0].formula)];
    for part in &parts[1..] {
        blocks.push(definition_line(&session.label(&part.node), &part.formula));
    }
    let is_over_names = parts.len() > 1;
    let derivatives = derivatives_over(session, &subject.root, by, is_over_names, MOST_DERIVATIVES);
    let order = Order::below([&subject.root]);
    let all_grads = gradients(&order, &subject.root, |_| {});
    let mut records = Vec::new();
    let (mut long, mut left_out) = (0_usize, by.len());
    for derivative in &derivatives.map_err(at_place)? {
        let nodes = &derivative.nodes;
        left_out -= nodes.len();
        let Some(formula) = derivative.formula.as_deref() else {
            long += 1;
            continue;
        };
        note_rounded_numbers(session, &subject.root, formula);
        let notation = subject.derivative(&derivative.label, nodes);
        let mut line = say!("{:math} = {:math}", &*notation, formula);
        let mut record = vec![("derivative", notation.into()), ("formula", formula.into())];
        if subject.has_numbers {
            let grad = |node: &Rc<Node>| order.slot(node).map_or(0.0, |slot| all_grads[slot]);
            let all: Vec<f64> = nodes.iter().map(grad).collect();
            let numbers = Rc::new(Numbers::of(&all));
            line.push(Piece::dim("   "));
            line.push(match numbers.piece() {
                Piece::Number(only) => Piece::Short(only),
                list => list,
            });
            record.push(("grad", Fact::Value(numbers)));
        }
        blocks.push(Block::Line(ask_numbers(line)));
        records.push(Fact::Record(record));
    }
    if long > 0 {
        let line = say!("{} derivatives are too long: `:grad` computes them", long);
        blocks.push(Block::Line(dim(line)));
    }
    if left_out > 0 {
        let line = say!("{} more: `… wrt NODE` shows others", left_out);
        blocks.push(Block::Line(dim(line)));
    }
    let mut facts = facts_of(subject, &parts[0].formula);
    facts.push(("derivatives", Fact::List(records)));
    Ok(Report::new(&COMMAND, facts, blocks))
}

/// `L = a*b`, or the formula alone.
fn definition_line(head: &str, formula: &str) -> Block {
    Block::Line(match head {
        "" => say!("{:math}", formula),
        _ => say!("{:math} = {:math}", head, formula),
    })
}

fn facts_of(subject: &Subject, formula: &str) -> Vec<(&'static str, Fact)> {
    let name = subject.name.as_str();
    vec![("of", name.into()), ("formula", formula.into())]
}

/// The only letter, or the one after `wrt`.
fn the_letter(session: &mut Session, arguments: &Arguments, subject: &Subject) -> Result<Rc<Node>> {
    if arguments.has(WRT)
        && let [only] = &arguments.nodes(session, WRT)?[..]
    {
        return Ok(Rc::clone(only));
    }
    if let [only] = &subject.letters[..] {
        return Ok(Rc::clone(only));
    }
    let names: Vec<String> = subject.letters.iter().map(|it| session.label(it)).collect();
    let (name, count) = (&subject.name, names.len());
    let error = match names.first() {
        None => {
            Diagnostic::new(format!("`{name}` has no letter")).help("as in `:formula x^2 steps`")
        }
        Some(first) => {
            let listed = backtick_list(&names);
            Diagnostic::new(format!("`{name}` has {count} letters: {listed}"))
                .help(format!("choose one: `… wrt {first}`"))
        }
    };
    Err(error.at(subject.place))
}

/// The Taylor polynomial by a letter, lowest power first.
fn taylor(
    session: &mut Session,
    arguments: &Arguments,
    subject: &Subject,
    by: &Rc<Node>,
) -> Result<String> {
    // The formula needs `pi/6` itself, not only its number.
    let (center, _) = arguments.expression(session, AT)?.expect("it is typed");
    let degree = arguments
        .count(session, ORDER, MOST_DEGREE)?
        .unwrap_or(DEGREE);
    let terms = taylor_terms(session, &subject.root, by, &center, degree);
    let terms = terms.map_err(|error| error.at(subject.place))?;
    let mut polynomial = String::new();
    for (order, term) in terms.iter().enumerate() {
        if !is_smooth(session, by, center.data(), &term.derivative) {
            let lacks = match order {
                0 => "value".to_string(),
                _ => format!("derivative of order {order}"),
            };
            let message = format!("`{}` has no {lacks} there, or it jumps", subject.name);
            let help = "choose a number at which it is smooth";
            return Err(Diagnostic::new(message).at(arguments.place(AT)).help(help));
        }
        let [positive, negative] = &term.texts;
        match (polynomial.is_empty(), positive.starts_with('-')) {
            _ if positive == "0" => {}
            (true, _) => polynomial += positive,
            (false, true) => polynomial.extend([" - ", negative]),
            (false, false) => polynomial.extend([" + ", positive]),
        }
    }
    if polynomial.is_empty() {
        polynomial.push('0');
    }
    Ok(polynomial)
}

/// Whether a derivative has a number at this number of its letter, and does not jump there.
fn is_smooth(session: &mut Session, by: &Rc<Node>, center: f64, derivative: &str) -> bool {
    let mut at = |data: f64| {
        let leaf = Rc::clone(by);
        session.look_with(&[Setting { leaf, data }], |look| measure(look, derivative))
    };
    let Some(here) = at(center).filter(|it| it.is_finite()) else {
        return false;
    };
    let step = STEP * center.abs().max(1.0);
    let mut change = |distance: f64| {
        let [left, right] = [center - distance, center + distance].map(&mut at);
        let change = (left? - here).abs().max((right? - here).abs());
        Some(change).filter(|it| it.is_finite())
    };
    let [Some(far), Some(near)] = [step, step * NEARER].map(&mut change) else {
        return false;
    };
    near <= far / 2.0 || far <= NO_CHANGE * here.abs().max(1.0)
}

/// The number of a formula with the present data of its letters.
fn measure(session: &mut Session, formula: &str) -> Option<f64> {
    let expression = language::as_expression(formula)?;
    let (value, _) = session.measure(formula, &expression).ok()?;
    Some(value)
}

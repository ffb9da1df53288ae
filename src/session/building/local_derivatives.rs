//! Local derivatives: a row's derivative text such as `y*x^(y - 1)`, with a node and its operands for `out`, `x`, `y`.
//!
//! They become nodes where `derivative` builds a derivative, and texts with the user's names where an answer shows them:
//! `1 - tanh(n)^2` for the row's `1 - out^2`. Each text is parsed once. Functions and constants in it are always the
//! built-in ones, even if the user has redefined `sin` or `pi`.

use std::cell::{LazyCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::builder::Builder;
use crate::session::Session;
use crate::session::functions::operation;
use crate::session::naming::labels::label_terms;
use crate::session::naming::labels::parts::{Term, label_text};
use chainrule_engine::graph::Node;
use chainrule_engine::ops::algebra::{self, Terms};
use chainrule_engine::ops::{self, Op, Rule};
use chainrule_language::{self as language, Head, Item, ItemKind, Literal, Span};

/// The text of a local derivative, parsed: its instructions in postfix order.
type Slope = Rc<[SlopeStep]>;

/// One instruction of a text.
#[derive(Clone, Copy, Debug)]
enum SlopeStep {
    Number(f64),
    Name(SlopeName),
    /// An operation on the last results, as many as it says.
    Apply(&'static Op, usize),
}

/// What a name in a text stands for.
#[derive(Clone, Copy, Debug)]
enum SlopeName {
    /// `x`, `y`, `z`: the operand at this position. In a function of many, `x` is the operand in question and `y` the
    /// other one.
    Operand(usize),
    /// `out`
    Out,
    /// `ties`
    Ties,
    /// `total`
    Total,
    /// `rest`
    Rest,
    /// `scale`
    Scale,
    /// `length`
    Length,
    /// `pi`
    Constant(&'static str),
}

thread_local! {
    /// The texts that have been parsed.
    static SLOPES: RefCell<FxHashMap<&'static str, Slope>> = RefCell::default();
}

/// The instructions of a text.
fn parse_text(text: &'static str) -> Slope {
    let parsed = || {
        let read = language::expression(text, Span::new(0, text.len()));
        let read = read.expect("the lock test reads every text of the table");
        read.items.iter().map(parse_item).collect()
    };
    SLOPES.with_borrow_mut(|known| Rc::clone(known.entry(text).or_insert_with(parsed)))
}

fn parse_item(item: &Item<'static>) -> SlopeStep {
    match item.kind {
        ItemKind::Number(literal) => SlopeStep::Number(literal.value),
        ItemKind::Name(name) => SlopeStep::Name(match name {
            "x" => SlopeName::Operand(0),
            "y" => SlopeName::Operand(1),
            "z" => SlopeName::Operand(2),
            "out" => SlopeName::Out,
            "ties" => SlopeName::Ties,
            "total" => SlopeName::Total,
            "rest" => SlopeName::Rest,
            "scale" => SlopeName::Scale,
            "length" => SlopeName::Length,
            constant => SlopeName::Constant(constant),
        }),
        ItemKind::Apply(Head::Operator(operator), count) => {
            SlopeStep::Apply(operation(operator), count as usize)
        }
        ItemKind::Apply(Head::Function(name, _), count) => {
            let op = ops::function(name, count as usize);
            SlopeStep::Apply(op.expect("texts call rows of the table"), count as usize)
        }
        _ => unreachable!("texts have numbers, names and operations"),
    }
}

/// The value of a text; `part` gives the value of each name.
fn evaluate_text<T: Terms>(
    terms: &mut T,
    text: &'static str,
    mut part: impl FnMut(&mut T, SlopeName) -> T::Term,
) -> T::Term {
    let mut stack: Vec<T::Term> = Vec::new();
    for step in &*parse_text(text) {
        let term = match *step {
            SlopeStep::Number(value) => terms.constant(value),
            SlopeStep::Name(of) => part(terms, of),
            SlopeStep::Apply(op, count) => {
                let taken = stack.split_off(stack.len() - count);
                algebra::simplify(terms, op, &taken)
            }
        };
        stack.push(term);
    }
    stack.pop().expect("a text has a value")
}

/// The position of the operand that is `x`, `y` or `z` in a text.
fn operand_position(op: &Op, position: usize, wanted: usize) -> usize {
    match (&op.rule, wanted) {
        (Rule::Many { .. }, 0) => position,
        (Rule::Many { .. }, _) => 1 - position.min(1),
        _ => wanted,
    }
}

/// The `scale` of a text: 1, or a power of two that makes the length of the operands a number with all its digits.
fn scale(node: &Node) -> f64 {
    let length = match node.operands() {
        [x, y] => x.data().hypot(y.data()),
        _ => node.data(),
    };
    if length > 1e290 {
        2f64.powi(-200)
    } else if length < 1e-290 && length > 0.0 {
        2f64.powi(200)
    } else {
        1.0
    }
}

/// The local derivatives of a node while they are built, and the parts that they share: a node of a thousand operands
/// has a thousand of them.
pub(super) struct LocalDerivatives<'n> {
    pub(super) node: &'n Rc<Node>,
    /// Their numbers if the node is NaN; none for any other.
    pub(super) numbers: Vec<f64>,
    /// The operation on the first operand alone, on the first two, and so on.
    before: Vec<Rc<Node>>,
    /// The operation on the last operand alone, on the last two, and so on.
    behind: Vec<Rc<Node>>,
    /// The `ties`, the `total` or the `length` of the text.
    shared: Option<Rc<Node>>,
}

impl LocalDerivatives<'_> {
    pub(super) fn of(node: &Rc<Node>) -> LocalDerivatives<'_> {
        let is_nan = node.data().is_nan();
        LocalDerivatives {
            node,
            numbers: if is_nan { node.locals() } else { Vec::new() },
            before: Vec::new(),
            behind: Vec::new(),
            shared: None,
        }
    }
}

impl Builder<'_> {
    /// The local derivative of a node with respect to an operand.
    pub(super) fn local(&mut self, turn: &mut LocalDerivatives, position: usize) -> Rc<Node> {
        let node = turn.node;
        let Some(op) = node.op() else {
            return self.constant(0.0);
        };
        let operands = node.operands();
        // Textbook forms exist for up to two operands of a function of many.
        let is_long = matches!(op.rule, Rule::Many { .. }) && operands.len() != 2;
        let text = if self.textbook && !is_long {
            op.learned_text(position)
        } else {
            op.derivable_text(position, operands.len())
        };
        evaluate_text(self, text, |builder, part| match part {
            SlopeName::Operand(wanted) => {
                Rc::clone(&operands[operand_position(op, position, wanted)])
            }
            SlopeName::Out => Rc::clone(node),
            SlopeName::Scale => builder.constant(scale(node)),
            SlopeName::Length if op.name == "hypot" && scale(node) == 1.0 => Rc::clone(node),
            SlopeName::Ties | SlopeName::Total | SlopeName::Length => {
                let shared = turn.shared.take().unwrap_or_else(|| match part {
                    SlopeName::Ties => algebra::ties(builder, operands, node),
                    SlopeName::Length => algebra::length(builder, operands, scale(node)),
                    _ => algebra::total(builder, operands, node),
                });
                turn.shared.insert(shared).clone()
            }
            SlopeName::Rest => builder.rest(op, turn, position),
            SlopeName::Constant(name) => builder.named_constant(name),
        })
    }

    /// The operation on all of these operands but one.
    fn rest(&mut self, op: &'static Op, turn: &mut LocalDerivatives, position: usize) -> Rc<Node> {
        let operands = turn.node.operands();
        let LocalDerivatives { before, behind, .. } = turn;
        for next in &operands[before.len()..position.max(before.len())] {
            let joined = match before.last() {
                Some(last) => algebra::simplify(self, op, &[Rc::clone(last), Rc::clone(next)]),
                None => Rc::clone(next),
            };
            before.push(joined);
        }
        let left = operands.len() - behind.len();
        for next in operands[(position + 1).min(left)..left].iter().rev() {
            let joined = match behind.last() {
                Some(last) => algebra::join_groups(self, op, next, last),
                None => Rc::clone(next),
            };
            behind.push(joined);
        }
        let before = position.checked_sub(1).map(|at| &before[at]);
        let behind = (operands.len() - position)
            .checked_sub(2)
            .map(|at| &behind[at]);
        match (before, behind) {
            (Some(before), Some(behind)) => algebra::join_groups(self, op, before, behind),
            (Some(all), None) | (None, Some(all)) => Rc::clone(all),
            (None, None) => self.constant(op.value(&[])),
        }
    }
}

impl Session {
    /// The local derivative of a node with respect to an operand, as textbooks write it.
    pub fn local_formula(&self, node: &Rc<Node>, operand: usize) -> String {
        self.local_formulas(node)(operand)
    }

    /// The local derivatives of a node, by the position of the operand. The label of the node is made once for all.
    pub fn local_formulas(&self, node: &Rc<Node>) -> impl Fn(usize) -> String {
        let out = LazyCell::new(|| LabelTerm::of(label_terms(self.names(), node)));
        move |position| {
            let Some(op) = node.op() else {
                return String::new();
            };
            let operands = node.operands();
            let is_long = matches!(op.rule, Rule::Many { .. }) && operands.len() != 2;
            let text = op.learned_text(position);
            let label = |node| LabelTerm::of(label_terms(self.names(), node));
            let formula = evaluate_text(&mut Labels, text, |_, part| match part {
                SlopeName::Out => out.clone(),
                SlopeName::Operand(1) if is_long && text == "y" => {
                    let (before, rest) = operands.split_at(position);
                    let others = before.iter().chain(&rest[1..]);
                    let mut others: Vec<LabelTerm> = others.take(LISTED).map(label).collect();
                    if operands.len() - 1 > LISTED {
                        others.push(LabelTerm::dots());
                    }
                    algebra::simplify(&mut Labels, op, &others)
                }
                SlopeName::Operand(1) if is_long => LabelTerm::dots(),
                SlopeName::Operand(wanted) => {
                    label(&operands[operand_position(op, position, wanted)])
                }
                SlopeName::Constant(name) => LabelTerm::Label(vec![Term::Name(name.to_string())]),
                _ => unreachable!("no textbook form has them"),
            });
            label_text(&formula.terms())
        }
    }
}

/// Labels as the terms of a formula. Only the row's text is simplified; each label stays as it is.
struct Labels;

/// A term of a formula.
#[derive(Clone)]
enum LabelTerm {
    Label(Vec<Term>),
    Number(f64),
    Made(&'static Op, Vec<LabelTerm>),
}

impl LabelTerm {
    fn of(label: Vec<Term>) -> LabelTerm {
        match label[..] {
            [Term::Item(ItemKind::Number(literal))] => LabelTerm::Number(literal.value),
            _ => LabelTerm::Label(label),
        }
    }

    /// Stands for parts that are left out.
    fn dots() -> LabelTerm {
        LabelTerm::Label(vec![Term::Name("…".to_string())])
    }

    /// The term in postfix order. A row's text is short, so the depth is too.
    fn terms(self) -> Vec<Term> {
        match self {
            LabelTerm::Label(terms) => terms,
            LabelTerm::Number(value) => {
                let point = false;
                vec![Term::Item(ItemKind::Number(Literal { value, point }))]
            }
            LabelTerm::Made(op, mut operands) => {
                // `-f/e` is the same number as `-(f/e)`, and easier to read.
                if op.name == "negation"
                    && let [LabelTerm::Made(over, parts)] = &mut operands[..]
                    && over.name == "division"
                {
                    let (over, denominator) = (*over, parts.remove(1));
                    let numerator = LabelTerm::Made(op, std::mem::take(parts));
                    return LabelTerm::Made(over, vec![numerator, denominator]).terms();
                }
                let count = operands.len();
                let mut terms: Vec<Term> =
                    operands.into_iter().flat_map(LabelTerm::terms).collect();
                terms.push(Term::operation(op, count));
                terms
            }
        }
    }
}

impl Terms for Labels {
    type Term = LabelTerm;

    fn number(&self, term: &LabelTerm) -> Option<f64> {
        match term {
            LabelTerm::Number(value) => Some(*value),
            _ => None,
        }
    }

    fn operation<'t>(&self, term: &'t LabelTerm) -> Option<(&'static Op, &'t [LabelTerm])> {
        match term {
            LabelTerm::Made(op, operands) => Some((op, operands)),
            _ => None,
        }
    }

    fn are_one(&self, _: &LabelTerm, _: &LabelTerm) -> bool {
        false
    }

    fn constant(&mut self, value: f64) -> LabelTerm {
        LabelTerm::Number(value)
    }

    fn fold_constants(&mut self, op: &'static Op, operands: &[LabelTerm]) -> LabelTerm {
        let numbers = operands.iter().filter_map(|term| self.number(term));
        let value = op.value(&numbers.collect::<Vec<f64>>());
        if value.to_string().len() <= LONGEST_LITERAL {
            self.constant(value)
        } else {
            self.apply(op, operands)
        }
    }

    fn apply(&mut self, op: &'static Op, operands: &[LabelTerm]) -> LabelTerm {
        LabelTerm::Made(op, operands.to_vec())
    }
}

/// A longer number than this is no simpler than how it was computed.
const LONGEST_LITERAL: usize = 6;

/// The most operands that a formula lists.
const LISTED: usize = 3;

//! The formulas of a value for `:formula`: over its leaves or its named parts, in several shapes, with its derivatives and
//! its Taylor polynomial.

use std::rc::Rc;

use crate::terms::{FormulaParts, FormulaTerms, letter, letter_at};
use chainrule_algebra::{self as algebra, Letter, MAX_TOKENS, Number, Term, TermKind, TooLarge};
use chainrule_engine::graph::Node;
use chainrule_language as language;
use chainrule_program::error::{Error, fail_here};
use chainrule_report::count_text;
use chainrule_session::Session;

/// The most tokens of a formula over the leaves. A longer one stops at the names of its parts.
const MOST_OPENED: usize = 60;

/// The shape of a formula.
#[derive(Clone, Debug)]
pub enum FormulaShape {
    /// With products multiplied out.
    Expanded,
    /// As a product of factors.
    Factored,
    /// With one term for each power of a letter.
    Collected(Rc<Node>),
}

/// The formula of a node.
#[derive(Clone, Debug)]
pub struct NodeFormula {
    pub node: Rc<Node>,
    pub formula: String,
}

/// The derivative by a node, or by each item of a list.
#[derive(Clone, Debug)]
pub struct DerivativeFormula {
    /// What the node or the list is called.
    pub label: String,
    /// The node, or the items.
    pub nodes: Vec<Rc<Node>>,
    /// `None` if it is too long.
    pub formula: Option<String>,
}

/// A term of a Taylor polynomial.
#[derive(Clone, Debug)]
pub struct TaylorTerm {
    /// The derivative at any number.
    pub derivative: String,
    /// The term, and the opposite of it.
    pub texts: [String; 2],
}

/// The formula of a root over its leaves, in this shape.
pub fn formula_in_shape(
    session: &Session,
    root: &Rc<Node>,
    shape: &FormulaShape,
) -> Result<String, Error> {
    let letters = match shape {
        FormulaShape::Collected(by) => std::slice::from_ref(by),
        _ => &[],
    };
    let formula = over_leaves(session, root, letters)?;
    formula.text_in_shape(formula.definition(root), shape)
}

/// The derivative of a root by a node over its leaves, in this shape or the shortest one.
pub fn derivative_in_shape(
    session: &Session,
    root: &Rc<Node>,
    by: &Rc<Node>,
    shape: Option<&FormulaShape>,
) -> Result<String, Error> {
    let formula = over_leaves(session, root, std::slice::from_ref(by))?;
    let derivative = formula.derivative(by).map_err(too_long_error)?;
    match shape {
        Some(shape) => formula.text_in_shape(&derivative, shape),
        None => formula.text(&derivative),
    }
}

/// The formula of a root over its leaves. A long one stops at the names of its parts, whose formulas follow.
pub fn formulas_of_parts(session: &Session, root: &Rc<Node>) -> Result<Vec<NodeFormula>, Error> {
    let mut formula = over_leaves(session, root, &[])?;
    let mut parts = vec![Rc::clone(root)];
    if count_tokens(&shortest(formula.definition(root))) > MOST_OPENED {
        formula = over_names(session, root, &[])?;
        parts.extend(formula.named_parts());
    }
    let text = |node: Rc<Node>| {
        let formula = match node.carried() {
            Some(_) => session.expression(&node),
            None => formula.text(&shortest(formula.definition(&node)))?,
        };
        Ok(NodeFormula { node, formula })
    };
    parts.into_iter().map(text).collect()
}

/// The derivatives of a root by some nodes, over its leaves, or over the names of its parts: at most `most`. The items
/// of a list have one formula together, if that is the same for all of them.
pub fn derivatives_over(
    session: &Session,
    root: &Rc<Node>,
    by: &[Rc<Node>],
    is_over_names: bool,
    most: usize,
) -> Result<Vec<DerivativeFormula>, Error> {
    let whole = if is_over_names {
        over_names(session, root, by)?
    } else {
        over_leaves(session, root, &[])?
    };
    let (mut found, mut rest) = (Vec::new(), by);
    while let Some(first) = rest.first().filter(|_| found.len() < most) {
        let of_list = derivative_by_list(session, &whole, rest);
        let derivative = match of_list {
            Some(derivative) => derivative,
            None => derivative_by_node(session, &whole, root, first)?,
        };
        rest = &rest[derivative.nodes.len()..];
        found.push(derivative);
    }
    Ok(found)
}

/// The derivative by all items of the list with which `nodes` begins, if one formula serves them.
fn derivative_by_list(
    session: &Session,
    whole: &FormulaTerms,
    nodes: &[Rc<Node>],
) -> Option<DerivativeFormula> {
    let naming = session.names().list_name_of(nodes.first()?)?;
    let lengths = naming.shape.lengths()?;
    let items = nodes.get(..*lengths.first()?)?;
    let is_item = |(at, node): (usize, &Rc<Node>)| {
        let own = session.names().list_name_of(node);
        own.is_some_and(|it| it.key() == naming.key() && it.place == Some(at as u32))
    };
    if lengths.len() > 1 || !items.iter().enumerate().all(is_item) {
        return None;
    }
    let derivative = whole.derivative_by_list(items)?;
    Some(DerivativeFormula {
        label: session.names().name_without_place(naming).into_owned(),
        nodes: items.to_vec(),
        formula: derivative.ok().and_then(|it| whole.text(&it).ok()),
    })
}

fn derivative_by_node(
    session: &Session,
    whole: &FormulaTerms,
    root: &Rc<Node>,
    node: &Rc<Node>,
) -> Result<DerivativeFormula, Error> {
    // A computed node, or the item of a list, is a letter only for its own derivative.
    let own = if whole.can_differentiate(node) {
        None
    } else {
        Some(over_leaves(session, root, std::slice::from_ref(node))?)
    };
    let formula = own.as_ref().unwrap_or(whole);
    let derivative = formula.derivative(node).ok();
    Ok(DerivativeFormula {
        label: session.label(node),
        nodes: vec![Rc::clone(node)],
        formula: derivative.and_then(|it| formula.text(&it).ok()),
    })
}

/// The terms of the Taylor polynomial of a root around a number of the letter `by`.
pub fn taylor_terms(
    session: &Session,
    root: &Rc<Node>,
    by: &Rc<Node>,
    center: &Rc<Node>,
    degree: u64,
) -> Result<Vec<TaylorTerm>, Error> {
    let mut formula = over_leaves(session, root, std::slice::from_ref(by))?;
    let exact = over_leaves(session, center, &[])?;
    let center = match exact.letters.len() {
        0 => exact.definition(center).clone(),
        _ => Number::from_data(center.data()).into(),
    };
    let minus_center = algebra::product([Term::whole(-1), center.clone()]);
    let difference = algebra::sum([letter(formula.place(by)), minus_center]);
    // `x - pi/6` stays together.
    let distance = letter(Letter::SUM);
    formula.difference = formula.items(&difference).ok();
    let text = |term: &Term| {
        let text = formula.text(term)?;
        let is_bare_sum = *term == distance && matches!(difference.kind(), TermKind::Sum);
        Ok::<_, Error>(if is_bare_sum {
            format!("({text})")
        } else {
            text
        })
    };
    let mut terms = Vec::new();
    for order in 0..=degree as i64 {
        let derivative = formula.derivative_of_order(by, order as usize);
        let derivative = derivative.map_err(too_long_error)?;
        let factorial = Term::whole((1..=order).product());
        let term = algebra::product([
            algebra::shortest(&formula.at(&derivative, by, &center)),
            algebra::power(&factorial, &Term::whole(-1)),
            algebra::power(&distance, &Term::whole(order)),
        ]);
        let opposite = algebra::product([Term::whole(-1), term.clone()]);
        terms.push(TaylorTerm {
            derivative: formula.text(&derivative)?,
            texts: [text(&term)?, text(&opposite)?],
        });
    }
    Ok(terms)
}

/// Whether the algebra makes the difference of the sides of an equation 0.
pub fn are_equal(session: &Session, equation: &Rc<Node>) -> bool {
    let Ok(formula) = over_leaves(session, equation, &[]) else {
        return false;
    };
    let [left, right] = [0, 1].map(|at| formula.reference(&equation.operands()[at]));
    let difference = algebra::sum([left, algebra::product([Term::whole(-1), right])]);
    let zero = Term::whole(0);
    algebra::shortest(&difference) == zero || algebra::expand(&difference) == Some(zero)
}

/// The terms of a root over its leaves and the nodes `by`. Lists are letters in sums, unless `by` has items of lists.
pub fn over_leaves<'s>(
    session: &'s Session,
    root: &Rc<Node>,
    by: &[Rc<Node>],
) -> Result<FormulaTerms<'s>, Error> {
    let has_lists = by
        .iter()
        .all(|it| session.names().list_name_of(it).is_none());
    let formula = FormulaTerms::of(session.names(), root, by, FormulaParts::Leaves, has_lists);
    formula.ok_or_else(|| no_formula_error(session, root))
}

/// The terms of a root over the nodes `by` and those with names.
fn over_names<'s>(
    session: &'s Session,
    root: &Rc<Node>,
    by: &[Rc<Node>],
) -> Result<FormulaTerms<'s>, Error> {
    FormulaTerms::of(session.names(), root, by, FormulaParts::Names, false)
        .ok_or_else(|| no_formula_error(session, root))
}

fn no_formula_error(session: &Session, root: &Rc<Node>) -> Error {
    let label = session.label(root);
    let message =
        format!("`{label}` has a function of more than two numbers, which formulas do not have");
    fail_here(message, "the numbers: `:grad`")
}

impl FormulaTerms<'_> {
    /// The text of a term.
    fn text(&self, term: &Term) -> Result<String, Error> {
        let items = self.items(term).map_err(too_long_error)?;
        Ok(language::infix(&items))
    }

    fn text_in_shape(&self, term: &Term, shape: &FormulaShape) -> Result<String, Error> {
        let shaped = match shape {
            FormulaShape::Expanded => algebra::expand(term),
            FormulaShape::Factored => algebra::factor(term),
            FormulaShape::Collected(by) => algebra::collect_by(term, &letter_at(self.place(by))),
        };
        let too_long = || {
            let message = "multiplied out, this formula has too many terms";
            fail_here(message, "a part of it: `:formula PART …`")
        };
        self.text(&shaped.ok_or_else(too_long)?)
    }
}

/// The shortest shape, or the term as it stands if that is as short.
fn shortest(term: &Term) -> Term {
    let shortest = algebra::shortest(term);
    if count_tokens(term) <= count_tokens(&shortest) {
        return term.clone();
    }
    shortest
}

fn count_tokens(term: &Term) -> usize {
    algebra::write(term).map_or(usize::MAX, |items| algebra::count_tokens(&items))
}

/// The error for a formula that is too long to be read.
pub(crate) fn too_long_error(error: TooLarge) -> Error {
    let message = format!(
        "this formula has {} names, numbers and signs, and at most {} are printed",
        count_text(error.tokens),
        count_text(MAX_TOKENS)
    );
    fail_here(
        message,
        "`:formula NODE` shows a part of it, `f'(2)` and `:grad` compute numbers",
    )
}

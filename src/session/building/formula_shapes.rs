//! The formulas of a value for `:formula`: over its leaves or its named parts, in several shapes, with its derivatives and
//! its Taylor polynomial.

use std::rc::Rc;

use chainrule_algebra::{self as algebra, MAX_TOKENS, Number, Term, TermKind, TooLarge};

use super::terms::FormulaTerms;
use crate::session::Session;
use crate::session::error::{Error, fail_here};
use chainrule_engine::graph::Node;
use chainrule_language as language;
use chainrule_report::count_text;
use chainrule_stop as stop;

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

/// A term of a Taylor polynomial.
#[derive(Clone, Debug)]
pub struct TaylorTerm {
    /// The derivative at any number.
    pub derivative: String,
    /// The term, and the opposite of it.
    pub texts: [String; 2],
    /// Whether the term is a sum, such as `x - 1`.
    pub is_sum: bool,
}

impl Session {
    /// The formula of a root over its leaves, in this shape.
    pub fn formula_in_shape(&self, root: &Rc<Node>, shape: &FormulaShape) -> Result<String, Error> {
        let formula = self.over_leaves(root, &[])?;
        let whole = formula.definition(root);
        formula.text(&match shape {
            FormulaShape::Expanded => algebra::expand(whole),
            FormulaShape::Factored => algebra::factor(whole),
            FormulaShape::Collected(by) => algebra::collect_by(whole, &FormulaTerms::letter(by)),
        })
    }

    /// The formula of a root over its leaves. A long one stops at the names of its parts, whose formulas follow.
    pub fn formulas_of_parts(&self, root: &Rc<Node>) -> Result<Vec<NodeFormula>, Error> {
        let mut formula = self.over_leaves(root, &[])?;
        let mut parts = vec![Rc::clone(root)];
        if count_tokens(&shortest(formula.definition(root))) > MOST_OPENED {
            formula = self.over_names(root, &[])?;
            parts.extend(formula.named_parts());
        }
        let text = |node: Rc<Node>| {
            Ok(NodeFormula {
                formula: formula.text(&shortest(formula.definition(&node)))?,
                node,
            })
        };
        parts.into_iter().map(text).collect()
    }

    /// The derivatives of a root by some nodes, over its leaves, or over the names of its parts. One that is too long is
    /// left out.
    pub fn derivatives_over(
        &self,
        root: &Rc<Node>,
        by: &[Rc<Node>],
        is_over_names: bool,
    ) -> Result<Vec<NodeFormula>, Error> {
        let of_all = if is_over_names {
            self.over_names(root, by)?
        } else {
            self.over_leaves(root, &[])?
        };
        let mut found = Vec::new();
        for node in stop::with_checks(by.iter()) {
            // A computed node is a letter only for its own derivative.
            let own = if node.is_leaf() || is_over_names {
                None
            } else {
                Some(self.over_leaves(root, std::slice::from_ref(node))?)
            };
            let formula = own.as_ref().unwrap_or(&of_all);
            if let Ok(derivative) = formula.derivative(node)
                && let Ok(text) = formula.text(&derivative)
            {
                found.push(NodeFormula {
                    node: Rc::clone(node),
                    formula: text,
                });
            }
        }
        Ok(found)
    }

    /// The terms of the Taylor polynomial of a root around a number of the letter `by`.
    pub fn taylor_terms(
        &self,
        root: &Rc<Node>,
        by: &Node,
        center: f64,
        degree: u64,
    ) -> Result<Vec<TaylorTerm>, Error> {
        let formula = self.over_leaves(root, &[])?;
        let minus_center = Term::from(Number::from_data(-center));
        let distance = algebra::sum([FormulaTerms::letter_term(by), minus_center]);
        let mut terms = Vec::new();
        for order in 0..=degree as i64 {
            let derivative = formula.derivative_of_order(by, order as usize);
            let derivative = derivative.map_err(too_long_error)?;
            let factorial = Term::whole((1..=order).product());
            let term = algebra::product([
                algebra::shortest(&FormulaTerms::at(&derivative, by, center)),
                algebra::power(&factorial, &Term::whole(-1)),
                algebra::power(&distance, &Term::whole(order)),
            ]);
            let opposite = algebra::product([Term::whole(-1), term.clone()]);
            terms.push(TaylorTerm {
                derivative: formula.text(&derivative)?,
                texts: [formula.text(&term)?, formula.text(&opposite)?],
                is_sum: matches!(term.kind(), TermKind::Sum),
            });
        }
        Ok(terms)
    }

    /// The terms of a root over its leaves and the nodes `by`.
    pub(crate) fn over_leaves(
        &self,
        root: &Rc<Node>,
        by: &[Rc<Node>],
    ) -> Result<FormulaTerms<'_>, Error> {
        FormulaTerms::over_leaves(&self.names, root, by).ok_or_else(|| self.no_formula_error(root))
    }

    /// The terms of a root over the nodes `by` and those with names.
    fn over_names(&self, root: &Rc<Node>, by: &[Rc<Node>]) -> Result<FormulaTerms<'_>, Error> {
        FormulaTerms::of(&self.names, root, by).ok_or_else(|| self.no_formula_error(root))
    }

    fn no_formula_error(&self, root: &Rc<Node>) -> Error {
        let label = self.label(root);
        let message =
            format!("`{label}` has a function of many numbers, whose derivative has no formula");
        fail_here(message, "the numbers: `:grad`")
    }
}

impl FormulaTerms<'_> {
    /// The text of a term.
    fn text(&self, term: &Term) -> Result<String, Error> {
        let items = self.items(term).map_err(too_long_error)?;
        Ok(language::infix(&items))
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
pub(super) fn too_long_error(error: TooLarge) -> Error {
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

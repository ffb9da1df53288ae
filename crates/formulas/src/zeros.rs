//! The numbers of a leaf at which a node is 0.

use std::rc::Rc;

use crate::shapes::over_leaves;
use crate::terms::letter_at;
use chainrule_algebra::{self as algebra, Number, RealZero, real_zeros};
use chainrule_engine::graph::Node;
use chainrule_engine::graph::structure::depends_on;
use chainrule_session::Session;

/// All real numbers of a leaf at which a root is 0. The other leaves have their numbers. `None` if the factors of the root
/// are no polynomials in the leaf.
pub fn exact_zeros(session: &Session, root: &Rc<Node>, by: &Rc<Node>) -> Option<Vec<RealZero>> {
    let formula = over_leaves(session, root, std::slice::from_ref(by)).ok()?;
    let mut term = formula.definition(root).clone();
    for leaf in formula.letters.values().filter(|it| !Rc::ptr_eq(it, by)) {
        // The solution of an equation with `by` is a letter, too.
        if depends_on(leaf, by) {
            return None;
        }
        term = formula.at(&term, leaf, &Number::from_data(leaf.data()).into());
    }
    real_zeros(&algebra::shortest(&term), &letter_at(formula.place(by)))
}

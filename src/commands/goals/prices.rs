//! The constraints of `:minimize` at the point that was found, with their prices.
//!
//! The price of a constraint is the derivative of the smallest target by the right side of the relation: how much more the
//! target costs if that side becomes larger by 1.

use crate::commands::args::relations::Relation;
use crate::commands::prelude::*;
use chainrule_language::RelationSign;

/// The most constraints that have a line each.
const MOST_ROWS: usize = 8;

/// A constraint with its price.
pub(super) struct PricedConstraint<'r> {
    relation: &'r Relation,
    price: f64,
}

impl<'r> PricedConstraint<'r> {
    /// The constraints of these relations. The slopes of the target plus each multiplier times its excess are 0, so a price
    /// is the multiplier times the slope of the excess by the right side. The excess is `right - left` for `>=`, and
    /// `left - right` otherwise.
    pub(super) fn all(relations: &'r [Relation], multipliers: &[f64]) -> Vec<PricedConstraint<'r>> {
        let mut constraints = Vec::new();
        for (relation, &multiplier) in relations.iter().zip(multipliers) {
            let price = match relation.sign {
                // `-multiplier` would be printed as -0.
                _ if multiplier == 0.0 => 0.0,
                RelationSign::AtLeast => multiplier,
                RelationSign::Equal | RelationSign::AtMost => -multiplier,
            };
            constraints.push(PricedConstraint { relation, price });
        }
        constraints
    }

    fn is_active(&self) -> bool {
        self.relation.sign == RelationSign::Equal || self.price != 0.0
    }

    fn line(&self, width: usize) -> Line {
        let relation = self.relation;
        let slack = (relation.left.data() - relation.right.data()).abs();
        let (word, number) = if self.is_active() {
            ("price", self.price)
        } else {
            ("slack", slack)
        };
        let text = format!("{:<width$}", relation.text);
        say!("  {:typed}   holds, {} {:short}", text, word, number)
    }

    pub(super) fn facts(&self) -> Vec<(&'static str, Fact)> {
        let relation = self.relation;
        vec![
            ("constraint", Fact::Text(relation.text.clone())),
            ("sign", relation.sign.spelling().into()),
            ("value", relation.left.data().into()),
            ("limit", relation.right.data().into()),
            ("price", self.price.into()),
        ]
    }
}

/// Returns a line for each constraint. If there are many, only active constraints have one.
pub(super) fn price_lines(constraints: &[PricedConstraint]) -> Vec<Line> {
    let mut shown: Vec<&PricedConstraint> = constraints.iter().collect();
    if shown.len() > MOST_ROWS {
        shown.retain(|constraint| constraint.is_active());
        shown.truncate(MOST_ROWS);
    }
    let lengths = shown.iter().map(|it| it.relation.text.chars().count());
    let width = lengths.max().unwrap_or(0);
    let mut lines: Vec<Line> = shown.iter().map(|it| it.line(width)).collect();
    if constraints.len() > shown.len() {
        let others = constraints.len() - shown.len();
        lines.push(say!("  … and {} more hold", others));
    }
    lines
}

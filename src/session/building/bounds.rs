//! The range of a leaf: `a = 2 in 0..10 by 0.5`. A page shows a slider with it.

use std::rc::Rc;

use crate::session::error::{Error, fail};
use crate::session::tags::TagWrite;
use crate::session::values::Value;
use crate::session::{LeafRange, Session};
use chainrule_engine::graph::{Node, NodeId};
use chainrule_language::{Binding, Expression};

impl Session {
    /// The range of a leaf, if its binding has one.
    pub fn leaf_range(&self, leaf: &Node) -> Option<LeafRange> {
        self.names.ranges.of(leaf).copied()
    }

    /// The write that gives the leaf of a binding its range, if one was typed. `made` is the newest node from before.
    pub(super) fn binding_range(
        &mut self,
        text: &str,
        binding: &Binding,
        values: &[Value],
        made: NodeId,
    ) -> Result<Option<TagWrite<LeafRange>>, Error> {
        let Some(bounds) = &binding.bounds else {
            return Ok(None);
        };
        let (name, typed) = (binding.targets[0].name, binding.values[0].span.of(text));
        let is_new = |leaf: &&Rc<Node>| leaf.is_leaf() && leaf.id() > made;
        let leaf = match values {
            [value] => value.node().filter(is_new).cloned(),
            _ => None,
        };
        let Some(leaf) = leaf else {
            let message =
                format!("only a new leaf of one number has a range, and `{name}` is not one");
            let help = "as in `a = 2 in 0..10`; each leaf has a statement of its own";
            return Err(fail(bounds.span, message, help));
        };
        let [low, high] = &bounds.ends;
        let (from, to) = (low.span.of(text), high.span.of(text));
        let place = low.span.to(high.span);
        let range = LeafRange {
            low: self.finite_number(text, low)?,
            high: self.finite_number(text, high)?,
            step: match &bounds.step {
                Some(step) => Some(self.finite_number(text, step)?),
                None => None,
            },
        };
        if range.low >= range.high {
            let message = format!("the range goes from `{from}` to `{to}`, which is not more");
            let help = if range.low > range.high {
                format!("a range goes up: `{name} = {typed} in {to}..{from}`")
            } else {
                "its ends differ, as in `a = 2 in 0..10`".to_owned()
            };
            return Err(fail(place, message, help));
        }
        let data = leaf.data();
        if !(range.low..=range.high).contains(&data) {
            let message =
                format!("`{name}` begins at {data}, which is not between `{from}` and `{to}`");
            let near = if data < range.low { from } else { to };
            let help = format!("a range holds the number: `{name} = {near} in {from}..{to}`");
            return Err(fail(binding.values[0].span.to(place), message, help));
        }
        if let (Some(step), Some(typed_step)) = (range.step, &bounds.step)
            && !(step > 0.0 && step <= range.high - range.low)
        {
            let message = format!("`{}` cannot be a step", typed_step.span.of(text));
            let fine = (range.high - range.low) / 100.0;
            let help = format!(
                "a step is more than 0 and no more than the range: `{name} = {typed} in {from}..{to} by {fine}`"
            );
            return Err(fail(typed_step.span, message, help));
        }
        Ok(Some(TagWrite::new(&leaf, Some(range))))
    }

    fn finite_number(&mut self, text: &str, typed: &Expression) -> Result<f64, Error> {
        let (number, _) = self.measure(text, typed)?;
        if number.is_finite() {
            return Ok(number);
        }
        let message = format!("`{}` is not a finite number", typed.span.of(text));
        Err(fail(typed.span, message, "as in `a = 2 in 0..10 by 0.5`"))
    }
}

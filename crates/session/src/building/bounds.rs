//! Gives leaves ranges, `a = 2 in 0..10 by 0.5`, and checks them. A page shows a slider for such a leaf, and in a plot the
//! range is the axis of the leaf.

use crate::naming::item_name;
use crate::state::Session;
use crate::tags::{LeafRange, TagWrite};
use chainrule_engine::graph::NodeId;
use chainrule_language::{Binding, Bounds, Expression};
use chainrule_program::error::{Error, fail};
use chainrule_program::values::Value;

impl Session {
    /// The writes that give the leaves of a binding their range, if a range was typed. `newest_before` is the newest node
    /// before the binding.
    pub(super) fn binding_ranges(
        &mut self,
        text: &str,
        binding: &Binding,
        values: &[Value],
        newest_before: NodeId,
    ) -> Result<Vec<TagWrite<LeafRange>>, Error> {
        let Some(bounds) = &binding.bounds else {
            return Ok(Vec::new());
        };
        let [low, high] = &bounds.ends;
        let range = LeafRange {
            low: self.finite_number(text, low)?,
            high: self.finite_number(text, high)?,
            step: (bounds.step.as_ref())
                .map(|step| self.finite_number(text, step))
                .transpose()?,
        };
        let mut writes = Vec::new();
        for (target, value) in binding.targets.iter().zip(values) {
            for (place, leaf) in value.nodes().iter().enumerate() {
                let label = || item_name(target.name, value.shape(), place as u32);
                if !leaf.is_leaf() || leaf.id() <= newest_before {
                    let message =
                        format!("only a new leaf has a range, and `{}` is not one", label());
                    let help = "as in `NAME = 2 in 0..10` or `NAME = [2, 3] in 0..10`";
                    return Err(fail(bounds.span, message, help));
                }
                check_range(text, binding, bounds, &range, leaf.data(), label)?;
                writes.push(TagWrite::new(leaf, Some(range)));
            }
        }
        Ok(writes)
    }

    /// The number of an expression. Refuses infinity and NaN.
    fn finite_number(&mut self, text: &str, typed: &Expression) -> Result<f64, Error> {
        let (number, _) = self.measure(text, typed)?;
        if number.is_finite() {
            return Ok(number);
        }
        let message = format!("`{}` is not a finite number", typed.span.of(text));
        Err(fail(
            typed.span,
            message,
            "as in `NAME = 2 in 0..10 by 0.5`",
        ))
    }
}

/// Refuses a range that does not go up or does not contain the data of its leaf, which has this label, and a step that is
/// not between 0 and the length of the range.
fn check_range(
    text: &str,
    binding: &Binding,
    bounds: &Bounds,
    range: &LeafRange,
    data: f64,
    label: impl Fn() -> String,
) -> Result<(), Error> {
    let name = binding.targets[0].name;
    let value = binding.values[0].expression.span;
    let typed = value.of(text);
    let [low, high] = bounds.ends.each_ref().map(|end| end.span);
    let (from, to) = (low.of(text), high.of(text));
    if range.low >= range.high {
        let message = format!("the range goes from `{from}` to `{to}`, which is not more");
        let help = if range.low > range.high {
            format!("a range goes up: `{name} = {typed} in {to}..{from}`")
        } else {
            "its ends differ, as in `NAME = 2 in 0..10`".to_owned()
        };
        return Err(fail(low.to(high), message, help));
    }
    if !(range.low..=range.high).contains(&data) {
        let item = label();
        let message =
            format!("`{item}` begins at {data}, which is not between `{from}` and `{to}`");
        let near = if data < range.low { from } else { to };
        let help = if item == name {
            format!("a range holds the number: `{name} = {near} in {from}..{to}`")
        } else {
            "a range holds each number of a list, as in `NAME = [2, 3] in 0..10`".to_owned()
        };
        return Err(fail(value.to(low.to(high)), message, help));
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
    Ok(())
}

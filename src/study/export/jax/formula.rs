//! Formulas of the program: their texts, how tightly these bind, and how each operation is written.
//!
//! Which operations there are is the business of the table in `ops`; here their texts are put together.

use crate::ops::{Dialect, Op, TABLE};

/// How tightly the outermost operator of a text binds.
pub(super) type Tightness = u8;
pub(super) const SUM: Tightness = 0;
pub(super) const PRODUCT: Tightness = 1;
pub(super) const POWER: Tightness = 2;
pub(super) const ATOM: Tightness = 3;

/// A formula.
#[derive(Clone, Debug)]
pub(super) struct Formula {
    pub text: String,
    pub binding: Tightness,
}

impl Formula {
    pub(super) fn atom(text: impl Into<String>) -> Formula {
        Formula {
            text: text.into(),
            binding: ATOM,
        }
    }

    /// As an operand of what binds so tightly.
    pub(super) fn within(&self, binding: Tightness) -> String {
        if self.binding < binding {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}

/// How each operation is written.
pub(super) struct Templates(Vec<Option<String>>);

impl Templates {
    pub(super) fn new() -> Templates {
        Templates(TABLE.iter().map(|op| Dialect::Jax.value(op)).collect())
    }

    /// How an operation is written over `x`, `y` and `z`, or over the list `a`.
    pub(super) fn of(&self, op: &'static Op) -> Option<&str> {
        self.0[op.index()].as_deref()
    }

    /// Does an operation choose between its second and its third operand by the first?
    pub(super) fn chooses(&self, op: &'static Op) -> bool {
        self.of(op) == Some("jnp.where(x != 0, y, z)")
    }
}

/// How an operation of any number of operands is written between two.
pub(super) fn pair(op: &Op, count: usize) -> Option<&'static str> {
    Dialect::Jax.between_two(op).filter(|_| count == 2)
}

/// A whole exponent as a whole number: JAX multiplies then.
pub(super) fn exponent(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 100.0 && number >= 0.0 {
        format!("{number}")
    } else {
        Dialect::Jax.literal(number)
    }
}

/// The operand at which a text has infinite derivatives, or none, at some points.
pub(super) fn delicate(template: &str) -> Option<usize> {
    const CALLS: &[&str] = &["jnp.log", "jnp.sqrt", "jnp.cbrt", "rsqrt("];
    match template {
        "x / y" => Some(1),
        "1 / x" | "x**y" => Some(0),
        _ => CALLS
            .iter()
            .any(|call| template.starts_with(call))
            .then_some(0),
    }
}

/// How tightly a text binds, and how tightly its operands have to.
pub(super) fn bindings(template: &str) -> (Tightness, [Tightness; 2]) {
    match template {
        "x + y" | "x - y" => (SUM, [SUM, PRODUCT]),
        "x * y" | "x / y" => (PRODUCT, [PRODUCT, POWER]),
        "1 / x" | "-x" => (PRODUCT, [POWER, POWER]),
        "x**y" | "x**2" | "x**3" => (POWER, [ATOM, ATOM]),
        _ if template.starts_with('(') => (PRODUCT, [SUM, SUM]),
        _ if template.contains("**") || template.contains("!=") => (ATOM, [ATOM, SUM]),
        _ => (ATOM, [SUM, SUM]),
    }
}

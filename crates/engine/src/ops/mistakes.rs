//! Famous mistakes about one operation, for `:wrong`: what a wrong line of code computes in place of a row's value or
//! derivative.
//!
//! Mistakes about the pass itself (its order, what it adds) name no operation; they are in `study/wrong.rs`.

/// The description of a famous mistake.
#[derive(Debug)]
pub struct Lesson {
    /// Its name in `:wrong NAME`: `overwrite`.
    pub rule: &'static str,
    /// One line: what the code does.
    pub summary: &'static str,
    /// Where it goes wrong, as read after "it goes wrong where".
    pub needs: &'static str,
    /// The lines of code as they should be.
    pub right: &'static str,
    /// The lines that make the mistake.
    pub wrong: &'static str,
    /// A script on which it goes wrong; the last name in it is the root.
    pub example: &'static [&'static str],
}

/// A mistake about one operation.
#[derive(Debug)]
pub struct Mistake {
    /// Its description.
    pub lesson: Lesson,
    /// The name of the row.
    pub operation: &'static str,
    /// The value it computes, if the value is wrong too.
    pub value: Option<fn(&[f64]) -> f64>,
    /// The number it multiplies the upstream with, from all operands, the position of one, and `out`.
    pub local: fn(&[f64], usize, f64) -> f64,
    /// The number it adds to that, where a bracket is missing.
    pub added: Option<f64>,
}

/// Every mistake about one operation.
pub static MISTAKES: &[Mistake] = &[
    Mistake {
        lesson: Lesson {
            rule: "subadd",
            summary: "a minus is differentiated as a plus",
            needs: "something is subtracted that depends on a leaf",
            right: "other.grad += -1.0 * out.grad",
            wrong: "other.grad += 1.0 * out.grad",
            example: &["a, b = 5, 3", "L = a - b"],
        },
        operation: "subtraction",
        value: None,
        local: |_, _, _| 1.0,
        added: None,
    },
    Mistake {
        lesson: Lesson {
            rule: "parenthesis",
            summary: "tanh passes on 1 - t^2*g instead of (1 - t^2)*g",
            needs: "a tanh has an upstream other than 1",
            right: "self.grad += (1 - t**2) * out.grad",
            wrong: "self.grad += 1 - t**2 * out.grad",
            example: &["x = 0.5", "y = 3*tanh(x)"],
        },
        operation: "tanh",
        value: None,
        local: |_, _, out| -(out * out),
        added: Some(1.0),
    },
    Mistake {
        lesson: Lesson {
            rule: "naivetanh",
            summary: "tanh from exp(2x), its derivative from 1 - t^2",
            needs: "a tanh is saturated (from about 6 on it loses digits)",
            right: "t, e = math.tanh(x), math.exp(-2 * abs(x))\nself.grad += 4 * e / (1 + e)**2 * out.grad",
            wrong: "t = (math.exp(2 * x) - 1) / (math.exp(2 * x) + 1)\nself.grad += (1 - t**2) * out.grad",
            example: &["x = 20", "y = tanh(x)"],
        },
        operation: "tanh",
        value: Some(|operands| {
            let e = (2.0 * operands[0]).exp();
            (e - 1.0) / (e + 1.0)
        }),
        local: |_, _, out| 1.0 - out * out,
        added: None,
    },
];

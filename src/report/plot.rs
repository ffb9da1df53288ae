//! Curves ready to be drawn: points, and what is to be marked on them.
//!
//! No axes, ticks or pixels: a view finds room for it. All curves of a plot have their points at the same places.

/// One or more curves over the same stretch.
#[derive(Clone, Debug, Default)]
pub struct Plot {
    /// What goes to the right: the name of the leaf, or `step`.
    pub across: String,
    /// From where to where it goes.
    pub range: (f64, f64),
    /// The curves, in the order they were asked for.
    pub curves: Vec<Curve>,
    /// Where the leaf stands now, and the tangents there.
    pub present: Vec<Tangent>,
    /// Upwards go powers of ten: all values are above zero.
    pub logarithmic: bool,
    /// It stands beside other things, and is smaller on a terminal.
    pub small: bool,
}

/// A curve.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// What it is called: the expression as it was typed.
    pub label: String,
    /// What that stands for, where the label is only a name: `3*x^2 - 4*x + 5`; else empty.
    pub formula: String,
    /// Its points, from left to right; NaN where there is no value.
    pub points: Vec<(f64, f64)>,
    /// The points that are not joined with the one before: there is a jump or a pole between.
    pub breaks: Vec<usize>,
}

/// Where a curve is now, and how steep.
#[derive(Clone, Debug)]
pub struct Tangent {
    /// Whose: a place among the curves.
    pub curve: usize,
    /// Where the leaf stands.
    pub at: f64,
    /// The value there.
    pub value: f64,
    /// The derivative there.
    pub slope: f64,
}

impl Curve {
    /// The stretches that are drawn in one go: values throughout, and no break between.
    pub fn stretches(&self) -> Vec<&[(f64, f64)]> {
        let mut found = Vec::new();
        let mut start = 0;
        let mut breaks = self.breaks.iter().copied().peekable();
        for (at, (_, y)) in self.points.iter().enumerate() {
            let broken = breaks.next_if_eq(&at).is_some();
            if broken && start < at {
                found.push(&self.points[start..at]);
                start = at;
            }
            if !y.is_finite() {
                if start < at {
                    found.push(&self.points[start..at]);
                }
                start = at + 1;
            }
        }
        if start < self.points.len() {
            found.push(&self.points[start..]);
        }
        found
    }
}

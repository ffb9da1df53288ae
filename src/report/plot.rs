//! Curves ready to be drawn: points, and what is to be marked on them.
//!
//! No axes, ticks or pixels: a view finds room for it.

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
}

/// A curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// What it is called: the expression as it was typed.
    pub label: String,
    /// Its points, from left to right; NaN where there is no value.
    pub points: Vec<(f64, f64)>,
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

//! Curves ready to be drawn: points, and what is marked on them.
//!
//! It contains no axes, ticks or pixels; those are up to the views. Connected curves of a plot have points at the same
//! places; dots may be anywhere.

/// One or more curves over the same range.
#[derive(Clone, Debug, Default)]
pub struct Plot {
    /// The label of the horizontal axis: the name of the leaf, or `step`.
    pub across: String,
    /// The range of the horizontal axis.
    pub range: (f64, f64),
    /// The curves, in the order they were given.
    pub curves: Vec<Curve>,
    /// The present value of the leaf, and the tangents there.
    pub present: Vec<Tangent>,
    /// The vertical axis is logarithmic: all values are positive.
    pub logarithmic: bool,
    /// The plot stands beside other things, so a terminal draws it smaller.
    pub small: bool,
    /// A second plot, drawn below over the same range: residuals.
    pub below: Option<Box<Plot>>,
}

/// Parts of a whole, drawn as bars.
#[derive(Clone, Debug, Default)]
pub struct Bars {
    /// What they are parts of.
    pub title: String,
    /// Each part with its label; a part may be below 0.
    pub parts: Vec<(String, f64)>,
}

/// A curve: its label and its points.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// The label: the expression as typed.
    pub label: String,
    /// The formula behind the label if that is only a name: `3*x^2 - 4*x + 5`; otherwise empty.
    pub formula: String,
    /// The points are drawn as dots, which nothing connects: data.
    pub dots: bool,
    /// The points, those of a connected curve from left to right; NaN if there is no value.
    pub points: Vec<(f64, f64)>,
    /// The indices of points that are not connected to the one before, because there is a jump or a pole between them.
    pub breaks: Vec<usize>,
}

/// The present point of a curve and its slope.
#[derive(Clone, Debug)]
pub struct Tangent {
    /// The index of the curve.
    pub curve: usize,
    /// The present value of the leaf.
    pub at: f64,
    /// The value of the curve there.
    pub value: f64,
    /// The derivative of the curve there.
    pub slope: f64,
}

impl Plot {
    /// The numbers of the curves that are connected.
    pub fn connected(&self) -> impl Iterator<Item = usize> {
        let curves = self.curves.iter().enumerate();
        curves
            .filter(|(_, curve)| !curve.dots)
            .map(|(number, _)| number)
    }
}

impl Curve {
    /// The parts that are drawn without interruption: finite values without a break between them.
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

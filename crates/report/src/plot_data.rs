//! Makes the facts of a plot for JSON, and the table of its points for other programs.

use super::{Cell, Curve, DataSheet, Fact, Facts, Plot, PlotMap, PresentPoint, Tangent};

impl Plot {
    /// Each curve with its points, the present value of the leaf, the axes, and the map below if there is one.
    pub fn facts(&self) -> Facts {
        let mut facts = vec![
            ("across", self.across.as_str().into()),
            ("range", self.range.into()),
            ("curves", self.curves.iter().map(Curve::fact).collect()),
            ("present", self.present.iter().map(Tangent::fact).collect()),
            ("logarithmic", self.up_scale.is_logarithmic().into()),
            (
                "logarithmic_across",
                self.across_scale.is_logarithmic().into(),
            ),
        ];
        facts.extend(self.dates.map(|dates| ("since", dates.text(0.0).into())));
        if !self.upwards.is_empty() {
            facts.push(("upwards", self.upwards.as_str().into()));
        }
        facts.extend(self.up_range.map(|up| ("up", up.into())));
        facts.extend(self.map.iter().map(|map| ("map", map.fact())));
        if let Some(below) = &self.below {
            let mut parts = vec![("kind", "plot".into())];
            parts.extend(below.facts());
            facts.push(("below", parts.into()));
        }
        facts
    }

    /// The points as a table from left to right: a column for the horizontal axis and one for each curve, with its
    /// uncertainties in a column behind it if it has any. Curves that have points at the same place share a row. Programs
    /// find a column by its heading, so no two are the same.
    pub fn sheet(&self) -> DataSheet {
        if let Some(map) = &self.map {
            return map.sheet(&self.across, &self.upwards);
        }
        if let [bars] = &self.curves[..]
            && !bars.edges.is_empty()
        {
            return bars.bins_sheet(&self.across);
        }
        let below = self.below.iter().flat_map(|below| &below.curves);
        let mut titles = vec![self.across.clone()];
        let mut cells: Vec<PointCell> = Vec::new();
        let mut add = |x, column, number| cells.push(PointCell { x, column, number });
        for curve in self.curves.iter().chain(below) {
            let column = titles.len();
            let title = unused_title(&titles, &curve.label);
            for &(x, number) in &curve.points {
                add(x, column, number);
            }
            let of_sigma = (!curve.deviations.is_empty()).then(|| format!("{title} sigma"));
            titles.push(title);
            titles.extend(of_sigma);
            for (&(x, _), &deviation) in curve.points.iter().zip(&curve.deviations) {
                add(x, column + 1, deviation);
            }
        }
        let rows = rows_by_place(cells, titles.len());
        DataSheet::of_rows(titles, rows)
    }
}

/// The label of a curve, with a number if a column has this title already: `x^2 (2)`.
fn unused_title(titles: &[String], label: &str) -> String {
    let numbered = (2..).map(|number| format!("{label} ({number})"));
    let mut choices = std::iter::once(label.to_string()).chain(numbered);
    let unused = choices.find(|title| !titles.contains(title));
    unused.expect("the numbers do not end")
}

/// A number of a curve at a place of the horizontal axis, for a column of a table.
struct PointCell {
    x: f64,
    column: usize,
    number: f64,
}

/// The rows of a table, from left to right. If a curve has several points at a place, the place has several rows.
fn rows_by_place(mut cells: Vec<PointCell>, columns: usize) -> Vec<Vec<Cell>> {
    cells.sort_by(|one, other| one.x.total_cmp(&other.x));
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for place in cells.chunk_by(|one, other| one.x.to_bits() == other.x.to_bits()) {
        // The next free row of each column.
        let mut next = vec![rows.len(); columns];
        for cell in place {
            let row = &mut next[cell.column];
            if *row == rows.len() {
                let mut empty = vec![Cell::Empty; columns];
                empty[0] = Cell::Number(cell.x);
                rows.push(empty);
            }
            rows[*row][cell.column] = Cell::Number(cell.number);
            *row += 1;
        }
    }
    rows
}

impl PlotMap {
    /// The places, the values as a list for each row from the bottom up, and the points and lines on the map.
    fn fact(&self) -> Fact {
        let rows = self.values.chunks(self.columns.len().max(1));
        let present = self.present.as_ref().map(PresentPoint::fact);
        Fact::Record(vec![
            ("label", self.label.as_str().into()),
            ("columns", self.columns.iter().copied().collect()),
            ("rows", self.rows.iter().copied().collect()),
            ("values", Fact::rows(rows.map(|row| row.iter().copied()))),
            ("logarithmic", self.level_scale.is_logarithmic().into()),
            ("present", present.into()),
            ("path", Fact::points(&self.path)),
            ("boundary", self.boundary.into()),
        ])
    }

    /// A column for each of the two leaves, and one for the values.
    fn sheet(&self, across: &str, up: &str) -> DataSheet {
        let rows = self.rows.iter();
        let places = rows.flat_map(|y| self.columns.iter().map(move |x| [*x, *y]));
        let points = places.zip(&self.values);
        let cells = points.map(|([x, y], value)| [x, y, *value].map(Cell::Number).into());
        DataSheet::of_rows([across, up, &self.label], cells.collect())
    }
}

impl Curve {
    /// The bars of a histogram as a table: the ends of each bar, and its height.
    fn bins_sheet(&self, across: &str) -> DataSheet {
        let bins = self.edges.windows(2).zip(&self.points);
        let row = |(bin, point): (&[f64], &(f64, f64))| [bin[0], bin[1], point.1];
        let rows = bins.map(|bin| row(bin).map(Cell::Number).into()).collect();
        let titles = [
            format!("{across} from"),
            format!("{across} to"),
            self.label.clone(),
        ];
        DataSheet::of_rows(titles, rows)
    }

    fn fact(&self) -> Fact {
        let mut facts = vec![
            ("label", self.label.as_str().into()),
            ("points", Fact::points(&self.points)),
            ("breaks", self.breaks.iter().copied().collect()),
            ("dots", self.has_dots.into()),
        ];
        for (name, numbers) in [
            ("sigma", &self.deviations),
            ("sigma_across", &self.deviations_across),
            ("edges", &self.edges),
        ] {
            if !numbers.is_empty() {
                facts.push((name, numbers.iter().copied().collect()));
            }
        }
        facts.into()
    }
}

impl Tangent {
    fn fact(&self) -> Fact {
        Fact::Record(vec![
            ("curve", self.curve.into()),
            ("at", self.at.into()),
            ("value", self.value.into()),
            ("slope", self.slope.into()),
        ])
    }
}

impl PresentPoint {
    fn fact(&self) -> Fact {
        Fact::Record(vec![
            ("at", self.at.into()),
            ("value", self.value.into()),
            ("grad", self.grad.into()),
        ])
    }
}

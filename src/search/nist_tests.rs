//! Least squares and descent without a session, against certified values of NIST's reference data.

use super::bfgs::{GTOL, PointKind, SearchPoint, descend};
use super::least_squares::{NearestPoint, Residuals, SearchEnd, in_trust_region};
use super::linear::norm;

/// The value of a model at these parameters and this x, and its derivatives by the parameters.
type Model = fn(&[f64], f64) -> (f64, Vec<f64>);

/// Models of NIST's problems, each with derivatives worked out by hand.
const MODELS: &[(&str, Model)] = &[
    ("Misra1a", |b, x| {
        let decay = (-b[1] * x).exp();
        (b[0] * (1.0 - decay), vec![1.0 - decay, b[0] * x * decay])
    }),
    ("DanWood", |b, x| {
        let power = x.powf(b[1]);
        (b[0] * power, vec![power, b[0] * power * x.ln()])
    }),
    ("MGH17", |b, x| {
        let (one, other) = ((-b[3] * x).exp(), (-b[4] * x).exp());
        let slopes = vec![1.0, one, other, -b[1] * x * one, -b[2] * x * other];
        (b[0] + b[1] * one + b[2] * other, slopes)
    }),
    ("MGH09", mgh09),
    ("Eckerle4", eckerle4),
];

fn mgh09(b: &[f64], x: f64) -> (f64, Vec<f64>) {
    let (top, bottom) = (x * x + x * b[1], x * x + x * b[2] + b[3]);
    let value = b[0] * top / bottom;
    let slopes = vec![
        top / bottom,
        b[0] * x / bottom,
        -value * x / bottom,
        -value / bottom,
    ];
    (value, slopes)
}

fn eckerle4(b: &[f64], x: f64) -> (f64, Vec<f64>) {
    let distance = (x - b[2]) / b[1];
    let bell = (-0.5 * distance * distance).exp() / b[1];
    let value = b[0] * bell;
    let by_width = value * (distance * distance - 1.0) / b[1];
    (value, vec![bell, by_width, value * distance / b[1]])
}

/// The problems that descent solves. In the others the sizes of the parameters differ too much for it.
const DESCENT: &[&str] = &["DanWood", "MGH09", "Eckerle4"];

struct Problem {
    name: &'static str,
    model: Model,
    starts: Vec<Vec<f64>>,
    certified: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
    rows: Vec<f64>,
}

impl Problem {
    fn all() -> Vec<Problem> {
        let problems = MODELS.iter();
        problems
            .map(|(name, model)| Problem::read(name, *model))
            .collect()
    }

    /// Reads a problem from the file of NIST's data.
    fn read(name: &'static str, model: Model) -> Problem {
        let text = include_str!("../../tests/reference/nist.txt");
        let (_, from_name) = text
            .split_once(&format!("\n{name}\n"))
            .expect("it is there");
        let paragraph = from_name.split("\n\n").next().expect("it has lines");
        let lines = |word: &str| -> Vec<Vec<f64>> {
            let label = format!("{word} ");
            let lines = paragraph.lines().filter(|line| line.starts_with(&label));
            lines.map(numbers).collect()
        };
        Problem {
            name,
            model,
            starts: lines("start"),
            certified: lines("certified").concat(),
            x: lines("x").concat(),
            y: lines("y").concat(),
            rows: Vec::new(),
        }
    }

    /// Returns half the sum of squares at a point, and its slopes.
    fn half_of_squares(&mut self, x: Vec<f64>) -> SearchPoint {
        let residuals = self.values(&x);
        let mut slopes = vec![0.0; x.len()];
        for (row, residual) in self.rows.chunks(x.len()).zip(&residuals) {
            for (slope, part) in slopes.iter_mut().zip(row) {
                *slope += part * residual;
            }
        }
        SearchPoint {
            x,
            value: 0.5 * norm(&residuals).powi(2),
            slopes,
            excess: Vec::new(),
            missing: Vec::new(),
            excess_slopes: Vec::new(),
        }
    }

    fn assert_found(&self, found: &[f64], digits: f64) {
        for (found, certified) in found.iter().zip(&self.certified) {
            let off = (found / certified - 1.0).abs();
            assert!(off < digits, "{}: {found} for {certified}", self.name);
        }
    }
}

/// Returns the numbers of a line after its first word.
fn numbers(line: &str) -> Vec<f64> {
    let words = line.split(' ').skip(1);
    words.map(|word| word.parse().expect("a number")).collect()
}

impl Residuals for Problem {
    fn values(&mut self, point: &[f64]) -> Vec<f64> {
        let models = self.x.iter().map(|x| (self.model)(point, *x));
        let (values, rows): (Vec<f64>, Vec<Vec<f64>>) = models.unzip();
        self.rows = rows.concat();
        let pairs = values.iter().zip(&self.y);
        pairs.map(|(value, y)| value - y).collect()
    }

    fn rows(&mut self) -> Vec<f64> {
        self.rows.clone()
    }

    fn bounds(&self) -> &[(f64, f64)] {
        &[]
    }
}

#[test]
fn least_squares_find_certified_parameters() {
    for mut problem in Problem::all() {
        for start in problem.starts.clone() {
            let start = NearestPoint::at(&mut problem, &start);
            let watch = &mut |_, _, _: &[f64]| true;
            let found = in_trust_region(&mut problem, &start, 2.0, 1_000, watch);
            assert_eq!(found.end, SearchEnd::Settled, "{}", problem.name);
            problem.assert_found(&found.point, 1e-8);
        }
    }
}

#[test]
fn descent_finds_certified_parameters() {
    for mut problem in Problem::all() {
        if !DESCENT.contains(&problem.name) {
            continue;
        }
        let start = problem.starts[1].clone();
        let mut half_of_squares = |x| problem.half_of_squares(x);
        let (found, kind) = descend(&mut half_of_squares, &start, GTOL, false, &mut |_| true);
        assert_eq!(kind, PointKind::Flat, "{}", problem.name);
        problem.assert_found(&found.x, 1e-5);
    }
}

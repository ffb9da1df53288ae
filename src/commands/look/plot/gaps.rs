//! The note on a curve that is finite almost nowhere, and so almost invisible: how much is missing, and which range
//! would show it.
//!
//! A curve without any finite value does not come here: the command refuses it, or has a note without a range.

use std::ops::Range;
use std::rc::Rc;

use crate::graph::Node;
use crate::report::{Curve, Line, Note, Plot, say};
use crate::session::{Error, Session};
use crate::syntax;

/// A curve that is finite on less than this part of the range is hardly visible: two columns of eighty.
const SEEN: f64 = 1.0 / 40.0;
/// A range is proposed if the curve is finite on at least this part of it.
const WORTH: f64 = 1.0 / 4.0;
/// The powers of two between which the radius of a range around a single place is searched.
const POWERS: Range<i32> = -1000..1023;
/// A range narrower than a number by this many powers of two has too few doubles in it.
const FINEST: i32 = 40;

/// The note on a curve over a leaf, if there is one.
pub(crate) fn remark(
    session: &Session,
    (root, leaf): (&Rc<Node>, &Rc<Node>),
    curve: &Curve,
    across: &str,
    range: (f64, f64),
) -> Result<Option<Note>, Error> {
    let points = &curve.points;
    let Some(stretch) = longest(points).filter(|_| share(points, range) < SEEN) else {
        return Ok(None);
    };
    let shown = if stretch.0 < stretch.1 {
        Some(stretch)
    } else {
        around(session, (root, leaf), stretch.0, range)?
    };
    let line = counted(curve);
    let Some(shown) = shown else {
        return Ok(Some(Note::new(line)));
    };
    let [from, to] = rounded(shown).map(|end| syntax::literal(end, false));
    Ok(Some(Note::new(say!(
        "{}; it can be seen with `{}={}..{}`",
        line,
        across,
        from,
        to
    ))))
}

/// The note on points that a logarithmic axis leaves out, if there are any.
pub(crate) fn remark_on_logarithms(plot: &Plot) -> Option<Note> {
    if !(plot.logarithmic || plot.logarithmic_across) {
        return None;
    }
    let left = |&&(x, y): &&(f64, f64)| {
        (plot.logarithmic && y <= 0.0) || (plot.logarithmic_across && x <= 0.0)
    };
    let points = plot.curves.iter().flat_map(|curve| &curve.points);
    let finite = points.filter(|(_, y)| y.is_finite());
    let (count, all) = (finite.clone().filter(left).count(), finite.count());
    (count > 0).then(|| {
        let what = if count == 1 { "is" } else { "are" };
        Note::new(say!(
            "{} of {} points {} not above 0, where a logarithmic axis has no place",
            count,
            all,
            what
        ))
    })
}

/// The note on values over steps, if there is one.
pub(crate) fn remark_on_steps(curve: &Curve) -> Option<Note> {
    let values = curve.points.iter().map(|(_, value)| value);
    let finite = values.filter(|value| value.is_finite()).count();
    let few = (finite as f64) < SEEN * curve.points.len() as f64;
    (finite > 0 && few).then(|| Note::new(counted(curve)))
}

fn counted(curve: &Curve) -> Line {
    let all = curve.points.len();
    let missing = curve.points.iter().filter(|(_, y)| !y.is_finite()).count();
    let places = format!("{missing} of {all} places");
    say!("{:formula} is not finite at {}", &curve.label, places)
}

/// The maximal intervals of places with finite values.
fn stretches(points: &[(f64, f64)]) -> impl Iterator<Item = (f64, f64)> {
    let runs = points.split(|(_, value)| !value.is_finite());
    runs.filter_map(|run| Some((run.first()?.0, run.last()?.0)))
}

/// Half the length of a range; the whole may be beyond the largest number.
fn half((from, to): (f64, f64)) -> f64 {
    to / 2.0 - from / 2.0
}

fn longest(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    stretches(points).max_by(|one, other| half(*one).total_cmp(&half(*other)))
}

/// The part of a range that has finite values.
fn share(points: &[(f64, f64)], range: (f64, f64)) -> f64 {
    stretches(points).map(half).sum::<f64>() / half(range)
}

/// The longest interval around a single place in which the curve is finite, up to a factor of two. Found by bisection
/// of the exponent, because it may be hundreds of powers of ten smaller than the range.
fn around(
    session: &Session,
    (root, leaf): (&Rc<Node>, &Rc<Node>),
    place: f64,
    range: (f64, f64),
) -> Result<Option<(f64, f64)>, Error> {
    let exponent = |size: f64| size.log2().floor() as i32;
    let mut low = POWERS
        .start
        .max(exponent(place.abs()).saturating_sub(FINEST));
    let mut high = POWERS.end.min(exponent(half(range)) + 1);
    let mut found = None;
    while low < high {
        // Must round down for negative numbers too, or the loop would not end.
        let power = low + (high - low) / 2;
        let reach = 2_f64.powi(power);
        let near = ((place - reach).max(range.0), (place + reach).min(range.1));
        let sampled = crate::study::sample(session, &[Rc::clone(root)], leaf, near)?;
        let values = sampled.values.into_iter().flatten();
        let points: Vec<(f64, f64)> = sampled.places.into_iter().zip(values).collect();
        if share(&points, near) < WORTH {
            high = power;
        } else {
            found = longest(&points);
            low = power + 1;
        }
    }
    Ok(found)
}

/// An interval of about the same length whose ends have few digits.
fn rounded(stretch: (f64, f64)) -> [f64; 2] {
    // Two digits relative to the length are enough.
    let power = (half(stretch).log10() + 0.3).floor() as i32 - 1;
    [stretch.0, stretch.1].map(|end| {
        let text = format!("{:.0}e{power}", end / 10_f64.powi(power));
        let short = text.parse().ok();
        let short = short.filter(|_| power > -300 && end.abs() < 1e15 * half(stretch));
        // Adding 0 turns `-0` into `0`.
        short.unwrap_or(end) + 0.0
    })
}

//! Notes on what a picture does not show: places without a finite value, and values that a logarithmic axis has no place
//! for.
//!
//! A curve without any finite value does not come here: the command refuses it, or has a note of its own.

use crate::report::{Curve, Note, Plot, say};

/// A curve that is finite on less than this part of the range is hardly visible: two columns of eighty.
const SEEN: f64 = 1.0 / 40.0;

/// The note on a curve that is hardly visible.
pub(crate) fn remark(curve: &Curve, range: (f64, f64)) -> Option<Note> {
    let share = share(&curve.points, range);
    (share.is_some_and(|share| share < SEEN)).then(|| counted(curve))
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
    (finite > 0 && few).then(|| counted(curve))
}

fn counted(curve: &Curve) -> Note {
    let all = curve.points.len();
    let missing = curve.points.iter().filter(|(_, y)| !y.is_finite()).count();
    let places = format!("{missing} of {all} places");
    Note::new(say!("{:formula} is not finite at {}", &curve.label, places))
}

/// The part of a range in which a curve has finite values; none if it has none.
fn share(points: &[(f64, f64)], range: (f64, f64)) -> Option<f64> {
    // Half of each length: the whole may be beyond the largest number.
    let half = |(from, to): (f64, f64)| to / 2.0 - from / 2.0;
    let runs = points.split(|(_, value)| !value.is_finite());
    let stretches = runs.filter_map(|run| Some(half((run.first()?.0, run.last()?.0))));
    let share = stretches.reduce(|sum, length| sum + length)?;
    Some(share / half(range))
}

//! Sparklines: numbers shown as one line of blocks, from the lowest to the highest.
//!
//! A number that is not finite leaves a gap. A sparkline shows the shape of a curve; the values stand beside it.

/// The blocks from the lowest to the highest.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Stands for NaN and infinities.
const GAP: char = ' ';

/// Positive numbers whose ratio exceeds this are shown on a logarithmic scale. On a linear scale a falling loss would
/// be one high block and then only low ones.
const SPAN: f64 = 1e3;
/// Says that the scale is logarithmic.
const LOGARITHMS: &str = " (log)";

/// The sparkline of the numbers in at most `columns` columns, evenly sampled, including the first and the last number.
pub(crate) fn text(values: &[f64], columns: usize) -> String {
    let finite = || values.iter().filter(|value| value.is_finite());
    let positive = finite().all(|value| *value > 0.0);
    let least = finite().copied().fold(f64::INFINITY, f64::min);
    if !positive || !finite().any(|value| value / SPAN > least) {
        return line(values, |value| value, columns);
    }
    let columns = columns.saturating_sub(LOGARITHMS.len());
    line(values, f64::ln, columns) + LOGARITHMS
}

/// The sparkline of the scaled numbers; `scale` must be increasing.
fn line(values: &[f64], scale: fn(f64) -> f64, columns: usize) -> String {
    let finite = |value: &f64| value.is_finite();
    let least = values.iter().copied().filter(finite).reduce(f64::min);
    let most = values.iter().copied().filter(finite).reduce(f64::max);
    let (Some(least), Some(most)) = (least, most) else {
        return String::new();
    };
    let (least, most) = (scale(least), scale(most));
    // Halved, because the difference itself may exceed the largest double.
    let half_range = most / 2.0 - least / 2.0;
    let block = |value: f64| {
        if !value.is_finite() {
            return GAP;
        }
        let share = if half_range > 0.0 {
            (value / 2.0 - least / 2.0) / half_range
        } else {
            0.0
        };
        BLOCKS[((share * BLOCKS.len() as f64) as usize).min(BLOCKS.len() - 1)]
    };
    let count = values.len().min(columns);
    let place = |column: usize| column * (values.len() - 1) / (count - 1).max(1);
    let text: String = (0..count)
        .map(|column| block(scale(values[place(column)])))
        .collect();
    text.trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let many: Vec<f64> = (0..=800).map(f64::from).collect();
        let cases: &[(&[f64], usize, &str)] = &[
            (&[0.0, 7.0], 40, "▁█"),
            (&[7.0, 4.0, 2.0, 1.0, 0.0], 40, "█▅▃▂▁"),
            (&[1.0, f64::NAN, 0.0, f64::INFINITY], 40, "█ ▁"),
            (&[3.0, 3.0, 3.0], 40, "▁▁▁"),
            (&[f64::MAX, f64::MIN], 40, "█▁"),
            (&[5e-324, 0.0], 40, "▁▁"),
            (&many, 8, "▁▂▃▄▅▆▇█"),
            (&many, 1, "▁"),
            (&[1e4, 1e2, 1.0], 40, "█▅▁ (log)"),
            (&[1e4, 1e2, 0.0], 40, "█▁▁"),
            (&[1e4, f64::NAN, -1.0], 40, "█ ▁"),
            (&[f64::NAN], 40, ""),
            (&[], 40, ""),
        ];
        for (values, columns, expected) in cases {
            assert_eq!(text(values, *columns), *expected, "{values:?}");
        }
    }
}

//! A film as one SVG that plays itself: a style sheet shows each version of a shape while its frames last.
//!
//! There is no script. Where nothing moves (on paper, in a reader without animations, for a person who wants less
//! motion), the last frame is shown.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::svg;
use crate::view::picture::film::Film;
use crate::view::picture::shapes::SceneShape;

/// Frames: the first, and the one after the last.
type Stretch = (usize, usize);

/// The content of a file.
pub(crate) fn write(film: &Film) -> String {
    let mut shapes = String::new();
    let mut stretches = BTreeSet::new();
    for versions in film.versions() {
        match versions[..] {
            [(_, shape)] => svg::shape(shape, &mut shapes),
            // What a group is called does not move.
            [.., (_, open @ SceneShape::Open(_))] => svg::shape(open, &mut shapes),
            _ => {
                let ends = versions.iter().skip(1).map(|(from, _)| *from);
                let ends = ends.chain([film.frames()]);
                for ((from, shape), end) in versions.iter().zip(ends) {
                    version(film, (*from, end), shape, &mut shapes);
                    stretches.insert((*from, end));
                }
            }
        }
    }
    let mut out = svg::head(&film.first, &rules(film, &stretches));
    out.push_str(&shapes);
    out.push_str("</svg>\n");
    out
}

/// A shape that is there for some frames.
fn version(film: &Film, stretch: Stretch, shape: &SceneShape, out: &mut String) {
    if matches!(shape, SceneShape::Text(text) if text.text.trim().is_empty()) {
        return;
    }
    let hidden = if stretch.1 < film.frames() {
        " visibility=\"hidden\""
    } else {
        ""
    };
    let name = name(film, stretch);
    let _ = writeln!(out, "<g class=\"frames {name}\"{hidden}>");
    svg::shape(shape, out);
    out.push_str("</g>\n");
}

/// What frames are called: `frames-2-5-of-8`, which are shown at the same times in every film of 8 frames, for a page
/// may have several.
fn name(film: &Film, (from, end): Stretch) -> String {
    format!("frames-{from}-{end}-of-{}", film.frames())
}

/// The rules that make it play.
fn rules(film: &Film, stretches: &BTreeSet<Stretch>) -> String {
    let mut out = String::from("@media screen and (prefers-reduced-motion:no-preference){\n");
    let seconds = film.seconds();
    let name = |stretch| name(film, stretch);
    for &stretch in stretches {
        let name = name(stretch);
        let _ = writeln!(
            out,
            ".chainrule .{name}{{animation:{name} {seconds}s step-end infinite}}"
        );
    }
    out.push_str("}\n");
    for &(from, end) in stretches {
        let _ = write!(out, "@keyframes {}{{", name((from, end)));
        let mut at = |frame: usize, looks: &str| {
            let percent = film.begin(frame) * 100.0;
            let _ = write!(out, "{percent:.4}%{{visibility:{looks}}}");
        };
        if from > 0 {
            at(0, "hidden");
        }
        at(from, "visible");
        if end < film.frames() {
            at(end, "hidden");
        }
        out.push_str("}\n");
    }
    out
}

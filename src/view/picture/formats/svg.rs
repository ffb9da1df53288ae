//! A picture as SVG: text that can be read, searched and styled, in light and in dark.
//!
//! Every shape carries its light colour as an attribute, for readers that know no style sheets or no custom properties;
//! the style sheet, which wins where it is understood, gives the same colours names and changes them on a dark screen.

use std::fmt::Write;

use crate::view::characters;
use crate::view::picture::shapes::letters;
use crate::view::picture::shapes::palette;
use crate::view::picture::shapes::palette::{Inks, Use};
use crate::view::picture::shapes::{
    Anchor, Contour, Ink, PathStep, Scene, SceneGroup, SceneShape, SceneText, Stroke,
};

/// How many parts of a pixel lengths are rounded to, in a file and in a page.
const HUNDREDTHS: f64 = 100.0;
const TENTHS: f64 = 10.0;

/// Longer texts, in columns, and those with wide letters say how long they are.
const LONG: usize = 8;

/// What has no class for its area has none.
const UNFILLED: &str = ".chainrule :is(rect,path,circle){fill:none}\n";

/// The content of a file.
pub(crate) fn write(scene: &Scene) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    begin(scene, "img", "", &mut out);
    SvgPen {
        out: &mut out,
        is_short: false,
    }
    .shapes(scene);
    out
}

/// The picture as an element of a page, with its style sheet. Its parts can be pointed at and change, so to a screen
/// reader it is a group, not one image.
pub(crate) fn embedded(scene: &Scene) -> String {
    let mut out = String::new();
    begin(scene, "group", UNFILLED, &mut out);
    SvgPen {
        out: &mut out,
        is_short: true,
    }
    .shapes(scene);
    out
}

/// The colours of a set of inks as custom properties: `--leaf:#127a6c;--leaf-fill:…`. A page sets them on `.chainrule`.
pub(crate) fn properties(inks: Inks) -> String {
    let mut out = String::new();
    for (name, ink, used) in palette::names() {
        let _ = write!(out, "--{name}:{};", palette::color(ink, used, inks));
    }
    out
}

/// Text between tags or in an attribute. Characters that XML forbids or that are invisible are spelled out: `\u{1b}`.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // A tip may have several lines.
            '\n' => out.push('\n'),
            '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => characters::push(c, &mut out),
        }
    }
    out
}

fn begin(scene: &Scene, role: &str, rules: &str, out: &mut String) {
    let [width, height] = [scene.width, scene.height].map(|length| Length {
        length,
        parts: HUNDREDTHS,
    });
    let title = escaped(&scene.title);
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chainrule\" role=\"{role}\" aria-label=\"{title}\" \
         width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"{}\">",
        letters::FONTS
    );
    let _ = writeln!(out, "<title>{title}</title>");
    if !scene.description.is_empty() {
        let _ = writeln!(out, "<desc>{}</desc>", escaped(&scene.description));
    }
    style(rules, out);
    let ground = palette::color(Ink::Ground, Use::Fill, Inks::Light);
    let _ = writeln!(
        out,
        "<rect class=\"ground f-ground\" width=\"{width}\" height=\"{height}\" fill=\"{ground}\"/>"
    );
}

/// The colours by name, and which shape has which.
fn style(rules: &str, out: &mut String) {
    let _ = writeln!(
        out,
        "<style>\n.chainrule{{{}color-scheme:light dark}}\n\
         @media (prefers-color-scheme:dark){{.chainrule{{{}}}}}\n\
         @media print{{.chainrule{{{}}}}}",
        properties(Inks::Light),
        properties(Inks::Dark),
        properties(Inks::Light)
    );
    for (name, ..) in palette::names() {
        let _ = write!(
            out,
            ".chainrule .f-{name}{{fill:var(--{name})}}.chainrule .s-{name}{{stroke:var(--{name})}}"
        );
    }
    out.push_str("\n.chainrule text{font-variant-ligatures:none;white-space:pre}\n");
    let _ = writeln!(out, "{rules}</style>");
}

/// Writes shapes.
struct SvgPen<'o> {
    out: &'o mut String,
    /// A page is read by a browser alone, and a large one has thousands of shapes: its paths go on from where they are,
    /// its lengths have one place, its colours come from the style sheet, and it has no line ends that a browser would
    /// make nodes of. Those after texts stay: they keep the words of a box apart.
    is_short: bool,
}

impl SvgPen<'_> {
    /// The shapes, and the end of the element.
    fn shapes(&mut self, scene: &Scene) {
        // A picture that forgets to close a group, or closes one too many, is still well-formed.
        let mut open = 0_usize;
        for shape in &scene.shapes {
            match shape {
                SceneShape::Open(_) => open += 1,
                SceneShape::Close if open == 0 => continue,
                SceneShape::Close => open -= 1,
                _ => {}
            }
            self.shape(shape);
        }
        for _ in 0..open {
            self.shape(&SceneShape::Close);
        }
        self.out.push_str("</svg>\n");
    }

    fn shape(&mut self, shape: &SceneShape) {
        match shape {
            SceneShape::Open(group) => self.group(group),
            SceneShape::Close => self.end("</g>"),
            SceneShape::Figure {
                contour,
                fill,
                line,
            } => {
                self.contour(contour);
                self.look(*fill, *line);
            }
            SceneShape::Text(text) => self.text(text),
        }
    }

    /// The end of what is no text.
    fn end(&mut self, tag: &str) {
        self.out.push_str(tag);
        if !self.is_short {
            self.out.push('\n');
        }
    }

    fn length(&self, length: f64) -> Length {
        Length {
            length,
            parts: if self.is_short { TENTHS } else { HUNDREDTHS },
        }
    }

    fn group(&mut self, group: &SceneGroup) {
        self.out.push_str("<g");
        for (name, text) in [("class", &group.class), ("data-key", &group.key)] {
            if !text.is_empty() {
                let _ = write!(self.out, " {name}=\"{}\"", escaped(text));
            }
        }
        self.out.push('>');
        if !group.tip.is_empty() {
            let _ = write!(self.out, "<title>{}</title>", escaped(&group.tip));
        }
        self.end("");
    }

    fn text(&mut self, text: &SceneText) {
        let [x, y, size] = [text.at.0, text.at.1, text.size].map(|it| self.length(it));
        let _ = write!(self.out, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"");
        match text.anchor {
            Anchor::Start => {}
            Anchor::Middle => self.out.push_str(" text-anchor=\"middle\""),
            Anchor::End => self.out.push_str(" text-anchor=\"end\""),
        }
        if text.bold {
            self.out.push_str(" font-weight=\"bold\"");
        }
        let words = &text.text;
        // A reader's font may be wider; numbers that a page changes have other lengths then.
        let changes = self.is_short && ["data", "grad"].contains(&text.part);
        let wide = characters::width(words);
        if !changes && (wide > LONG || wide > words.chars().count()) {
            let long = self.length(letters::width(words, text.size));
            let _ = write!(
                self.out,
                " textLength=\"{long}\" lengthAdjust=\"spacingAndGlyphs\""
            );
        }
        if words.starts_with(' ') || words.ends_with(' ') || words.contains("  ") {
            self.out.push_str(" xml:space=\"preserve\"");
        }
        let named = class('f', palette::name(text.ink, Use::Line));
        let part = Some(text.part.to_string()).filter(|part| !part.is_empty());
        self.classes(named.iter().cloned().chain(part));
        let color = palette::color(text.ink, Use::Line, Inks::Light).to_string();
        self.color("fill", named.is_some(), &color);
        let _ = writeln!(self.out, ">{}</text>", escaped(words));
    }

    /// The beginning of a figure; [`SvgPen::look`] ends it.
    fn contour(&mut self, contour: &Contour) {
        match contour {
            Contour::Rectangle { sides, radius } => {
                let [x, y, width, height] = sides.map(|side| self.length(side));
                let _ = write!(
                    self.out,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\""
                );
                if *radius > 0.0 {
                    let _ = write!(self.out, " rx=\"{}\"", self.length(*radius));
                }
            }
            Contour::Path(steps) => {
                self.out.push_str("<path d=\"");
                if self.is_short {
                    short_path(steps, self.out);
                } else {
                    for step in steps {
                        self.step(*step);
                    }
                }
                self.out.push('"');
            }
            Contour::Circle { middle, radius } => {
                let [x, y, radius] = [middle.0, middle.1, *radius].map(|it| self.length(it));
                let _ = write!(self.out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"");
            }
        }
    }

    fn step(&mut self, step: PathStep) {
        let (letter, lengths) = match step {
            PathStep::Move(x, y) => ('M', &[x, y][..]),
            PathStep::Line(x, y) => ('L', &[x, y][..]),
            PathStep::Curve(a, b, c, d, x, y) => ('C', &[a, b, c, d, x, y][..]),
            PathStep::Close => ('Z', &[][..]),
        };
        self.out.push(letter);
        for (place, length) in lengths.iter().enumerate() {
            let gap = if place > 0 { " " } else { "" };
            let _ = write!(self.out, "{gap}{}", self.length(*length));
        }
    }

    fn classes(&mut self, names: impl Iterator<Item = String>) {
        let names: Vec<String> = names.collect();
        if !names.is_empty() {
            let _ = write!(self.out, " class=\"{}\"", names.join(" "));
        }
    }

    /// A colour as an attribute, unless the style sheet of a page says it already.
    fn color(&mut self, name: &str, is_said: bool, color: &str) {
        if !(self.is_short && is_said) {
            let _ = write!(self.out, " {name}=\"{color}\"");
        }
    }

    /// The end of a figure: what it is filled with, and what its outline is drawn with.
    fn look(&mut self, fill: Option<Ink>, line: Option<Stroke>) {
        let filled = fill.and_then(|ink| class('f', palette::name(ink, Use::Fill)));
        let drawn = line.and_then(|stroke| class('s', palette::name(stroke.ink, Use::Line)));
        self.classes(filled.iter().chain(&drawn).cloned());
        let color = fill.map(|ink| palette::color(ink, Use::Fill, Inks::Light).to_string());
        let is_said = color.is_none() || filled.is_some();
        self.color("fill", is_said, color.as_deref().unwrap_or("none"));
        if let Some(stroke) = line {
            let color = palette::color(stroke.ink, Use::Line, Inks::Light).to_string();
            self.color("stroke", drawn.is_some(), &color);
            let width = self.length(stroke.width);
            let _ = write!(self.out, " stroke-width=\"{width}\"");
            if stroke.dashed {
                let [dash, gap] = stroke.dashes().map(|it| self.length(it));
                let _ = write!(self.out, " stroke-dasharray=\"{dash} {gap}\"");
            }
        }
        self.end("/>");
    }
}

/// The class of an ink that the style sheet knows.
fn class(what: char, name: &str) -> Option<String> {
    (!name.is_empty()).then(|| format!("{what}-{name}"))
}

/// A path whose steps are counted from where the last one ended, in whole tenths of a pixel: what is lost by rounding
/// does not add up.
fn short_path(steps: &[PathStep], out: &mut String) {
    let mut at = (0, 0);
    for &step in steps {
        let (letter, ends) = match step {
            PathStep::Move(x, y) => ('M', &[x, y][..]),
            PathStep::Line(x, y) => ('l', &[x, y][..]),
            PathStep::Curve(a, b, c, d, x, y) => ('c', &[a, b, c, d, x, y][..]),
            PathStep::Close => ('z', &[][..]),
        };
        let from = if letter == 'M' { (0, 0) } else { at };
        let mut steps: Vec<i64> = Vec::with_capacity(6);
        for pair in ends.chunks(2) {
            at = (tenths(pair[0]), tenths(pair[1]));
            steps.extend([at.0 - from.0, at.1 - from.1]);
        }
        let (letter, steps) = match (letter, &steps[..]) {
            ('l', &[x, 0]) => ('h', vec![x]),
            ('l', &[0, y]) => ('v', vec![y]),
            _ => (letter, steps),
        };
        out.push(letter);
        for (place, step) in steps.into_iter().enumerate() {
            let gap = if place > 0 && step >= 0 { " " } else { "" };
            let _ = write!(out, "{gap}{}", step as f64 / TENTHS);
        }
    }
}

fn tenths(length: f64) -> i64 {
    (length * TENTHS).round() as i64
}

/// A length, rounded to parts of a pixel. NaN and infinities are written as 0, since SVG has neither.
struct Length {
    length: f64,
    parts: f64,
}

impl std::fmt::Display for Length {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let rounded = if self.length.is_finite() {
            (self.length * self.parts).round() / self.parts
        } else {
            0.0
        };
        // No `-0`.
        write!(f, "{}", rounded + 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps from where the last one ended, rounded so that no error adds up.
    #[test]
    fn short_paths() {
        let third = 1.0 / 3.0;
        let mut steps = vec![PathStep::Move(10.04, -2.0)];
        steps.extend((1..=300).map(|at| PathStep::Line(10.04 + third * f64::from(at), -2.0)));
        steps.extend([
            PathStep::Line(110.04, 5.5),
            PathStep::Curve(115.0, 5.5, 115.0, 0.0, 120.0, 0.0),
            PathStep::Close,
        ]);
        let mut out = String::new();
        short_path(&steps, &mut out);
        let (start, rest) = out.split_at(5);
        assert_eq!(start, "M10-2");
        let level = rest.split('v').next().expect("a beginning");
        let run: f64 = level
            .split('h')
            .filter_map(|it| it.parse::<f64>().ok())
            .sum();
        assert!((run - 100.0).abs() < 0.06, "{run}");
        assert!(out.ends_with("v7.5c5 0 5-5.5 10-5.5z"), "{out}");
    }
}

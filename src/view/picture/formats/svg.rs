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

/// The content of a file.
pub(crate) fn write(scene: &Scene) -> String {
    let mut out = head(scene, "");
    shapes(scene, &mut out);
    out
}

/// The begin of a file, up to its first shape, with more rules in its style sheet.
pub(crate) fn head(scene: &Scene, rules: &str) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    begin(scene, "img", rules, &mut out);
    out
}

/// The picture as an element of a page, with its style sheet. Its parts can be pointed at and change, so to a screen
/// reader it is a group, not one image.
pub(crate) fn embedded(scene: &Scene) -> String {
    let mut out = String::new();
    begin(scene, "group", "", &mut out);
    shapes(scene, &mut out);
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
    let (width, height) = (Length(scene.width), Length(scene.height));
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

/// The shapes, and the end of the element.
fn shapes(scene: &Scene, out: &mut String) {
    // A picture that forgets to close a group, or closes one too many, is still well-formed.
    let mut open = 0_usize;
    for shape in &scene.shapes {
        match shape {
            SceneShape::Open(_) => open += 1,
            SceneShape::Close if open == 0 => continue,
            SceneShape::Close => open -= 1,
            _ => {}
        }
        self::shape(shape, out);
    }
    for _ in 0..open {
        self::shape(&SceneShape::Close, out);
    }
    out.push_str("</svg>\n");
}

/// One shape, or the begin or end of a group.
pub(crate) fn shape(shape: &SceneShape, out: &mut String) {
    match shape {
        SceneShape::Open(group) => self::group(group, out),
        SceneShape::Close => out.push_str("</g>\n"),
        SceneShape::Figure {
            contour,
            fill,
            line,
        } => {
            self::contour(contour, out);
            look(*fill, *line, out);
        }
        SceneShape::Text(text) => self::text(text, out),
    }
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

fn group(group: &SceneGroup, out: &mut String) {
    out.push_str("<g");
    for (name, text) in [("class", &group.class), ("data-key", &group.key)] {
        if !text.is_empty() {
            let _ = write!(out, " {name}=\"{}\"", escaped(text));
        }
    }
    out.push('>');
    if !group.tip.is_empty() {
        let _ = write!(out, "<title>{}</title>", escaped(&group.tip));
    }
    out.push('\n');
}

fn text(text: &SceneText, out: &mut String) {
    let (x, y) = (Length(text.at.0), Length(text.at.1));
    let size = Length(text.size);
    let _ = write!(out, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"");
    match text.anchor {
        Anchor::Start => {}
        Anchor::Middle => out.push_str(" text-anchor=\"middle\""),
        Anchor::End => out.push_str(" text-anchor=\"end\""),
    }
    if text.bold {
        out.push_str(" font-weight=\"bold\"");
    }
    let words = &text.text;
    if words.starts_with(' ') || words.ends_with(' ') || words.contains("  ") {
        out.push_str(" xml:space=\"preserve\"");
    }
    let named = class('f', palette::name(text.ink, Use::Line));
    let part = Some(text.part.to_string()).filter(|part| !part.is_empty());
    classes(named.into_iter().chain(part), out);
    let color = palette::color(text.ink, Use::Line, Inks::Light);
    let _ = writeln!(out, " fill=\"{color}\">{}</text>", escaped(words));
}

/// The beginning of a figure; [`look`] ends it.
fn contour(contour: &Contour, out: &mut String) {
    match contour {
        Contour::Rectangle { sides, radius } => {
            let [x, y, width, height] = sides.map(Length);
            let _ = write!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\""
            );
            if *radius > 0.0 {
                let _ = write!(out, " rx=\"{}\"", Length(*radius));
            }
        }
        Contour::Path(steps) => {
            out.push_str("<path d=\"");
            for step in steps {
                self::step(*step, out);
            }
            out.push('"');
        }
        Contour::Circle { middle, radius } => {
            let [x, y, radius] = [middle.0, middle.1, *radius].map(Length);
            let _ = write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"");
        }
    }
}

/// The class of an ink that the style sheet knows.
fn class(what: char, name: &str) -> Option<String> {
    (!name.is_empty()).then(|| format!("{what}-{name}"))
}

fn classes(names: impl Iterator<Item = String>, out: &mut String) {
    let names: Vec<String> = names.collect();
    if !names.is_empty() {
        let _ = write!(out, " class=\"{}\"", names.join(" "));
    }
}

/// The end of a figure: what it is filled with, and what its outline is drawn with.
fn look(fill: Option<Ink>, line: Option<Stroke>, out: &mut String) {
    let filled = fill.and_then(|ink| class('f', palette::name(ink, Use::Fill)));
    let drawn = line.and_then(|stroke| class('s', palette::name(stroke.ink, Use::Line)));
    classes(filled.into_iter().chain(drawn), out);
    let color = fill.map(|ink| palette::color(ink, Use::Fill, Inks::Light).to_string());
    let _ = write!(out, " fill=\"{}\"", color.as_deref().unwrap_or("none"));
    if let Some(stroke) = line {
        let color = palette::color(stroke.ink, Use::Line, Inks::Light);
        let width = Length(stroke.width);
        let _ = write!(out, " stroke=\"{color}\" stroke-width=\"{width}\"");
        if stroke.dashed {
            let [dash, gap] = stroke.dashes().map(Length);
            let _ = write!(out, " stroke-dasharray=\"{dash} {gap}\"");
        }
    }
    out.push_str("/>\n");
}

fn step(step: PathStep, out: &mut String) {
    let (letter, lengths) = match step {
        PathStep::Move(x, y) => ('M', &[x, y][..]),
        PathStep::Line(x, y) => ('L', &[x, y][..]),
        PathStep::Curve(a, b, c, d, x, y) => ('C', &[a, b, c, d, x, y][..]),
        PathStep::Close => ('Z', &[][..]),
    };
    out.push(letter);
    for (place, length) in lengths.iter().enumerate() {
        let gap = if place > 0 { " " } else { "" };
        let _ = write!(out, "{gap}{}", Length(*length));
    }
}

/// A length, rounded to hundredths of a pixel. NaN and infinities are written as 0, since SVG has neither.
struct Length(f64);

impl std::fmt::Display for Length {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let rounded = if self.0.is_finite() {
            (self.0 * 100.0).round() / 100.0
        } else {
            0.0
        };
        // No `-0`.
        write!(f, "{}", rounded + 0.0)
    }
}

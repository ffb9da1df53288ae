//! A picture as SVG: text that can be read, searched and styled, in light and in dark.
//!
//! Every shape carries its light colour as an attribute, for readers that know no style sheets or no custom properties;
//! the style sheet, which wins where it is understood, gives the same colours names and changes them on a dark screen.

use std::fmt::Write;

use crate::view::characters;
use crate::view::picture::shapes::letters;
use crate::view::picture::shapes::palette;
use crate::view::picture::shapes::palette::{Inks, Use};
use crate::view::picture::shapes::{Anchor, Ink, PathStep, Scene, SceneGroup, SceneShape, Stroke};

/// The content of a file, with a ground of its own.
pub(crate) fn write(scene: &Scene) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    picture(scene, "img", &mut out);
    out
}

/// The picture as an element of a page, its style sheet included. What is in it may be pointed at and changed, so for
/// those who listen it is a group, not one image.
pub(crate) fn embedded(scene: &Scene) -> String {
    let mut out = String::new();
    picture(scene, "group", &mut out);
    out
}

/// The colours of a set of inks as custom properties: `--leaf:#127a6c;--leaf-fill:…`. A page sets them on `.chainrule`.
pub(crate) fn properties(inks: Inks) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut out = String::new();
    for ink in palette::all() {
        for used in [Use::Line, Use::Fill] {
            let name = palette::name(ink, used);
            if !names.contains(&name) {
                names.push(name);
                let _ = write!(out, "--{name}:{};", palette::color(ink, used, inks));
            }
        }
    }
    out
}

/// Text between tags or in an attribute. What no XML file may hold, or what hides, is spelled out: `\u{1b}`.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // In a tip lines are lines.
            '\n' => out.push('\n'),
            '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => characters::push(c, &mut out),
        }
    }
    out
}

fn picture(scene: &Scene, role: &str, out: &mut String) {
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
    style(out);
    let ground = palette::color(Ink::Ground, Use::Fill, Inks::Light);
    let _ = writeln!(
        out,
        "<rect class=\"ground f-ground\" width=\"{width}\" height=\"{height}\" fill=\"{ground}\"/>"
    );
    // A picture that forgets to close a group, or closes one too many, is still well-formed.
    let mut open = 0_usize;
    for shape in &scene.shapes {
        match shape {
            SceneShape::Open(group) => {
                open += 1;
                self::group(group, out);
            }
            SceneShape::Close if open == 0 => {}
            SceneShape::Close => {
                open -= 1;
                out.push_str("</g>\n");
            }
            SceneShape::Rectangle {
                x,
                y,
                width,
                height,
                radius,
                fill,
                line,
            } => {
                let _ = write!(
                    out,
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
                    Length(*x),
                    Length(*y),
                    Length(*width),
                    Length(*height)
                );
                if *radius > 0.0 {
                    let _ = write!(out, " rx=\"{}\"", Length(*radius));
                }
                look(*fill, *line, out);
            }
            SceneShape::Path { steps, line, fill } => {
                out.push_str("<path d=\"");
                for step in steps {
                    self::step(*step, out);
                }
                out.push('"');
                look(*fill, *line, out);
            }
            SceneShape::Disc {
                x,
                y,
                radius,
                fill,
                line,
            } => {
                let _ = write!(
                    out,
                    "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"",
                    Length(*x),
                    Length(*y),
                    Length(*radius)
                );
                look(*fill, *line, out);
            }
            SceneShape::Text {
                x,
                y,
                anchor,
                size,
                bold,
                ink,
                part,
                text,
            } => {
                let _ = write!(
                    out,
                    "<text x=\"{}\" y=\"{}\" font-size=\"{}\"",
                    Length(*x),
                    Length(*y),
                    Length(*size)
                );
                match anchor {
                    Anchor::Start => {}
                    Anchor::Middle => out.push_str(" text-anchor=\"middle\""),
                    Anchor::End => out.push_str(" text-anchor=\"end\""),
                }
                if *bold {
                    out.push_str(" font-weight=\"bold\"");
                }
                if text.starts_with(' ') || text.ends_with(' ') || text.contains("  ") {
                    out.push_str(" xml:space=\"preserve\"");
                }
                let name = palette::name(*ink, Use::Line);
                let color = palette::color(*ink, Use::Line, Inks::Light);
                let gap = if part.is_empty() { "" } else { " " };
                let _ = writeln!(
                    out,
                    " class=\"f-{name}{gap}{part}\" fill=\"{color}\">{}</text>",
                    escaped(text)
                );
            }
        }
    }
    for _ in 0..open {
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
}

/// The colours by name, and which shape has which.
fn style(out: &mut String) {
    let _ = writeln!(
        out,
        "<style>\n.chainrule{{{}color-scheme:light dark}}\n\
         @media (prefers-color-scheme:dark){{.chainrule{{{}}}}}\n\
         @media print{{.chainrule{{{}}}}}",
        properties(Inks::Light),
        properties(Inks::Dark),
        properties(Inks::Light)
    );
    let mut names: Vec<&str> = Vec::new();
    for ink in palette::all() {
        for used in [Use::Line, Use::Fill] {
            let name = palette::name(ink, used);
            if !names.contains(&name) {
                names.push(name);
                let _ = write!(
                    out,
                    ".chainrule .f-{name}{{fill:var(--{name})}}.chainrule .s-{name}{{stroke:var(--{name})}}"
                );
            }
        }
    }
    out.push_str("\n.chainrule text{font-variant-ligatures:none;white-space:pre}\n</style>\n");
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

/// The end of a shape: what it is filled and drawn with.
fn look(fill: Option<Ink>, line: Option<Stroke>, out: &mut String) {
    let mut classes = Vec::new();
    if let Some(ink) = fill {
        classes.push(format!("f-{}", palette::name(ink, Use::Fill)));
    }
    if let Some(stroke) = line {
        classes.push(format!("s-{}", palette::name(stroke.ink, Use::Line)));
    }
    if !classes.is_empty() {
        let _ = write!(out, " class=\"{}\"", classes.join(" "));
    }
    match fill {
        Some(ink) => {
            let _ = write!(
                out,
                " fill=\"{}\"",
                palette::color(ink, Use::Fill, Inks::Light)
            );
        }
        None => out.push_str(" fill=\"none\""),
    }
    if let Some(stroke) = line {
        let color = palette::color(stroke.ink, Use::Line, Inks::Light);
        let width = Length(stroke.width);
        let _ = write!(out, " stroke=\"{color}\" stroke-width=\"{width}\"");
        if stroke.dashed {
            let (dash, gap) = stroke.dashes();
            let _ = write!(
                out,
                " stroke-dasharray=\"{} {}\"",
                Length(dash),
                Length(gap)
            );
        }
    }
    out.push_str("/>\n");
}

fn step(step: PathStep, out: &mut String) {
    let _ = match step {
        PathStep::Move(x, y) => write!(out, "M{} {}", Length(x), Length(y)),
        PathStep::Line(x, y) => write!(out, "L{} {}", Length(x), Length(y)),
        PathStep::Curve(a, b, c, d, x, y) => write!(
            out,
            "C{} {} {} {} {} {}",
            Length(a),
            Length(b),
            Length(c),
            Length(d),
            Length(x),
            Length(y)
        ),
        PathStep::Close => write!(out, "Z"),
    };
}

/// A length in hundredths of a pixel, which no eye sees. What is no number is 0: a file with `NaN` in it is none.
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

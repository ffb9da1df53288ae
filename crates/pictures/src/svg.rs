//! Writes a picture as SVG: text that can be read, searched and styled, in light and in dark.
//!
//! Every shape has its colour on a light background as an attribute, which holds on paper and in programs that do not know
//! custom properties. Only on a dark screen the style sheet takes precedence. If the style fixes the background, a picture
//! has the colours of this background everywhere.

use std::fmt::{Display, Write};

use crate::shapes::letters::Font;
use crate::shapes::palette::{self, Background, Use};
use crate::shapes::{
    Anchor, Contour, Ink, PathStep, Scene, SceneGroup, SceneShape, SceneText, Stroke,
};
use chainrule_report::characters;
use chainrule_style::Style;
use chainrule_style::html::escape;
use chainrule_style::theme::hex_color;

/// Texts with more columns than this, texts with wide letters, and parts of a line carry `textLength`.
const LONG: usize = 8;

/// The length of a pixel in centimetres. An inch has 96 pixels.
const CENTIMETRES: f64 = 2.54 / 96.0;
/// The size of letters without an attribute for it. Without attributes a shape has the ink of words, and the place of a
/// text is its middle.
const SIZE: f64 = 14.0;
/// The width of lines without an attribute for it.
const THIN: f64 = 1.5;
/// The most pixels in the width of a cell of a notebook. Jupyter would let wider pictures scroll.
const CELL_WIDTH: f64 = 720.0;

/// The content of a file.
pub(crate) fn file(scene: &Scene, style: &Style) -> String {
    String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") + &element(scene, style)
}

/// The colours of all inks as custom properties: `--leaf:#127a6c;--leaf-fill:…`. A page sets them on `.chainrule`.
pub fn properties(background: Background) -> String {
    let mut out = String::new();
    for (ink, used) in palette::ink_uses() {
        let name = palette::name(ink, used);
        let color = hex_color(palette::color(ink, used, background));
        let _ = write!(out, "--{name}:{color};");
    }
    out
}

/// The rules by which the shapes have the colours of their classes, which are custom properties. A page has these rules
/// on every screen, because it changes classes.
pub fn color_rules() -> String {
    let mut out = String::from(".chainrule{fill:var(--words)}");
    for (ink, used) in palette::ink_uses() {
        let name = palette::name(ink, used);
        if used == Use::Line {
            let fill = palette::name(ink, Use::Fill);
            let _ = write!(
                out,
                ".chainrule .b-{name}{{fill:var(--{fill});stroke:var(--{name})}}"
            );
        }
        let _ = write!(
            out,
            ".chainrule .f-{name}{{fill:var(--{name})}}.chainrule .s-{name}{{stroke:var(--{name})}}"
        );
    }
    out
}

/// The picture as an element of a page, with its style sheet.
pub(crate) fn element(scene: &Scene, style: &Style) -> String {
    let backgrounds = palette::backgrounds(style);
    let mut out = String::new();
    write_begin(scene, style, &mut out);
    let mut pen = SvgPen {
        out,
        font: scene.font,
        background: backgrounds[0],
    };
    for shape in &scene.shapes {
        pen.write_shape(shape);
    }
    pen.out + "</svg>\n"
}

/// Writes the beginning of the element: its size, its description, its style sheet and its ground.
fn write_begin(scene: &Scene, style: &Style, out: &mut String) {
    let backgrounds = palette::backgrounds(style);
    // A screen reader reads the tooltips of the parts of a group, but only the description of an image.
    let role = match &*scene.description {
        "" => "group",
        _ => "img",
    };
    let most_width = if style.is_cell() {
        CELL_WIDTH
    } else {
        f64::INFINITY
    };
    let zoom = scene.zoom.unwrap_or(1.0).min(most_width / scene.width);
    let (shown_scale, unit) = if scene.is_for_print {
        (zoom * CENTIMETRES, "cm")
    } else {
        (zoom, "")
    };
    let [shown_width, shown_height] =
        [scene.width, scene.height].map(|side| hundredths(side * shown_scale));
    let [left, top, width, height] =
        [scene.origin.0, scene.origin.1, scene.width, scene.height].map(hundredths);
    let title = escape(&scene.title);
    let words = color(Ink::Words, Use::Line, backgrounds[0]);
    let [light, dark] = backgrounds.map(properties);
    // On a page, the style sheets of other pictures count for this one, too, unless it has an attribute.
    let fixed = if light == dark {
        format!(" style=\"{light}\"")
    } else {
        String::new()
    };
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chainrule\" role=\"{role}\" aria-label=\"{title}\" \
         width=\"{shown_width}{unit}\" height=\"{shown_height}{unit}\" viewBox=\"{left} {top} {width} {height}\" font-family=\"{}\" font-size=\"{SIZE}\" fill=\"{words}\" \
         stroke-width=\"{THIN}\" text-anchor=\"middle\"{fixed}>",
        scene.font.families()
    );
    let _ = writeln!(out, "<title>{title}</title>");
    if !scene.description.is_empty() {
        let _ = writeln!(out, "<desc>{}</desc>", escape(&scene.description));
    }
    write_style_sheet([&light, &dark], out);
    let corner = match (left, top) {
        (0.0, 0.0) => String::new(),
        _ => format!(" x=\"{left}\" y=\"{top}\""),
    };
    let ground = color(Ink::Ground, Use::Fill, backgrounds[0]);
    let _ = writeln!(
        out,
        "<rect class=\"ground f-ground\"{corner} width=\"{width}\" height=\"{height}\" fill=\"{ground}\"/>"
    );
}

/// Writes the style sheet: the colours on a dark screen, if they differ.
fn write_style_sheet([light, dark]: [&str; 2], out: &mut String) {
    out.push_str("<style>\n");
    if light != dark {
        let rules = color_rules();
        let _ = writeln!(
            out,
            ".chainrule{{color-scheme:light dark}}\n\
             @media screen and (prefers-color-scheme:dark){{.chainrule{{{dark}}}{rules}}}"
        );
    }
    out.push_str(".chainrule text{font-variant-ligatures:none;white-space:pre}\n</style>\n");
}

/// Writes shapes.
struct SvgPen {
    out: String,
    font: Font,
    /// The background for which the attributes have colours.
    background: Background,
}

impl SvgPen {
    /// Writes an attribute of the open tag.
    fn attribute(&mut self, name: &str, value: impl Display) {
        let _ = write!(self.out, " {name}=\"{value}\"");
    }

    fn write_shape(&mut self, shape: &SceneShape) {
        match shape {
            SceneShape::Open(group) => self.open_group(group),
            SceneShape::Close => self.out.push_str("</g>\n"),
            SceneShape::Figure {
                contour,
                fill,
                line,
            } => {
                self.open_figure(contour);
                self.close_figure(*fill, *line);
            }
            SceneShape::Text(text) => self.write_text(text),
        }
    }

    fn open_group(&mut self, group: &SceneGroup) {
        self.out.push_str("<g");
        for (name, text) in [("class", &group.class), ("data-key", &group.key)] {
            if !text.is_empty() {
                self.attribute(name, escape(text));
            }
        }
        if let Some(trunk) = group.trunk {
            self.attribute("data-part", trunk);
        }
        self.out.push('>');
        if !group.tip.is_empty() {
            let _ = write!(self.out, "<title>{}</title>", escape(&group.tip));
        }
    }

    fn write_text(&mut self, text: &SceneText) {
        let [x, y, size] = [text.at.0, text.at.1, text.size].map(hundredths);
        let _ = write!(self.out, "<text x=\"{x}\" y=\"{y}\"");
        if text.size != SIZE {
            self.attribute("font-size", size);
        }
        match text.anchor {
            Anchor::Start => self.attribute("text-anchor", "start"),
            Anchor::Middle => {}
            Anchor::End => self.attribute("text-anchor", "end"),
        }
        if text.is_upright {
            self.attribute("transform", format_args!("rotate(-90 {x} {y})"));
        }
        if text.is_bold {
            self.attribute("font-weight", "bold");
        }
        let words = &text.text;
        // The length keeps a wider font from leaving its box. A number that a page changes must not have it, because the
        // next number may have another length.
        let can_change = ["data", "grad"].contains(&text.class);
        let columns = characters::width(words);
        let is_wide = columns > LONG || columns > words.chars().count();
        if !can_change && (is_wide || text.is_part) {
            self.attribute("textLength", hundredths(self.font.width(words, text.size)));
            self.attribute("lengthAdjust", "spacingAndGlyphs");
        }
        if words.starts_with(' ') || words.ends_with(' ') || words.contains("  ") {
            self.attribute("xml:space", "preserve");
        }
        let ink = Some(text.ink).filter(|ink| *ink != Ink::Words);
        self.class_attribute(&class('f', ink, Use::Line), text.class);
        if let Some(ink) = ink {
            self.attribute("fill", color(ink, Use::Line, self.background));
        }
        let _ = writeln!(self.out, ">{}</text>", escape(words));
    }

    /// Writes the beginning of a figure. [`SvgPen::close_figure`] ends it.
    fn open_figure(&mut self, contour: &Contour) {
        match contour {
            Contour::Rectangle { sides, radius } => {
                self.out.push_str("<rect");
                for (name, side) in ["x", "y", "width", "height"].into_iter().zip(sides) {
                    self.attribute(name, hundredths(*side));
                }
                if *radius > 0.0 {
                    self.attribute("rx", hundredths(*radius));
                }
            }
            Contour::Path(steps) => {
                self.out.push_str("<path d=\"");
                let mut at = [0.0; 2];
                for step in steps {
                    at = self.write_step(*step, at);
                }
                self.out.push('"');
            }
            Contour::Circle(middle, radius) => {
                let [x, y, radius] = [middle.0, middle.1, *radius].map(hundredths);
                let _ = write!(self.out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"");
            }
        }
    }

    /// Writes a piece of a path from this place on, and returns where it ends: `l4 -2`, or `h4` if it is level. Most pieces
    /// are relative, because distances are shorter than places.
    fn write_step(&mut self, step: PathStep, at: [f64; 2]) -> [f64; 2] {
        let (letter, from, places) = match step {
            PathStep::Move(x, y) => ("M", [0.0; 2], &[x, y][..]),
            PathStep::Line(x, y) => ("l", at, &[x, y][..]),
            PathStep::Round(a, b, x, y) => ("q", at, &[a, b, x, y][..]),
            PathStep::Close => ("z", at, &[][..]),
        };
        // The next piece begins where the rounded one ends, so errors do not add up.
        let ends = places.iter().zip(from.iter().cycle());
        let rounded = ends.map(|(to, begin)| hundredths(to - begin));
        let distances: Vec<f64> = rounded.collect();
        let (short_letter, written) = match (letter, &distances[..]) {
            ("l", [_, 0.0]) => ("h", &distances[..1]),
            ("l", [0.0, _]) => ("v", &distances[1..]),
            _ => (letter, &distances[..]),
        };
        self.out.push_str(short_letter);
        for (index, distance) in written.iter().enumerate() {
            // A minus separates numbers, too.
            if index > 0 && *distance >= 0.0 {
                self.out.push(' ');
            }
            let _ = write!(self.out, "{distance}");
        }
        match distances[..] {
            [.., x, y] => [from[0] + x, from[1] + y],
            _ => at,
        }
    }

    /// Writes an attribute with two classes, each of which may be empty.
    fn class_attribute(&mut self, one: &str, other: &str) {
        let names = [one, other].join(" ");
        if !names.trim().is_empty() {
            self.attribute("class", names.trim());
        }
    }

    /// Writes the colour of an ink, and its opacity if something shows through.
    fn paint_attributes(&mut self, name: &str, ink: Ink, used: Use) {
        self.attribute(name, color(ink, used, self.background));
        let opacity = palette::opacity(ink);
        if opacity < 1.0 {
            self.attribute(&format!("{name}-opacity"), opacity);
        }
    }

    /// Writes the end of a figure: its fill and its outline.
    fn close_figure(&mut self, fill: Option<Ink>, line: Option<Stroke>) {
        let ink = line.map(|stroke| stroke.ink);
        if fill.is_some() && fill == ink {
            self.class_attribute(&class('b', fill, Use::Line), "");
        } else {
            self.class_attribute(&class('f', fill, Use::Fill), &class('s', ink, Use::Line));
        }
        match fill {
            Some(area) => self.paint_attributes("fill", area, Use::Fill),
            None => self.attribute("fill", "none"),
        }
        if let Some(stroke) = line {
            self.paint_attributes("stroke", stroke.ink, Use::Line);
            if stroke.width != THIN {
                self.attribute("stroke-width", hundredths(stroke.width));
            }
            if stroke.is_dashed() {
                let lengths = stroke.lengths().map(|it| hundredths(it).to_string());
                self.attribute("stroke-dasharray", lengths.collect::<Vec<_>>().join(" "));
            }
        }
        self.out.push_str("/>");
    }
}

/// The colour of an ink, for an attribute.
fn color(ink: Ink, used: Use, background: Background) -> String {
    hex_color(palette::color(ink, used, background))
}

/// The class of an ink: `f-leaf` fills, `s-leaf` strokes, `b-leaf` does both. Empty if the ink has no name.
fn class(kind: char, ink: Option<Ink>, used: Use) -> String {
    match ink.map_or("", |ink| palette::name(ink, used)) {
        "" => String::new(),
        name => format!("{kind}-{name}"),
    }
}

/// A length rounded to hundredths of a pixel. NaN and infinities are 0, since SVG has neither.
fn hundredths(length: f64) -> f64 {
    if length.is_finite() {
        // Adding 0 makes a -0 a 0.
        (length * 100.0).round() / 100.0 + 0.0
    } else {
        0.0
    }
}

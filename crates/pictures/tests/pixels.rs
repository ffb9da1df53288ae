//! Pictures as PNG files, read back as pixels: as large as the SVG, with something on them, on the ground of the theme.

use std::collections::BTreeSet;

use crate::common::builder::Builder;
use crate::common::plots::{curve, map};
use crate::common::{Example, examples, lecture, svg};
use chainrule_pictures::picture;
use chainrule_report::{Picture, PlotSize};
use chainrule_style::Style;

struct Pixels {
    width: u32,
    height: u32,
    /// Red, green, blue.
    colors: Vec<[u8; 3]>,
}

fn pixels(drawn: &Picture, style: &Style) -> Pixels {
    let file = picture(drawn, "png", style).expect("it is not too large");
    let mut reader = png::Decoder::new(std::io::Cursor::new(file))
        .read_info()
        .expect("it can be read");
    let mut bytes = vec![0; reader.output_buffer_size().expect("it has room")];
    let info = reader.next_frame(&mut bytes).expect("it has pixels");
    Pixels {
        width: info.width,
        height: info.height,
        colors: bytes
            .chunks_exact(3)
            .map(|rgb| [rgb[0], rgb[1], rgb[2]])
            .collect(),
    }
}

#[test]
fn pixels_are_the_same_picture() {
    for Example { name, diagram, svg } in examples().into_iter().step_by(6) {
        let svg = svg::parse(svg);
        let drawn = pixels(&Picture::Graph(diagram), &Style::default());
        let whole = svg::whole(&svg);
        for (length, wanted) in [(drawn.width, whole.right), (drawn.height, whole.bottom)] {
            assert!(
                (f64::from(length) - 2.0 * wanted).abs() <= 1.0,
                "{name}: {length} {wanted}"
            );
        }
        let at = |(x, y): svg::Point| {
            drawn.colors[(2.0 * y) as usize * drawn.width as usize + (2.0 * x) as usize]
        };
        let white = drawn.colors.iter().filter(|it| **it == [255; 3]).count();
        let share = white as f64 / drawn.colors.len() as f64;
        assert!((0.2..0.97).contains(&share), "{name}: {share} is white");
        // Each box stands where the SVG has it, in its colour.
        for group in svg::groups(&svg, "node") {
            let rect = svg::all(group, "rect")[0];
            let fill = rect.attribute("fill").unwrap_or_default();
            let area = svg::outline(group);
            let [red, green, blue] = at((area.left + 5.0, area.top + 4.0));
            assert_eq!(
                format!("#{red:02x}{green:02x}{blue:02x}"),
                fill,
                "{name}: {group:?}"
            );
        }
    }
}

#[test]
fn pixels_have_the_ground_of_the_theme() {
    let parabola = curve("x^2", -2.0..2.0, |x| x * x);
    let saddle = map("x*y", (-2.0..2.0, 0.0..1.0), |x, y| x * y);
    let pictures = [
        Picture::Graph(lecture()),
        Picture::Plot(parabola),
        Picture::Plot(saddle),
    ];
    for (dark, ground) in [(false, [255, 255, 255]), (true, [0x14, 0x17, 0x1c])] {
        let style = Style {
            is_dark: dark,
            ..Style::default()
        };
        for drawn in &pictures {
            let drawn = pixels(drawn, &style);
            assert_eq!(drawn.colors[0], ground);
            assert!(drawn.colors.iter().collect::<BTreeSet<_>>().len() > 20);
        }
    }
}

#[test]
fn a_figure_for_print_has_300_pixels_in_an_inch() {
    let mut parabola = curve("x^2", -2.0..2.0, |x| x * x);
    parabola.size = Some(PlotSize {
        width: 8.0 / 2.54 * 96.0,
        height: 6.0 / 2.54 * 96.0,
        letters: Some(8.0),
    });
    let drawn = Picture::Plot(parabola);
    let file = picture(&drawn, "png", &Style::default()).expect("it is not too large");
    let reader = png::Decoder::new(std::io::Cursor::new(file)).read_info();
    let dense = reader.expect("it can be read").info().pixel_dims;
    let dense = dense.expect("it says how dense it is");
    assert_eq!(f64::from(dense.xppu) * 0.0254, 299.9994, "{dense:?}");
    let pixels = pixels(&drawn, &Style::default());
    assert_eq!((pixels.width, pixels.height), (945, 709));
}

#[test]
fn a_picture_too_large_for_pixels_is_an_error() {
    let mut graph = Builder::default();
    let mut y = graph.leaf("y", 1.0);
    for _ in 0..2_500 {
        y = graph.apply("y", "tanh", &[y], 1.0);
    }
    let error = picture(&Picture::Graph(graph.diagram()), "png", &Style::default());
    let error = error.expect_err("it is too large");
    assert!(
        error.contains("40 million") && error.contains("`.svg`"),
        "{error}"
    );
}

/// The SVG and the page have the colours of the PNG on a ground that is fixed, and no others.
#[test]
fn a_fixed_ground_is_the_only_one() {
    for (is_dark, scheme) in [(false, "light"), (true, "dark")] {
        let style = Style {
            is_dark,
            is_always_dark: Some(is_dark),
            ..Style::default()
        };
        for Example { name, diagram, .. } in examples().into_iter().step_by(12) {
            let drawn = Picture::Graph(diagram);
            let pixels = pixels(&drawn, &style);
            let at = |(x, y): svg::Point| {
                let index = (2.0 * y) as usize * pixels.width as usize + (2.0 * x) as usize;
                let [red, green, blue] = pixels.colors[index];
                format!("#{red:02x}{green:02x}{blue:02x}")
            };
            let file = picture(&drawn, "svg", &style).expect("it can be drawn");
            let text = String::from_utf8(file).expect("it is text");
            assert!(!text.contains("@media") && !text.contains("light dark"));
            let svg = svg::parse(&text);
            let ground = svg.root_element().attribute("style").unwrap_or_default();
            assert!(ground.contains(&format!("--ground:{};", at((0.0, 0.0)))));
            for group in svg::groups(&svg, "node") {
                let rect = svg::all(group, "rect")[0];
                let area = svg::outline(group);
                let fill = rect.attribute("fill").unwrap_or_default();
                assert_eq!(at((area.left + 5.0, area.top + 4.0)), fill, "{name}");
                assert!(ground.contains(&format!(":{fill};")), "{name}: {fill}");
            }
        }
        let page = crate::graphs::page(&lecture(), &style);
        let other = if is_dark { "#ffffff" } else { "#14171c" };
        assert!(page.contains(&format!("color-scheme: {scheme};")));
        assert!(page.contains(&format!("content=\"{scheme}\"")));
        assert!(!page.contains("light dark") && !page.contains(&format!("--ground:{other}")));
    }
}

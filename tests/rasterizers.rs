//! Programs that make PDF of SVG draw the figures of `tests/cases/figures.calc` in their colours: CairoSVG, svglib and
//! librsvg, each if it is installed. They know attributes and the rules of classes, but no custom properties.

use std::process::Command;

use crate::common::browser::find_tool;
use crate::common::process::{Folder, program};
use crate::common::project::at;
use crate::export_jax::python_with;

/// Prints for each figure whether its corner is white and how many different colours it has in CairoSVG, and how many
/// shapes svglib gives a colour.
const SCRIPT: &str = "\
import glob, io, cairosvg
from PIL import Image
from svglib.svglib import svg2rlg
def colored(shape):
    own = [getattr(shape, name, None) for name in ('fillColor', 'strokeColor')]
    inner = [colored(part) for part in getattr(shape, 'contents', [])]
    return sum(inner) + sum(color is not None for color in own)
for path in sorted(glob.glob('*.svg')):
    image = Image.open(io.BytesIO(cairosvg.svg2png(url=path))).convert('RGB')
    colors = len(image.getcolors(1 << 24))
    print(path, image.getpixel((0, 0)) == (255, 255, 255), colors, colored(svg2rlg(path)))
";

fn drawn_figures() -> Folder {
    let folder = Folder::new();
    let script = std::fs::read_to_string(at("tests/cases/figures.calc"));
    folder.put("figures.calc", &script.expect("the figures"));
    let ran = program(&["figures.calc"])
        .current_dir(&folder.0)
        .output()
        .expect("it runs");
    assert!(ran.status.success());
    folder
}

#[test]
fn the_ways_from_python_to_pdf_draw_figures() {
    let Some(python) = python_with("cairosvg", "the_ways_from_python_to_pdf_draw_figures") else {
        return;
    };
    let folder = drawn_figures();
    let ran = Command::new(python)
        .args(["-c", SCRIPT])
        .current_dir(&folder.0)
        .output()
        .expect("Python runs");
    let (out, err) = (
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr),
    );
    assert!(ran.status.success() && err.is_empty(), "{err}");
    assert_eq!(out.lines().count(), 20);
    for line in out.lines() {
        let parts: Vec<&str> = line.split(' ').collect();
        let [colors, shapes] = [2, 3].map(|at| parts[at].parse::<usize>().expect("a number"));
        assert!(parts[1] == "True" && colors > 20 && shapes > 20, "{line}");
    }
}

#[test]
fn librsvg_makes_pdf_of_figures() {
    let Some(converter) = find_tool("rsvg-convert") else {
        return;
    };
    let folder = drawn_figures();
    let ran = Command::new(converter)
        .args(["-f", "pdf", "f04.svg", "-o", "f04.pdf"])
        .current_dir(&folder.0)
        .output()
        .expect("it runs");
    assert!(ran.status.success() && ran.stderr.is_empty());
    assert!(std::fs::read(folder.0.join("f04.pdf")).is_ok_and(|it| it.starts_with(b"%PDF")));
}

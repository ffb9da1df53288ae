//! Walks as films, read back: at the time of each stop the SVG shows what the walk shows there, and so does the PNG.
//!
//! The style sheet of the SVG is evaluated here, by the rules of CSS animations with steps.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use crate::common::{Desk, number};
use chainrule::commands::{Effect, MOST_BOXES, MOST_FILMED};
use chainrule::report::Picture;
use chainrule::stop::{Stopped, interruptible};
use chainrule::view::{self, PictureFonts, Style};
use roxmltree::{Document, Node};
use serde_json::Value;

/// Sessions, and what is walked through in each.
const SESSIONS: &[(&[&str], &str)] = &[
    (&["a, b, c = 2, -3, 10", "L = (a*b + c)*a"], "L"),
    (
        &[
            "x1, x2, w1, w2, b = 2, 0, -3, 1, 6.8813735870195432",
            "n = x1*w1 + x2*w2 + b",
            "o = tanh(n)*n",
        ],
        "o",
    ),
    (&["a = 3", "b = a + a"], "b"),
    (&["a = 2", "q = ln(a - 2)*0 + a"], "q"),
    (
        &[
            "a, b, c, d = 1, 7, 3, 4",
            "m = max(a, b*2, c, d, a*c, b + 100)",
        ],
        "m",
    ),
    (&["const k = 5; a = 1e-9", "y = exp(a*k)^2/3"], "y"),
    (
        &["w = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]", "s = tanh(sum(w)/50)"],
        "s",
    ),
    (&["a = 2", "b = -a"], "(a*b)*(a*b)"),
];

fn film(desk: &mut Desk, line: &str) -> Picture {
    let reply = desk.try_line(line).pop().unwrap();
    let reply = reply.unwrap_or_else(|error| panic!("{line}: {}", error.message));
    match reply.effect.map(|effect| *effect) {
        Some(Effect::Draw { picture, .. }) => picture,
        effect => panic!("{line}: {effect:?}"),
    }
}

fn drawn(picture: &Picture, ending: &str, style: &Style) -> Vec<u8> {
    view::picture(picture, ending, style, &mut PictureFonts::default()).unwrap()
}

fn svg(desk: &mut Desk, line: &str) -> String {
    let picture = film(desk, line);
    String::from_utf8(drawn(&picture, "svg", &Style::default())).unwrap()
}

/// The animations of a style sheet: when a keyframe begins, as a share of the whole, and whether it shows anything.
struct Sheet {
    seconds: f64,
    keyframes: BTreeMap<String, Vec<(f64, bool)>>,
}

impl Sheet {
    fn of(svg: &Document) -> Sheet {
        let style = svg.descendants().find(|it| it.has_tag_name("style"));
        let style = style.unwrap().text().unwrap();
        let mut sheet = Sheet {
            seconds: 0.0,
            keyframes: BTreeMap::new(),
        };
        for line in style.lines() {
            if let Some(rule) = line.strip_prefix("@keyframes ") {
                let (name, frames) = rule.split_once('{').unwrap();
                let frame = |frame: &str| {
                    let (percent, looks) = frame.split_once("%{visibility:")?;
                    Some((percent.parse::<f64>().unwrap() / 100.0, looks == "visible"))
                };
                let frames = frames.split('}').filter_map(frame).collect();
                sheet.keyframes.insert(name.to_string(), frames);
            } else if let Some((class, rule)) = line.split_once("{animation:") {
                let mut words = rule.trim_end_matches('}').split(' ');
                let name = words.next().unwrap();
                assert_eq!(class, format!(".chainrule .{name}"));
                let seconds = words.next().unwrap().trim_end_matches('s');
                sheet.seconds = seconds.parse().unwrap();
                let rest: Vec<&str> = words.collect();
                assert_eq!(rest, ["step-end", "infinite"]);
            }
        }
        sheet
    }

    /// Is it there at this time? Without a time nothing moves.
    fn shows(&self, node: &Node, time: Option<f64>) -> bool {
        let groups = node.ancestors().filter(|it| it.has_tag_name("g"));
        groups.into_iter().all(|group| {
            let classes = group.attribute("class").unwrap_or_default();
            let name = classes.split(' ').find(|it| it.starts_with("frames-"));
            let (Some(name), Some(time)) = (name, time) else {
                return group.attribute("visibility") != Some("hidden");
            };
            let share = time / self.seconds;
            let begun = self.keyframes[name]
                .iter()
                .rfind(|(begin, _)| *begin <= share);
            begun.unwrap().1
        })
    }
}

fn has_class(node: &Node, class: &str) -> bool {
    let classes = node.attribute("class").unwrap_or_default();
    classes.split(' ').any(|it| it == class)
}

/// What a picture says of each node: label, data, grad, and what its box is filled with.
type Boxes = BTreeMap<String, [String; 4]>;

fn boxes(svg: &Document, shows: impl Fn(&Node) -> bool) -> Boxes {
    let groups = svg.descendants().filter(|it| has_class(it, "node"));
    let seen = |group: &Node, tag: &str, class: &str| -> Option<String> {
        let is_one = |it: &Node| it.has_tag_name(tag) && (class.is_empty() || has_class(it, class));
        let mut found = group.descendants().filter(|it| is_one(it) && shows(it));
        let one = found.next()?;
        assert!(
            found.next().is_none(),
            "two versions of one shape are shown"
        );
        let text = || one.text().unwrap().to_string();
        Some(
            one.attribute("fill")
                .filter(|_| tag == "rect")
                .map_or_else(text, str::to_string),
        )
    };
    groups
        .map(|group| {
            let parts = [
                ("text", "label"),
                ("text", "data"),
                ("text", "grad"),
                ("rect", ""),
            ];
            let parts = parts.map(|(tag, class)| seen(&group, tag, class).unwrap_or_default());
            (group.attribute("data-key").unwrap().to_string(), parts)
        })
        .collect()
}

fn sentences(svg: &Document, shows: impl Fn(&Node) -> bool) -> Vec<String> {
    let texts = svg.descendants().filter(|it| has_class(it, "sentence"));
    let shown = texts.filter(|it| shows(it));
    shown.map(|it| it.text().unwrap().to_string()).collect()
}

/// The number after the last `=`, or what it adds up to.
fn results(sentence: &str) -> (f64, Option<f64>) {
    let (first, sum) = sentence.split_once(", in all ").unwrap_or((sentence, ""));
    let (_, amount) = first.rsplit_once("= ").unwrap();
    (number_in(amount), sum.parse().ok())
}

fn number_in(text: &str) -> f64 {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The same number to the digits of tables.
fn close(one: f64, other: f64) -> bool {
    one == other || one.is_nan() && other.is_nan() || (one - other).abs() <= 1e-5 * other.abs()
}

#[test]
fn each_frame_is_a_stop_of_the_walk() {
    for (lines, target) in SESSIONS {
        for forward in ["", " forward"] {
            let mut desk = Desk::with(lines);
            let content = svg(&mut desk, &format!(":walk {target}{forward} film.svg"));
            let film = Document::parse(&content).unwrap();
            let sheet = Sheet::of(&film);
            let mut walker = Desk::with(lines);
            let mut shown = walker.line(&format!(":walk {target}{forward}")).remove(0);
            let stops = shown["of"].as_u64().unwrap();
            assert!(close(sheet.seconds, stops as f64 * 1.5 + 5.0));
            for stop in 0..=stops {
                let time = (stop as f64 + 0.5) * 1.5;
                let shows = |node: &Node| sheet.shows(node, Some(time));
                let drawing = walker.try_line(":graph x.svg").pop().unwrap().unwrap();
                let Some(Effect::Draw { picture, .. }) = drawing.effect.map(|effect| *effect)
                else {
                    panic!("a graph is drawn")
                };
                let graph = drawn(&picture, "svg", &Style::default());
                let graph = String::from_utf8(graph).unwrap();
                let graph = Document::parse(&graph).unwrap();
                let (mine, expected) = (boxes(&film, shows), boxes(&graph, |_| true));
                let values = |boxes: Boxes| boxes.into_values().collect::<Vec<_>>();
                assert_eq!(
                    values(mine),
                    values(expected),
                    "{target}{forward}, stop {stop}"
                );
                let told = sentences(&film, shows).join("\n");
                if stop == 0 {
                    assert!(told.starts_with(&format!("a{}", word(forward))), "{told}");
                } else {
                    tells(&told, &shown);
                }
                if stop < stops {
                    shown = walker.line(":next").remove(0);
                }
            }
            // Where nothing moves, and during the pause, there is the last stop.
            let still = boxes(&film, |node| sheet.shows(node, None));
            let last = |node: &Node| sheet.shows(node, Some(sheet.seconds - 0.01));
            assert_eq!(still, boxes(&film, last));
        }
    }
}

fn word(forward: &str) -> &str {
    if forward.is_empty() {
        " backward"
    } else {
        forward
    }
}

/// Do the sentences tell what `:next` answers?
fn tells(told: &str, shown: &Value) {
    let mut lines = told.lines();
    let heading = lines.next().unwrap();
    let (position, of) = (&shown["position"], &shown["of"]);
    let node = shown["node"].as_str().unwrap();
    let begin = format!("stop {position} of {of}: {node} = ");
    assert!(heading.starts_with(&begin), "{heading}\n{shown}");
    let told: Vec<&str> = lines.collect();
    let (head, upstream) = match heading.split_once(", upstream ") {
        Some((head, upstream)) => (head, Some(results(upstream).0)),
        None => (heading, None),
    };
    assert!(
        close(results(head).0, number(&shown["data"])),
        "{heading}\n{shown}"
    );
    let Some(shares) = shown["contributions"].as_array() else {
        let operands = shown["operands"].as_array().unwrap();
        for operand in operands.iter().take(4) {
            let name = operand["operand"].as_str().unwrap();
            let has = name.parse::<f64>().is_ok() || told[0].contains(&format!("{name} = "));
            assert!(has, "{told:?} {name}");
        }
        return;
    };
    assert!(close(upstream.unwrap(), number(&shown["upstream"])));
    for (share, line) in shares.iter().zip(&told).take(4) {
        let name = share["operand"].as_str().unwrap();
        let named = [format!("{name}.grad += "), format!("({name}).grad += ")];
        assert!(
            named.iter().any(|begin| line.starts_with(begin)),
            "{line} {share}"
        );
        let (amount, sum) = results(line);
        assert!(
            close(amount, number(&share["contribution"])),
            "{line} {share}"
        );
        let after = number(&share["after"]);
        assert!(close(sum.unwrap_or(amount), after), "{line} {share}");
    }
    let more = format!("and {} more operands", shares.len().saturating_sub(4));
    assert_eq!(shares.len() > 4, told.contains(&&*more), "{told:?}");
    let done = told.last().is_some_and(|line| line.starts_with("done: "));
    assert_eq!(done, shown["next"].is_null(), "{told:?}");
}

#[test]
fn nothing_moves_for_those_who_want_no_motion() {
    let (lines, target) = SESSIONS[0];
    let content = svg(&mut Desk::with(lines), &format!(":walk {target} film.svg"));
    let media = "@media screen and (prefers-reduced-motion:no-preference){";
    let (before, rest) = content.split_once(media).unwrap();
    let (within, after) = rest.split_once("\n}\n").unwrap();
    assert!(within.contains("animation:"));
    assert!(!before.contains("animation:") && !after.contains("animation:"));
    assert!(!content.contains("<script"));
    // Light and dark as every picture.
    assert!(content.contains("@media (prefers-color-scheme:dark)"));
    let film = Document::parse(&content).unwrap();
    let text = |tag: &str| {
        let found = film
            .root_element()
            .children()
            .find(|it| it.has_tag_name(tag));
        found.unwrap().text().unwrap().to_string()
    };
    assert_eq!(text("title"), "backward walk of L, 3 stops");
    let told = text("desc");
    assert!(
        told.contains("stop 2 of 3: a*b + c = 4, upstream dL/d(a*b + c) = 2"),
        "{told}"
    );
}

#[test]
fn boxes_keep_their_places_and_hold_their_texts() {
    for (lines, target) in SESSIONS {
        for forward in ["", " forward"] {
            let mut desk = Desk::with(lines);
            let content = svg(&mut desk, &format!(":walk {target}{forward} film.svg"));
            let film = Document::parse(&content).unwrap();
            let value = |node: &Node, name: &str| number_in(node.attribute(name).unwrap());
            for group in film.descendants().filter(|it| has_class(it, "node")) {
                let sides = |rect: Node| ["x", "y", "width", "height"].map(|it| value(&rect, it));
                let rects = group.descendants().filter(|it| it.has_tag_name("rect"));
                let mut sides: Vec<_> = rects.map(sides).collect();
                sides.dedup();
                let [[left, _, width, _]] = sides[..] else {
                    panic!("a box moves: {sides:?}");
                };
                let texts = group.descendants();
                for text in texts.filter(|it| has_class(it, "data") || has_class(it, "grad")) {
                    let letters = text.text().unwrap().chars().count() as f64;
                    let end = value(&text, "x") + letters * 0.602 * value(&text, "font-size");
                    assert!(end < left + width, "{target}: {text:?}");
                }
            }
        }
    }
}

#[test]
fn a_film_grows_with_its_graph() {
    let size = |count: usize| {
        let mut desk = Desk::with(&["y = 0.5"]);
        for _ in 0..count {
            desk.line("y = tanh(y)");
        }
        let content = svg(&mut desk, ":walk y film.svg");
        let film = Document::parse(&content).unwrap();
        assert!(Sheet::of(&film).seconds <= 120.0 + 1e-9);
        content.len() as f64
    };
    let (some, many) = (size(50), size(MOST_FILMED));
    assert!(many < some * 4.2, "{some} {many}");
}

#[test]
fn limits_and_mistakes_are_errors() {
    let mut desk = Desk::with(&["a, b = 2, 3", "L = a*b"]);
    let mut error = |line: &str| {
        let error = desk.error(line);
        (
            error.message.clone(),
            error.help.clone().unwrap_or_default(),
        )
    };
    let (message, _) = error(":walk L film.gif");
    assert!(message.contains("`.svg`, `.apng`"), "{message}");
    let (message, _) = error(":walk a film.svg");
    assert!(message.contains("no stops"), "{message}");
    for flag in ["ask", "end"] {
        for line in [
            format!(":walk L film.svg {flag}"),
            format!(":walk L {flag} film.svg"),
        ] {
            let (message, help) = error(&line);
            assert!(
                message.contains(flag) && help.contains(flag),
                "{message} {help}"
            );
        }
    }
    let error = Desk::default().error(":walk film.svg");
    assert!(error.message.contains("no expression"), "{}", error.message);
    let mut desk = Desk::with(&["y = 0.5"]);
    for _ in 0..=MOST_FILMED {
        desk.line("y = tanh(y)");
    }
    let error = desk.error(":walk y film.svg");
    let count = format!("has {} stops", MOST_FILMED + 1);
    assert!(error.message.contains(&count), "{}", error.message);
    let leaves: Vec<String> = (0..=MOST_BOXES).map(|n| format!("v{n} = {n}")).collect();
    let mut desk = Desk::with(&leaves);
    let names: Vec<String> = (0..=MOST_BOXES).map(|n| format!("v{n}")).collect();
    desk.line(&format!("s = sum({})", names.join(", ")));
    let error = desk.error(":walk s film.svg");
    let count = format!("has {} boxes", MOST_BOXES + 2);
    assert!(error.message.contains(&count), "{}", error.message);
}

#[test]
fn the_session_stays_as_it_is() {
    let mut desk = Desk::with(&[
        "a, b, c = 2, -3, 10",
        "d = a*b",
        "L = (d + c)*a",
        ":grad d;",
    ]);
    desk.line(":walk L ask");
    desk.line(":next");
    let mut state = || [":walk", ":vars", ":log"].map(|line| desk.line(line));
    let before = state();
    for line in [
        ":walk L film.svg",
        ":walk L forward film.apng",
        ":walk d*c film.svg",
        ":walk film.svg",
    ] {
        film(&mut desk, line);
        let mut state = || [":walk", ":vars"].map(|line| desk.line(line));
        assert_eq!(state()[..], before[..2], "{line}");
    }
    assert_eq!(desk.line(":next")[0]["position"], 2);
}

#[test]
fn a_film_can_be_stopped() {
    let picture = film(&mut Desk::with(SESSIONS[0].0), ":walk L film.svg");
    for ending in ["svg", "apng"] {
        let draw = || {
            drawn(&picture, ending, &Style::default());
        };
        assert_eq!(interruptible(|| true, draw), Err(Stopped), "{ending}");
    }
}

#[cfg(feature = "png")]
mod pixels {
    use super::*;

    /// A film as a reader shows it: the still picture, and each frame with its seconds.
    struct Played {
        still: Vec<u8>,
        frames: Vec<(Vec<u8>, f64)>,
        size: (u32, u32),
    }

    fn played(content: &[u8]) -> Played {
        let mut reader = png::Decoder::new(std::io::Cursor::new(content))
            .read_info()
            .unwrap();
        let size = reader.info().size();
        let control = *reader.info().animation_control().unwrap();
        assert_eq!(control.num_plays, 0, "it begins again");
        assert_eq!(reader.info().color_type, png::ColorType::Rgba);
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut buffer).unwrap();
        let still = buffer.clone();
        let mut canvas = vec![0; buffer.len()];
        let mut frames = Vec::new();
        for _ in 0..control.num_frames {
            let info = reader.next_frame(&mut buffer).unwrap();
            let frame = *reader.info().frame_control().unwrap();
            assert_eq!((info.width, info.height), (frame.width, frame.height));
            for (place, pixel) in buffer[..info.buffer_size()].chunks_exact(4).enumerate() {
                let (x, y) = (place % frame.width as usize, place / frame.width as usize);
                let (x, y) = (x + frame.x_offset as usize, y + frame.y_offset as usize);
                let at = (y * size.0 as usize + x) * 4;
                if pixel[3] > 0 {
                    canvas[at..at + 4].copy_from_slice(pixel);
                }
            }
            let seconds = f64::from(frame.delay_num) / f64::from(frame.delay_den);
            frames.push((canvas.clone(), seconds));
        }
        Played {
            still,
            frames,
            size,
        }
    }

    #[test]
    fn an_animated_png_has_the_same_frames() {
        let mut desk = Desk::with(SESSIONS[0].0);
        let picture = film(&mut desk, ":walk L film.apng");
        let content = drawn(&picture, "apng", &Style::default());
        let film = played(&content);
        let seconds: Vec<f64> = film.frames.iter().map(|(_, seconds)| *seconds).collect();
        assert_eq!(seconds, [1.5, 1.5, 1.5, 5.0]);
        for pair in film.frames.windows(2) {
            assert!(pair[0].0 != pair[1].0, "every stop changes something");
        }
        // A reader of still pictures shows how it ends.
        assert!(film.frames.last().unwrap().0 == film.still);
        // In each frame the box of the stop is highlighted at its place in the SVG.
        let svg = String::from_utf8(drawn(&picture, "svg", &Style::default())).unwrap();
        let svg = Document::parse(&svg).unwrap();
        let sheet = Sheet::of(&svg);
        for (count, (pixels, _)) in film.frames.iter().enumerate() {
            let time = Some((count as f64 + 0.5) * 1.5);
            let rects = svg.descendants().filter(|it| it.has_tag_name("rect"));
            let rects = rects.filter(|it| it.attribute("x").is_some() && sheet.shows(it, time));
            for rect in rects {
                let side = |name: &str| number_in(rect.attribute(name).unwrap());
                // Below the upper edge, where no letters are.
                let x = (side("x") + side("width") / 2.0) * 2.0;
                let y = (side("y") + 4.0) * 2.0;
                let at = (y as usize * film.size.0 as usize + x as usize) * 4;
                let [red, green, blue] = [pixels[at], pixels[at + 1], pixels[at + 2]];
                let color = format!("#{red:02x}{green:02x}{blue:02x}");
                assert_eq!(rect.attribute("fill"), Some(&*color), "frame {count}");
            }
        }
        let dark = Style {
            dark: true,
            ..Style::default()
        };
        let dark = played(&drawn(&picture, "apng", &dark));
        assert_eq!(dark.frames.len(), 4);
        assert_eq!(
            (&film.still[..4], &dark.still[..4]),
            (&[255; 4][..], &[0x14, 0x17, 0x1c, 255][..])
        );
    }

    #[test]
    fn too_many_pixels_are_an_error() {
        let mut desk = Desk::with(&["y = 0.5; c = 2"]);
        for _ in 0..MOST_FILMED / 2 {
            desk.line("y = tanh(y*c)");
        }
        let picture = film(&mut desk, ":walk y film.apng");
        let none = &mut PictureFonts::default();
        let error = view::picture(&picture, "apng", &Style::default(), none).unwrap_err();
        assert!(
            error.contains("201 frames") && error.contains(".svg"),
            "{error}"
        );
    }
}

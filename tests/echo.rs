//! `--echo`: a script with its answers as Markdown and as a page. The documents are read back: the blocks of the Markdown
//! are pasted, and the page is parsed. `tests/screens/echo.txt` records their text.

use std::fs;

use roxmltree::{Document, Node, ParsingOptions};

use crate::common::process::{Folder, Ran, Talk, run};
use crate::common::project::{Source, scripts};

const LESSON: &str = "#!/usr/bin/env chainrule\n# A slope\n\n# Of *one* line:\n# `a < b` & more.\n\na = 2 # two\n\nL = (a^2 +\n     1)\n\
                      ## The slope\n\n# First\n#\n# Second\n:grad L\n";

/// A run of the lesson with this standard input, in a folder of its own.
fn lesson(arguments: &[&str], input: &str) -> Ran {
    let arguments: Vec<&str> = arguments.iter().copied().chain(["-"]).collect();
    run(&arguments, input)
}

/// The output of a run without failures.
fn echo_output(format: &str, input: &str) -> String {
    let ran = lesson(&[format], input);
    let has_notes_alone = ran.err.lines().all(|line| line.contains(": note: "));
    assert!(
        ran.status == Some(0) && has_notes_alone,
        "{input}{}",
        ran.err
    );
    ran.out
}

/// The table of the lesson's last answer.
const TABLE: &str = concat!(
    "  node   expression   data   grad\n",
    "  L      a^2 + 1         5      1\n",
    "  a^2                    4      1\n",
    "  a      leaf            2      4\n",
);

/// The blocks of a Markdown text: their marks and their lines.
fn blocks(markdown: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut lines = markdown.lines();
    while let Some(line) = lines.next() {
        let mark = line.trim_start_matches('`');
        let fence = &line[..line.len() - mark.len()];
        if fence.len() < 3 {
            continue;
        }
        let ends = |line: &&str| {
            line.trim_end()
                .strip_prefix(fence)
                .is_some_and(|rest| rest.trim_matches('`').is_empty())
        };
        let mut text = String::new();
        for line in lines.by_ref().take_while(|line| !ends(line)) {
            text.push_str(line);
            text.push('\n');
        }
        blocks.push((mark, text));
    }
    blocks
}

/// The blocks of statements and answers.
fn cells(markdown: &str) -> String {
    let blocks = blocks(markdown).into_iter();
    blocks
        .filter_map(|(mark, text)| (mark == "chainrule").then_some(text))
        .collect()
}

#[test]
fn the_blocks_of_every_example_can_be_pasted() {
    let options = ["--no-init", "--keep-going", "--echo=md"];
    for Source { path, text } in scripts() {
        let (folder, path) = Folder::of_script(&path);
        let run = |arguments: &[&str], input: &str| folder.run(arguments, input);
        let first = run(&[&options[..], &[&path]].concat(), "");
        let statements = cells(&first.out);
        assert!(statements.starts_with("∂> "), "{path}: {first:?}");
        let second = run(&options, &statements);
        assert_eq!(cells(&second.out), statements, "{path}");
        assert_eq!(second.status, first.status, "{path}");
        // The answers are those of the script without a document.
        let plain = run(&["--no-init", "--keep-going", "-"], &text);
        for line in plain.out.lines().filter(|line| line.len() < 60) {
            assert!(statements.contains(line.trim_end()), "{path}: {line}");
        }
    }
}

#[test]
fn what_is_hard_to_quote_can_be_pasted() {
    for input in [
        // Errors and notes, alone and in the middle, with a caret below them.
        "a = 2\nb = q + 1\n1/0\nc = (1 +\n  q)\n",
        "a = (2\nb = 3\n",
        // Definitions over several lines, with comments and blank lines inside.
        "def f(x):\n  # a comment\n  y = 2*x\n\n  return y + 1\nf(3)\n",
        "def f(x):\n    if x > 0:\n        return x\n    return -x\nf(-3)\n",
        "   a = [1,\n        2,\n      3]\n\n\nb = 1 + \\\n  2\n",
        "a = '```'\n# ````\n# a\n# ````\nb = '`````'\nc = 2\n",
        // Several statements in a line, silent ones, and lines of Python.
        "a = 1; b = 2\nc = 3;\nimport math\nd = math.exp(a)\nd> 2\n",
        "d = 1\nd> 2\na = 5 ± 2%\n∂> 2\n",
    ] {
        let options = &["--echo=md", "--keep-going"];
        let first = lesson(options, input);
        let statements = cells(&first.out);
        let second = lesson(options, &statements);
        assert_eq!(cells(&second.out), statements, "{input}\n{}", first.out);
        assert_eq!(second.status, first.status, "{input}");
    }
}

/// The page as a tree. A page is well-formed XML, so a strict parser reads it.
fn parse_page(page: &str) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(page, options).unwrap_or_else(|error| panic!("{error}:\n{page}"))
}

/// All elements of this name, in their order.
fn elements<'d>(page: &'d Document<'d>, name: &str) -> Vec<Node<'d, 'd>> {
    let named = |node: &Node| node.tag_name().name() == name;
    page.descendants().filter(named).collect()
}

/// The text in an element, without the style sheets of pictures.
fn text(node: Node) -> String {
    match node.tag_name().name() {
        "style" => String::new(),
        "math" => node.attribute("alttext").expect("it is there").to_owned(),
        _ if node.is_text() => node.text().unwrap_or_default().to_owned(),
        _ => node.children().map(text).collect(),
    }
}

#[test]
fn a_page_says_what_the_text_says() {
    let page = echo_output("--echo=html", LESSON);
    assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
    let tree = parse_page(&page);
    let words =
        |name: &str| -> Vec<String> { elements(&tree, name).into_iter().map(text).collect() };
    assert_eq!(words("title"), ["A slope"]);
    assert_eq!(
        (words("h1"), words("h2")),
        (vec!["A slope".into()], vec!["The slope".into()])
    );
    assert_eq!(
        words("p"),
        [
            "Of one line:\na < b & more.",
            "a = 2",
            "L = 5",
            "First",
            "Second"
        ]
    );
    assert_eq!(
        (words("em"), words("code")),
        (
            vec!["one".into()],
            ["a < b", "a", "L"].map(String::from).to_vec()
        )
    );
    assert_eq!(
        words("kbd"),
        [
            "∂> a = 2 # two\n",
            "∂> L = (a^2 +\n …      1)\n",
            "∂> :grad L\n"
        ]
    );
    assert_eq!(words("pre"), words("kbd"));
    let squeeze = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(squeeze(&words("table").concat()), squeeze(TABLE));
    assert_eq!(words("td").len(), 12);
    let meta = elements(&tree, "meta");
    let known =
        |name: &str, value: &str| meta.iter().any(|meta| meta.attribute(name) == Some(value));
    assert!(
        known("charset", "utf-8") && known("name", "viewport") && known("name", "color-scheme")
    );
    assert!(page.contains("prefers-color-scheme:dark") && page.contains("@media print"));
}

#[test]
fn the_page_of_every_example_is_well_formed() {
    for Source { path, .. } in scripts() {
        let (folder, path) = Folder::of_script(&path);
        let options = ["--no-init", "--keep-going", "--echo=html", &path];
        let page = folder.run(&options, "").out;
        let tree = parse_page(&page);
        let is_answer = |node: &Node| {
            let class = node.attribute("class").unwrap_or_default();
            ["line", "answer", "chainrule"].contains(&class)
        };
        let answers = tree.descendants().filter(is_answer).count();
        assert!(answers > 0, "{path}");
        assert!(!elements(&tree, "title").is_empty(), "{path}");
    }
}

#[test]
fn a_page_shows_foreign_text_as_text() {
    let script = "# <script>alert(1)</script> & [a](javascript:b) ![c](http://d/e.png)\n\na = '<b>&'\nx = 1 # <i> \u{1b}[1m\n";
    let ran = lesson(&["--echo=html", "--keep-going"], script);
    let tree = parse_page(&ran.out);
    for name in ["script", "b", "i", "img"] {
        assert!(elements(&tree, name).is_empty(), "{name}: {}", ran.out);
    }
    let addresses: Vec<_> = elements(&tree, "a")
        .iter()
        .map(|a| a.attribute("href"))
        .collect();
    assert_eq!(addresses, [Some(""), Some("http://d/e.png")]);
    let shown = text(tree.root_element());
    assert!(shown.contains("\na = '<b>&'\n"), "{shown}");
    assert!(shown.contains("∂> x = 1 # <i> \\u{1b}[1m\n"), "{shown}");
}

#[test]
fn pictures_stand_in_their_places() {
    let folder = Folder::new();
    let script = "a = 3\nL = a^2\n:graph L L.svg\n# Words\n:plot L a=-1..1 'my plot.svg'; b = 2\n";
    let ran = folder.run(&["--echo=html"], script);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let page = ran.out;
    let tree = parse_page(&page);
    let main = elements(&tree, "main")[0];
    let names: Vec<&str> = main
        .children()
        .flat_map(|section| section.children())
        .filter(Node::is_element)
        .map(|node| node.tag_name().name())
        .collect();
    assert_eq!(
        names,
        [
            "pre", "p", "pre", "p", "pre", "p", "figure", "pre", "p", "figure"
        ]
    );
    // The pictures are those of the files.
    let figure = fs::read_to_string(folder.0.join("L.svg")).expect("the picture was written");
    let element = &figure[figure.find("<svg").expect("it is SVG")..];
    assert!(page.contains(element));
    // Nothing is fetched.
    for node in main.descendants() {
        assert!(
            node.attribute("src")
                .is_none_or(|src| src.starts_with("data:")),
            "{node:?}"
        );
    }
}

/// A page shows what a terminal draws as pictures, each with a title; Markdown keeps the drawing.
#[test]
fn a_page_has_pictures_in_place_of_drawings() {
    let script =
        "a, b = 3, 2\nL = a^2*b\n:graph L\n:plot L a=-1..1\n:plot L a=-1..1 b=-1..1\n:graph L;\n";
    let page = echo_output("--echo=html", script);
    let tree = parse_page(&page);
    let titles: Vec<_> = elements(&tree, "svg")
        .iter()
        .map(|svg| svg.attribute("aria-label"))
        .collect();
    let expected = ["graph of L, 5 nodes", "L over a", "L over a and b"];
    assert_eq!(titles, expected.map(Some));
    let drawn =
        |text: &str| text.contains('╭') || text.contains(|sign| ('⠀'..='⣿').contains(&sign));
    assert!(!drawn(&page), "{page}");
    assert!(drawn(&echo_output("--echo=md", script)));
}

#[test]
fn it_is_written_as_it_is_made() {
    let mut talk = Talk::start(&["--no-init", "--echo=md"]);
    talk.say("# Words\n\na = 2\n");
    assert_eq!(
        [talk.hear(), talk.hear(), talk.hear()],
        ["# Words", "", "```chainrule"]
    );
    assert_eq!([talk.hear(), talk.hear()], ["∂> a = 2", "a = 2"]);
    talk.say("a^2\n");
    assert_eq!([talk.hear(), talk.hear()], ["∂> a^2", "4"]);
    let (status, rest, _) = talk.end();
    assert_eq!((status, rest), (Some(0), vec!["```".to_string()]));
}

#[test]
fn a_worksheet_tells_no_hint_and_no_reset() {
    let script = "# Title\n#\n# An empty desk.\n:reset;\na = 2\nL = a^3\n\
                  # How fast?\n# hint: three times the square\n# of a\n:guess a 12 of L\n";
    let [sheet, key] =
        ["--gaps", "--key"].map(|part| body_of(&lesson(&["--echo=html", part], script).out));
    for words in ["reset", "empty desk", "hint", "square"] {
        assert!(!sheet.contains(words), "{words} in {sheet}");
        assert!(!key.contains(words), "{words} in {key}");
    }
    assert!(
        sheet.contains("Title") && sheet.contains("How fast?"),
        "{sheet}"
    );
    // A document with answers has the session's numbers, and no hint either.
    let page = echo_output("--echo=md", script);
    assert!(
        page.contains(":reset;") && page.contains("How fast?"),
        "{page}"
    );
    assert!(!page.contains("hint") && !page.contains("of a\n"), "{page}");
}

/// The text of a page.
fn body_of(page: &str) -> String {
    text(elements(&parse_page(page), "main")[0])
}

/// The lines of the text of a page, without empty ones.
fn lines_of(page: &str) -> Vec<String> {
    let body = body_of(page);
    let lines = body
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect()
}

#[test]
fn a_worksheet_asks_questions_and_for_values() {
    let script = "# Products\n\n# Name: ____\n\na, b = 2, -3\nL = a*b   # ?\n# ask: Which leaf\n# moves L?\n# answer: a\n\
                  # answer: the first\n# hint: compare\n# Now.\n:guess a b of L\n# ask: Why?\n\n# More.\n:grad L\n:graph L  # ?\n\
                  :plot L a=0..5  # ?\n# ask: Why?\n# answer: b\n:answer b\n";
    let sheet = lesson(&["--echo=html", "--gaps"], script).out;
    assert!(
        sheet.contains("<p>Name: <span class=\"blank\"></span></p>"),
        "{sheet}"
    );
    let line = "_".repeat(40);
    let lines = lines_of(&sheet);
    assert_eq!(
        lines[..13],
        [
            "Products",
            "Name:",
            "1∂> a, b = 2, -3",
            "a = 2, b = -3",
            "2∂> L = a*b",
            "L = __________",
            "3Which leaf moves L?",
            &line,
            "Now.",
            "4∂> :guess a __________ of L",
            "5Why?",
            &line,
            "More.",
        ]
    );
    // Data and grad of L in its table, and in its box.
    let picture = &sheet[sheet.find("<figure").expect("a picture")..];
    assert!(
        !picture.contains(">-6<") && picture.contains(">-3<"),
        "{picture}"
    );
    let gap = "_".repeat(10);
    assert!(
        sheet.contains(&format!(">at a = {gap}: L = {gap}, slope {gap}<")),
        "{sheet}"
    );
    assert!(!sheet.contains("right:"), "{sheet}");
    let key_page = lesson(&["--echo=html", "--key"], script).out;
    assert!(key_page.contains(">at a = 2: L = -6, slope -3<"));
    let key = lines_of(&key_page);
    assert!(key.last().is_some_and(|line| line.starts_with("right:")));
    assert_eq!(
        key[..7],
        [
            "Products: answers",
            "2∂> L = a*b",
            "L = -6",
            "3Which leaf moves L?",
            "a or the first",
            "4∂> :guess a b of L",
            "right: dL/da = -3",
        ]
    );
    let whys = key.iter().filter(|line| line.contains("Why?"));
    assert_eq!(whys.count(), 1, "{key:?}");
    // Without gaps, a document has the answers.
    let page = echo_output("--echo=md", script);
    assert!(
        page.contains("Which leaf moves L?\n\n*Answer:* a or the first\n"),
        "{page}"
    );
    assert!(
        page.contains("∂> L = a*b\nL = -6") && !page.contains("hint"),
        "{page}"
    );
}

/// A worksheet tells no grad, in whatever way the statement reads it, and hides no other number.
#[test]
fn a_worksheet_has_gaps_for_grads_in_every_spelling() {
    let gap = "_".repeat(10);
    let (one, two) = (gap.clone(), format!("{gap} {gap}"));
    let script = "a, b = 2, 3\nL = a*b\nf(x) = x^2\nL.backward();\n";
    for (statement, answer) in [
        (":gu a 3 of L", ""),
        ("grad (L, a)", &*two),
        ("g = dL/da", &format!("g = {one}")),
        ("d1, d2 = 6, 3; d1/d2", "2"),
        (
            ":explain a of L",
            &format!("dL/da = {one} one path steplocal=product L → ab3{one} closed dL/da = {one}"),
        ),
        ("f' (3)", &one),
        ("f’(3)", &one),
        ("print(f\"{a.grad:.2f}\")", &one),
        ("print(\"%.1f\" % a.grad)", &one),
        ("print(a.grad, end=\"\")", &one),
        ("print(\"grad(\", a)", "grad( 2"),
        ("map(lambda v: v.grad, [a, b])", &one),
        (
            ":step 0.1*a.grad",
            &format!(
                "leafbeforegradchangeafternew grad b 3{gap}{gap}{gap}{gap} a 2{gap}{gap}{gap}{gap} L: 6 → {gap} (down, rate 0.3)"
            ),
        ),
        ("c = 1 ± a.grad", &format!("c = {one}")),
        ("upgrad(x) = 2x; upgrad(3)", "6"),
        ("g(x) = f'(x); g(3)", &one),
        ("def show(): print(a.grad)\nshow()", &one),
        ("f'   # ?", &format!("f'(x) = {one}")),
        ("g(x) = f'(x)   # ?", &format!("g(x) = {one} = {one}")),
        (":formula f   # ?", &format!("f(x) = {one} f'(x) = {one}")),
        (":formula f steps   # ?", &format!("power (x^2)' = {one}")),
        (
            "derivative of x^2   # ?",
            &format!("→ :formula (x^2) {one} d/dx = {one}"),
        ),
    ] {
        let script = format!("{script}{statement}\n");
        let sheet = lesson(&["--echo=html", "--gaps"], &script);
        let last = lines_of(&sheet.out).join(" ");
        let typed = statement.replace("   # ?", "");
        let asked = typed.replace(":gu a 3", &format!(":gu a {gap}"));
        let shown = last.rsplit("∂> ").next().expect("a statement");
        let last_line = asked.rsplit('\n').next().expect("a line");
        assert_eq!(
            shown,
            format!("{last_line} {answer}").trim_end(),
            "{statement}"
        );
        let key = body_of(&lesson(&["--echo=html", "--key"], &script).out);
        assert!(!key.contains(&gap), "{key}");
        assert_eq!(
            answer.contains(&gap) || statement.starts_with(":gu"),
            key.contains("∂>"),
            "{key}"
        );
    }
}

/// With the rate and the new data of a step, a grad can be read off, as it can with the new root.
#[test]
fn a_worksheet_has_gaps_for_numbers_that_tell_a_grad() {
    for (statement, told) in [
        (":step 0.01", vec!["0.04", "1.04", "3.8416", "-3.92"]),
        (":step 0.01 2", vec!["1.0792", "3.68947"]),
        (":nudge a 0.01", vec!["3.9601", "-3.99"]),
        ("a.data -= 0.5*a.grad", vec!["1 → 3", "-2 → 0", "4 → 0"]),
        (":budget L", vec!["-4", "-1"]),
        (":minimize L wrt a where a <= 2", vec!["price -2", "-2"]),
        ("for k in range(1): print(a.grad)", vec!["-4"]),
        (":grad L", vec!["-4"]),
        (":graph L", vec!["-4"]),
        (":plot L a=-3..3", vec!["slope -4"]),
        (":check L", vec!["-4"]),
        (":explain a", vec!["= -4"]),
        (":wrong overwrite L", vec!["-4"]),
        (":walk 3*L; :next all", vec!["-12"]),
    ] {
        let script = format!("a = 1 ± 0.1\nL = (a - 3)^2\n:grad L\n{statement}\n");
        let answer = |option: &str| {
            let page = body_of(&lesson(&["--echo=html", option], &script).out);
            page.split_once(statement)
                .expect("it is there")
                .1
                .to_owned()
        };
        let (question, solution) = (answer("--gaps"), answer("--key"));
        for number in told {
            let is_shown = |text: &str| text.replace('\u{2212}', "-").contains(number);
            assert!(!is_shown(&question), "{number}: {question}");
            assert!(is_shown(&solution), "{number}: {solution}");
        }
    }
}

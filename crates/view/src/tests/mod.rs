//! Tests of the text and JSON views: the output that is expected for given reports, notes and errors.
//!
//! Expected text is written as a block whose first line is empty, so that columns can be compared by eye.

// Lists of expected screens are long, but simple to read.
#![allow(clippy::unwrap_used)]

use super::theme::Theme;
use super::{StatementPlace, Style};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Block, Cell, Column, Fact, Note, Piece, Report, ReportKind, Table};

fn plain(width: impl Into<Option<usize>>) -> Style {
    Style {
        width: width.into(),
        ..Style::default()
    }
}

/// The text of a table. Fails if a row ends with a blank.
fn table(table: &Table, style: &Style) -> String {
    let blocks = vec![Block::Table(table.clone())];
    let mut out = String::from("\n");
    super::report(
        &Report {
            blocks,
            ..Report::default()
        },
        style,
        &mut out,
    );
    for line in out.lines() {
        assert_eq!(line, line.trim_end(), "trailing blanks in {out}");
    }
    out
}

fn name(text: &str) -> Cell {
    Cell::Name(text.into())
}

fn formula(text: &str) -> Cell {
    Cell::Formula(text.into())
}

fn leaf() -> Cell {
    Cell::Dim("leaf".into())
}

const N: fn(f64) -> Cell = Cell::Number;
const C: fn(f64, f64) -> Cell = Cell::Change;

fn grad() -> Table {
    Table {
        key: "rows",
        columns: vec![
            Column::machines("id"),
            Column::new("node", "node"),
            Column::new("expression", "expression").rank(1),
            Column::new("data", "data"),
            Column::new("grad", "grad"),
        ],
        rows: vec![
            vec![
                Cell::Count(7),
                name("L"),
                formula("(a*b + c)*f"),
                N(-8.0),
                N(1.0),
            ],
            vec![
                Cell::Count(6),
                name("a*b + c"),
                Cell::Empty,
                N(4.0),
                N(-2.0),
            ],
            vec![Cell::Count(3), name("c"), leaf(), N(10.0), Cell::Missing],
        ]
        .into(),
        omitted: None,
    }
}

/// A table with all kinds of difficult columns.
fn awkward() -> Table {
    let mut table = grad();
    let long = "a_name_of_forty_letters_and_some_more_1";
    table.rows = vec![
        vec![
            Cell::Count(1),
            name(long),
            formula("tanh(x1*w1 + x2*w2 + b)*exp(-x1^2)"),
            N(f64::NAN),
            N(-0.0),
        ],
        vec![
            Cell::Count(2),
            name("数数数"),
            formula("x"),
            N(1e300),
            N(f64::NEG_INFINITY),
        ],
        vec![
            Cell::Count(3),
            name("π"),
            leaf(),
            N(std::f64::consts::FRAC_1_SQRT_2),
            N(-1.234_567e-7),
        ],
    ]
    .into();
    table.omitted = Some((12, ":config table-rows all".into()));
    table
}

fn changes() -> Table {
    Table {
        key: "",
        columns: ["node", "data", "grad"]
            .into_iter()
            .map(Column::people)
            .collect(),
        rows: vec![
            vec![name("L"), C(-8.0, -2.0), N(1.0)],
            vec![name("f"), N(-2.0), C(4.0, 1.0)],
            vec![name("b"), C(-3.0, -3.0), C(f64::NAN, f64::NAN)],
            vec![name("o"), C(0.5, 10.25), C(-4.0, -5.9094)],
        ]
        .into(),
        omitted: Some((1, ":vars".into())),
    }
}

fn step() -> Table {
    let titles = ["leaf", "before", "grad", "change", "after", "new grad"];
    Table {
        key: "",
        columns: titles.into_iter().map(Column::people).collect(),
        rows: vec![
            vec![name("f"), N(-2.0), N(1.0), N(-0.01), N(-2.01), N(1.3764)],
            vec![name("c"), N(10.0), N(-2.0), N(0.02), N(10.02), N(-2.01)],
        ]
        .into(),
        omitted: None,
    }
}

#[test]
fn tables() {
    let cases = [
        (
            grad(),
            plain(None),
            "
  node      expression    data   grad
  L         (a*b + c)*f     -8      1
  a*b + c                    4     -2
  c         leaf            10      ·
",
        ),
        (
            changes(),
            plain(None),
            "
  node   data           grad
  L      -8   → -2         1
  f      -2                4 →  1
  b      -3              NaN
  o       0.5 → 10.25     -4 → -5.9094
  … 1 more row: :vars
",
        ),
        (
            step(),
            plain(None),
            "
  leaf   before   grad   change   after   new grad
  f          -2      1    -0.01   -2.01     1.3764
  c          10     -2     0.02   10.02    -2.01
",
        ),
        (
            // First the gap between columns shrinks to two blanks.
            step(),
            plain(47),
            "
  leaf  before  grad  change  after  new grad
  f         -2     1   -0.01  -2.01    1.3764
  c         10    -2    0.02  10.02   -2.01
",
        ),
        (
            // Then words are shortened: the longest ones first, in their middle.
            awkward(),
            plain(80),
            "
  node                      expression                      data           grad
  a_name_of_forty_…_more_1  tanh(x1*w1 + x2*…(-x1^2)  NaN           -0
  数数数                    x                           1e300     -inf
  π                         leaf                        0.707107    -1.23457e-7
  … 12 more rows: :config table-rows all
",
        ),
        (
            // Then the column of the highest rank is dropped.
            awkward(),
            plain(40),
            "
  node               data           grad
  a_name_…e_1  NaN           -0
  数数数         1e300     -inf
  π              0.707107    -1.23457e-7
  … from 55 columns on: expression
  … 12 more rows: :config table-rows all
",
        ),
        (
            // If even that is not enough, columns are left out from the right.
            step(),
            plain(30),
            "
  leaf  before  grad  change
  f         -2     1   -0.01
  c         10    -2    0.02
  … from 45 columns on: after,
    new grad
",
        ),
    ];
    for (given, style, expected) in cases {
        let text = table(&given, &style);
        assert_eq!(text, expected, "{style:?}, is{text}expected{expected}");
    }
}

/// In a narrow window a column may be left out, but no digit of a number that is to have all of them.
#[test]
fn no_digit_is_dropped_for_want_of_room() {
    let digits = |width| {
        let style = Style {
            table_digits: 17,
            ..plain(width)
        };
        table(&awkward(), &style)
    };
    for width in 0..120 {
        let text = digits(width);
        assert_eq!(
            text.contains("1.23"),
            text.contains("-1.234567e-7"),
            "{text}"
        );
    }
    assert!(digits(119).contains("-1.234567e-7"));
}

#[test]
fn odd_tables() {
    let list = |rows: Vec<Vec<Cell>>| Table {
        columns: vec![Column::people(""), Column::people("")],
        rows: rows.into(),
        ..Table::default()
    };
    let cases = [
        (Table::default(), ""),
        (list(Vec::new()), ""),
        // Without titles there is no head; a short row is filled up; the user's text is cleaned.
        (
            list(vec![
                vec![name("a"), Cell::Text("x\u{1b}[1m".into())],
                vec![name("b")],
            ]),
            "  a   x\\u{1b}[1m\n  b\n",
        ),
        // Columns for JSON only: nothing is shown.
        (
            Table {
                key: "rows",
                columns: vec![Column::machines("id")],
                rows: vec![vec![Cell::Count(1)]].into(),
                omitted: Some((3, "x".into())),
            },
            "",
        ),
    ];
    for (given, expected) in cases {
        assert_eq!(
            table(&given, &plain(None)),
            format!("\n{expected}"),
            "{given:?}"
        );
    }
}

#[test]
fn colors() {
    let style = Style {
        theme: Some(Theme::Terminal),
        ..Style::default()
    };
    let cases = [
        (
            Block::Line(vec![
                Piece::name("L"),
                Piece::plain(" = "),
                Piece::Number(-8.0),
            ]),
            "\u{1b}[38;5;63mL\u{1b}[0m = -8\n",
        ),
        (
            Block::Table(Table {
                columns: vec![Column::people("x")],
                rows: vec![vec![name("a")], vec![Cell::Missing]].into(),
                ..Table::default()
            }),
            "\u{20}\u{20}\u{1b}[1mx\u{1b}[0m\n  \u{1b}[38;5;63ma\u{1b}[0m\n  \u{1b}[38;5;243m·\u{1b}[0m\n",
        ),
        (
            Block::Code("a = 1\r\n\tb\u{7}".into()),
            "a = 1\\u{d}\n\tb\\u{7}\n",
        ),
    ];
    for (block, expected) in cases {
        let mut out = String::new();
        super::report(
            &Report {
                blocks: vec![block],
                ..Report::default()
            },
            &style,
            &mut out,
        );
        assert_eq!(out, expected);
    }
}

/// The colour is the same in sentences, tables and notes, and no other number has it.
#[test]
fn what_is_not_finite_has_a_colour_of_its_own() {
    for (theme, code) in [
        (Theme::Terminal, "38;5;163"),
        (Theme::Dark, "38;5;206"),
        (Theme::Light, "38;5;161"),
        (Theme::Plain, "7"),
    ] {
        let style = Style {
            theme: Some(theme),
            ..Style::default()
        };
        let cells = [
            N(f64::NAN),
            N(f64::INFINITY),
            Cell::FirstNotFinite(f64::NAN),
            N(2.0),
        ];
        let blocks = vec![
            Block::Line(vec![Piece::Number(f64::NAN), Piece::Number(2.0)]),
            Block::Table(Table {
                columns: vec![Column::people("x")],
                rows: cells.map(|cell| vec![cell]).to_vec().into(),
                ..Table::default()
            }),
        ];
        let report = Report {
            blocks,
            ..Report::default()
        };
        let mut out = String::new();
        super::report(&report, &style, &mut out);
        let place = StatementPlace::new(None, 1, "ln(a)");
        super::note(
            &Note::new(vec![Piece::Number(f64::NAN)]),
            &place,
            &style,
            &mut out,
        );
        let marked = |text: &str| out.matches(&format!("\u{1b}[{code}m{text}")).count();
        let found = ["NaN", "first NaN", "inf", "2"].map(marked);
        assert_eq!(found, [3, 1, 1, 0], "{theme:?}: {out:?}");
    }
}

fn error(diagnostic: &Diagnostic, file: Option<&str>, text: &str, width: Option<usize>) -> String {
    let mut out = String::from("\n");
    super::diagnostic(
        diagnostic,
        Some(&StatementPlace::new(file, 9, text)),
        &plain(width),
        &mut out,
    );
    out
}

/// An error, the file and the text it is in, the width of the terminal, and the expected output.
type Case<'c> = (Diagnostic, Option<&'c str>, &'c str, Option<usize>, &'c str);

#[test]
fn errors() {
    let unknown = || Diagnostic::new("unknown name `alhpa`").at(5..10);
    let help = "`:vars` lists all names";
    let line = "L2 = alhpa + 1";
    let long = format!(
        "y = {}alhpa{}",
        "x1*w1 + ".repeat(50),
        " + x2*w2".repeat(50)
    );
    let open = "y = (a +\r\n\n 数 * \t\u{1b}[m +\nb";
    let cases: Vec<Case> = vec![
        (
            unknown().help(help),
            None,
            line,
            None,
            "
error: unknown name `alhpa`
      L2 = alhpa + 1
           ^^^^^ `:vars` lists all names
",
        ),
        (
            unknown().help(help),
            None,
            line,
            Some(30),
            "
error: unknown name `alhpa`
      L2 = alhpa + 1
           ^^^^^
       `:vars` lists all names
",
        ),
        (
            unknown()
                .label("no such name")
                .other(0..2, "to be bound")
                .help(help),
            Some("a\u{1b}.calc"),
            line,
            None,
            "
error: unknown name `alhpa`
 --> a\\u{1b}.calc:9:6
9 | L2 = alhpa + 1
  |      ^^^^^ no such name
  | -- to be bound
help: `:vars` lists all names
",
        ),
        (
            Diagnostic::new("`(` was never closed")
                .at(30..99)
                .label("expected `)`")
                .other(4..5, "opened here"),
            Some("-"),
            open,
            None,
            "
error: `(` was never closed
  --> -:12:2
 9 | y = (a +
   |     - opened here
  …
12 | b
   |  ^ expected `)`
",
        ),
        (
            // Wide characters, tabs and controls: carets align with what is visible and never cover a line break.
            Diagnostic::new("control character U+001B").at(19..20),
            None,
            open,
            None,
            "
error: control character U+001B
       数 *  \\u{1b}[m +
             ^^^^^^
",
        ),
        (
            Diagnostic::new("several lines").at(8..40),
            None,
            open,
            None,
            "
error: several lines
       数 *  \\u{1b}[m +
       ^^^^^^^^^^^^^^^^
",
        ),
        (
            Diagnostic::new("unknown name `alhpa`").at(404..409),
            None,
            &long,
            Some(60),
            "
error: unknown name `alhpa`
      …+ x1*w1 + x1*w1 + x1*w1 + alhpa + x2*w2 + x2*w2 + x2…
                                 ^^^^^
",
        ),
        (
            Diagnostic::new("no such file `x`").help("write it first\nor not"),
            Some("a.calc"),
            "\n :load x\n",
            None,
            "
error: no such file `x`
  --> a.calc:10:2
10 |  :load x
help: write it first
      or not
",
        ),
        (
            Diagnostic::new("no such file `x`"),
            None,
            ":load x",
            None,
            "\nerror: no such file `x`\n",
        ),
    ];
    for (diagnostic, file, text, width, expected) in cases {
        let text = error(&diagnostic, file, text, width);
        assert_eq!(text, expected, "is{text}expected{expected}");
    }
}

#[test]
fn any_span_stands() {
    let texts = [
        "",
        "\n",
        "a",
        "数\u{301}x\r\n\n  y",
        "\u{301}\u{301}\t\t",
        &"数".repeat(99),
    ];
    for text in texts {
        for (start, end) in (0..12).flat_map(|start| (0..12).map(move |end| (start, end))) {
            for width in [Some(0), Some(30), None] {
                let given = Diagnostic::new("x")
                    .at(start..end)
                    .other(end..start, "y")
                    .help("z");
                for file in [Some("f"), None] {
                    let out = error(&given, file, text, width);
                    assert!(out.lines().all(|line| line == line.trim_end()), "{out:?}");
                }
                let mut out = String::new();
                let place = StatementPlace::new(None, 1, text);
                super::json::diagnostic(&given, Some(&place), "-", 1, &mut out);
                serde_json::from_str::<serde_json::Value>(&out).unwrap();
            }
        }
    }
}

#[test]
fn a_very_long_line_is_not_walked() {
    let text = "数+".repeat(2_500_000);
    let text = format!("{text}alhpa{text}");
    let at = text.len() / 2;
    let start = std::time::Instant::now();
    let out = error(
        &Diagnostic::new("x").at(at..at + 2),
        Some("f"),
        &text,
        Some(80),
    );
    assert!(out.len() < 500);
    // Takes milliseconds; the limit allows for a busy machine.
    assert!(start.elapsed().as_millis() < 500, "{:?}", start.elapsed());
}

#[test]
fn notes() {
    let message = vec![
        Piece::formula("ln(-8.6436)"),
        Piece::plain(" is "),
        Piece::Number(f64::NAN),
    ];
    let label = vec![Piece::plain("is "), Piece::Number(-8.6436)];
    let placed = Note {
        message: message.clone(),
        place: Some((3..6, label)),
        is_fault: true,
        unknown_names: Vec::new(),
    };
    let cases = [
        (
            placed.clone(),
            None,
            "note: ln(-8.6436) is NaN\n      ln(a*b)\n         ^^^ is -8.6436\n",
        ),
        (
            placed,
            Some("s.calc"),
            "s.calc:3: note: ln(-8.6436) is NaN\n",
        ),
        (Note::new(message), None, "note: ln(-8.6436) is NaN\n"),
    ];
    for (note, file, expected) in cases {
        let mut out = String::new();
        super::note(
            &note,
            &StatementPlace::new(file, 3, "ln(a*b)"),
            &plain(80),
            &mut out,
        );
        assert_eq!(out, expected);
    }
}

/// The object without the fields that all objects have. Checks that it is one line that another parser accepts.
fn json(report: &Report) -> String {
    let mut out = String::new();
    super::json::report(report, &[], "-", 5, &mut out);
    serde_json::from_str::<serde_json::Value>(&out).unwrap();
    assert_eq!(out.find('\n'), Some(out.len() - 1));
    let frame = |text: &str| out.contains(text).then(|| out.clone());
    let start = frame("{\"kind\":\"x\",\"file\":\"-\",\"line\":5,")
        .unwrap()
        .find("5,")
        .unwrap()
        + 2;
    out[start..]
        .strip_suffix("\"notes\":[]}\n")
        .unwrap()
        .trim_end_matches(',')
        .to_owned()
}

#[test]
fn facts_as_json() {
    let text = |text: &str| Fact::Text(text.into());
    let cases = [
        (Fact::Null, "null"),
        (Fact::Flag(true), "true"),
        (Fact::Count(u64::MAX), "18446744073709551615"),
        (Fact::Number(-8.0), "-8"),
        (Fact::Number(2.75), "2.75"),
        (Fact::Number(-0.0), "-0.0"),
        (Fact::Number(0.0), "0"),
        (Fact::Number(1e300), "1e300"),
        (Fact::Number(1e-6), "1e-6"),
        (
            Fact::Number(-2.766_564_000_000_000_2),
            "-2.7665640000000002",
        ),
        (Fact::Number(f64::NAN), "\"NaN\""),
        (Fact::Number(f64::INFINITY), "\"Infinity\""),
        (Fact::Number(f64::NEG_INFINITY), "\"-Infinity\""),
        (
            text("π \"q\" \\ \n\t\r\u{1b}\u{202e}/"),
            r#""π \"q\" \\ \n\t\r\u001b\u202e/""#,
        ),
        (text("\u{e0041}数"), r#""\udb40\udc41数""#),
        (Fact::List(Vec::new()), "[]"),
        (
            Fact::List(vec![
                Fact::Count(1),
                Fact::List(vec![Fact::Null]),
                Fact::Record(vec![]),
            ]),
            "[1,[null],{}]",
        ),
        (
            Fact::Record(vec![("b", Fact::List(vec![text("x")])), ("a", Fact::Null)]),
            r#"{"b":["x"],"a":null}"#,
        ),
    ];
    for (fact, expected) in cases {
        let report = Report {
            kind: ReportKind::Command("x"),
            facts: vec![("k", fact)],
            ..Report::default()
        };
        assert_eq!(json(&report), format!("\"k\":{expected}"));
    }
}

#[test]
fn tables_as_json() {
    let cells = Table {
        key: "rows",
        columns: vec![
            Column::machines("a"),
            Column::people("b"),
            Column::new("c", "c"),
            Column::people("d"),
        ],
        rows: vec![
            vec![Cell::Missing, N(1.0), Cell::Empty, N(1.0)],
            vec![
                Cell::Fact([6_u64, 4].into_iter().collect()),
                N(1.0),
                Cell::Fact(["x", "y"].into_iter().collect()),
                N(1.0),
            ],
            vec![
                Cell::Fact(false.into()),
                N(1.0),
                Cell::Dim("leaf".into()),
                N(1.0),
            ],
        ]
        .into(),
        omitted: Some((1, String::new())),
    };
    let cases = [
        (
            grad(),
            r#""rows":[{"id":7,"node":"L","expression":"(a*b + c)*f","data":-8,"grad":1},{"id":6,"node":"a*b + c","data":4,"grad":-2},{"id":3,"node":"c","expression":"leaf","data":10,"grad":null}]"#,
        ),
        (
            cells,
            r#""rows":[{"a":null},{"a":[6,4],"c":["x","y"]},{"a":false,"c":"leaf"}]"#,
        ),
        (changes(), ""),
        (
            Table {
                key: "rows",
                ..Table::default()
            },
            r#""rows":[]"#,
        ),
    ];
    for (table, expected) in cases {
        let report = Report {
            kind: ReportKind::Command("x"),
            blocks: vec![Block::Table(table)],
            ..Report::default()
        };
        assert_eq!(json(&report), expected);
    }
}

#[test]
fn errors_and_notes_as_json() {
    let text = "x = (1,\n  数数数 + q\n";
    let cases = [
        (Some(10..19), r#""line":10,"column":3,"length":3"#),
        (Some(22..23), r#""line":10,"column":9,"length":1"#),
        (Some(99..99), r#""line":11,"column":1,"length":1"#),
        (None, r#""line":9,"column":1,"length":7"#),
    ];
    for (span, expected) in cases {
        let given = Diagnostic {
            message: "no".into(),
            span,
            ..Diagnostic::default()
        };
        let mut out = String::new();
        super::json::diagnostic(
            &given,
            Some(&StatementPlace::new(None, 9, text)),
            "-",
            9,
            &mut out,
        );
        assert_eq!(
            out,
            format!(
                "{{\"kind\":\"error\",\"file\":\"-\",{expected},\"message\":\"no\",\"help\":null}}\n"
            )
        );
    }
    let mut out = String::new();
    let note = Note::new(vec![
        Piece::name("a"),
        Piece::plain(" is "),
        Piece::Short(1.0 / 3.0),
    ]);
    super::json::notes(&[note], "-e", 2, &mut out);
    assert_eq!(
        out,
        "{\"kind\":\"note\",\"file\":\"-e\",\"line\":2,\"notes\":[\"a is 0.3333333333333333\"]}\n"
    );
}

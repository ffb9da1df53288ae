//! Completion: by place in the line, for every argument of every command, and in sessions of any size.
#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use crate::common::Desk;
use chainrule::commands::args::suggestions::Offers;
use chainrule::commands::args::{Argument, ArgumentKind};
use chainrule::commands::{COMMANDS, Command};
use chainrule::interpret::{Candidate, Completions, MOST_CANDIDATES, completions};
use chainrule::session::settings::SETTINGS;
use chainrule_engine::ops;
use chainrule_view::{Style, plain};

/// The completions of a line whose cursor is marked by `|`.
fn at(desk: &Desk, marked: &str) -> Completions {
    let cursor = marked.find('|').expect("the cursor is marked");
    let line = marked.replacen('|', "", 1);
    let found = completions(&desk.session, &line, cursor);
    assert!(
        found.start <= cursor && line.is_char_boundary(found.start),
        "{marked}: {found:?}"
    );
    found
}

fn texts(desk: &Desk, marked: &str) -> Vec<String> {
    let found = at(desk, marked);
    found
        .candidates
        .into_iter()
        .map(|found| found.text)
        .collect()
}

/// The line after inserting its only completion.
fn completed(desk: &Desk, marked: &str) -> String {
    let found = at(desk, marked);
    let cursor = marked.find('|').expect("the cursor is marked");
    match found.candidates.as_slice() {
        [only] => format!(
            "{}{}{}",
            &marked[..found.start],
            only.text,
            &marked[cursor..]
        ),
        several => format!("{several:?}"),
    }
}

fn about(candidate: &Candidate) -> String {
    let about = plain(&candidate.about, &Style::default());
    format!("{}: {about}", candidate.shown)
}

/// Is the text among the completions?
fn offers(desk: &Desk, marked: &str, wanted: &str) -> bool {
    let found = at(desk, marked);
    found.candidates.iter().any(|found| found.text == wanted)
}

fn desk() -> Desk {
    Desk::with(&[
        "alpha, b = 2, -3",
        "const k = 5",
        "L = alpha*b + k",
        "f(x) = 3x^2 - 4x",
        "two(x, y) = x*y",
        "old = 1; y = old; old = 2",
    ])
}

#[test]
fn one_completion_goes_into_the_line() {
    let desk = desk();
    let mut wrong = Vec::new();
    for (marked, expected) in [
        ("alp|", "alpha|"),
        ("2*alp| + 1", "2*alpha| + 1"),
        ("2alp|", "2alpha|"),
        ("tanh(alp|)", "tanh(alpha|)"),
        ("c = 3; d = alp|", "c = 3; d = alpha|"),
        ("c = 3\nd = alp|", "c = 3\nd = alpha|"),
        ("(c +\nalp|", "(c +\nalpha|"),
        ("c + \\\nalp|", "c + \\\nalpha|"),
        ("(c +\n:wal|", "(c +\n:walk |"),
        ("sigm|", "sigmoid(|"),
        ("sigm|(2)", "sigmoid|(2)"),
        ("alpha.sigm|", "alpha.sigmoid()|"),
        ("alpha.dat|", "alpha.data|"),
        ("(alpha*b).dat|", "(alpha*b).data|"),
        ("con|", "const |"),
        ("2 + con|", "[]"),
        ("h(time) = 2*ti|", "h(time) = 2*time|"),
        // In capitals.
        ("ALP|", "alpha|"),
        (":wal|", ":walk |"),
        (":nex|", ":next |"),
        (":nex| 3", ":next| 3"),
        (":grad alp|", ":grad alpha|"),
        (":grad alpha*b + alp|", ":grad alpha*b + alpha|"),
        (":grad L w|", ":grad L wrt |"),
        (":grad L wrt b alp|", ":grad L wrt b alpha|"),
        (":g L w|", ":g L wrt |"),
        (":grad (alpha*b + alp|", ":grad (alpha*b + alpha|"),
        (":walk L forw|", ":walk L forward|"),
        (":walk L forward e|", ":walk L forward end|"),
        (":wrong over|", ":wrong overwrite|"),
        (":set b 3, alp|", ":set b 3, alpha|"),
        (":set b alp|", ":set b alpha|"),
        (":set b = alp|", ":set b = alpha|"),
        (":set b 2*alp|", ":set b 2*alpha|"),
        (":thaw |", ":thaw k|"),
        (":del fo| as", "[]"),
        (":help rebin|", ":help rebinding|"),
        (":help :rese|", ":help :reset|"),
        (":help sigmo|", ":help sigmoid|"),
        (":config undo|", ":config undo-steps|"),
        (":config digits def|", ":config digits default|"),
        (":next al|", ":next all|"),
        (":time :walk alp|", ":time :walk alpha|"),
        (":time alp|", ":time alpha|"),
        (":explain b o|", ":explain b of |"),
    ] {
        let found = completed(&desk, marked);
        if found != expected {
            wrong.push(format!("{marked}: {found}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn several_are_listed_in_their_order() {
    let mut desk = desk();
    desk.line("alpha + 1");
    let mut wrong = Vec::new();
    for (marked, expected) in [
        ("|", "alpha b k L old y f( two( ans :"),
        ("2 + |", "alpha b k L old y f( two( ans"),
        ("g(p, q) = p*|", "p q alpha b k L old y f( two( ans"),
        ("ta|", "tan( tanh("),
        ("k = 5 +/-|", "alpha b k L old y f( two( ans"),
        ("k = 5 ± al|", "alpha"),
        (":set alpha ± |", "alpha b k L old y f( two( ans"),
        ("b <=|", "alpha b k L old y f( two( ans"),
        ("b^|", "alpha b k L old y f( two( ans"),
        (":grad |", "L alpha b k old y bars wrt "),
        (":freeze |", "alpha b old y"),
        (":freeze alpha |", "b old y"),
        (":freeze alpha,|", "b old y"),
        (":set |", "alpha b k old y"),
        (":set alpha |", "alpha b k L old y f( two( ans"),
        (":explain |", "alpha b k L old y"),
        (":check |", "L alpha b k old y f( two( ans all wrt "),
        (":nudge b |", "of "),
        (":walk L |", "forward ask end"),
        (":walk L forward |", "ask end"),
        (":tree L + |", "L alpha b k old y f( two( ans"),
        (":del |", "alpha b k L old y f two"),
        (":del alpha |", "b k L old y f two"),
        ("$|", "$1"),
        (":explain b of |", "L alpha b k old y f( two( ans"),
    ] {
        let found = texts(&desk, marked);
        let expected: Vec<&str> = if marked == ":grad |" {
            vec![
                "L", "alpha", "b", "k", "old", "y", "f(", "two(", "ans", "bars", "wrt ",
            ]
        } else {
            split(expected)
        };
        if found != expected {
            wrong.push(format!("{marked}: {found:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(texts(&desk, "old@|"), [""; 0], "it is called y");
    desk.line("old = 3");
    assert_eq!(
        texts(&desk, "old@|"),
        ["old@1"],
        "`:undo` may bring it back"
    );
    desk.line("b = 1");
    assert_eq!(texts(&desk, ":grad b@|"), ["b@1"]);
    let settings = SETTINGS.iter().map(|setting| setting.key);
    let settings: Vec<&str> = settings.chain(["save", "drawn "]).collect();
    assert_eq!(texts(&desk, ":config |"), settings);
    assert_eq!(
        texts(&desk, ":config hint |"),
        ["on", "off", "default", "drawn "]
    );
    assert_eq!(texts(&desk, ":explain b@1|"), ["b@1"]);
}

/// Splits at blanks, except that a keyword keeps the blank after it.
fn split(expected: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = expected;
    while !rest.is_empty() {
        let end = rest.find(' ').unwrap_or(rest.len());
        let keyword = ["wrt", "of", "as"].contains(&&rest[..end]);
        let word = &rest[..(end + usize::from(keyword)).min(rest.len())];
        words.push(word);
        rest = rest[word.len()..].trim_start();
    }
    words
}

#[test]
fn nothing_is_offered_where_nothing_can_stand() {
    let desk = desk();
    let mut wrong = Vec::new();
    for marked in [
        "alpha |",
        "alpha b|",
        "3|",
        "# alp|",
        "alpha # b|",
        "\"alp|",
        "alpha)|",
        "qqq|",
        ":qqq |",
        ":quit alp|",
        ":undo |",
        ":step |",
        "@|",
        ".|",
        "tahn|",
        ":gradd|",
        "x^2|",
        "f'|",
        "two'|",
    ] {
        let found = texts(&desk, marked);
        if !found.is_empty() {
            wrong.push(format!("{marked}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_candidate_says_what_it_is() {
    let mut desk = desk();
    desk.line(":grad L");
    for (marked, expected) in [
        ("alph|", "alpha: leaf = 2"),
        (":thaw |", "k: frozen leaf = 5"),
        (":grad L|", "L: alpha*b + k = -1"),
        ("tanh|", "tanh(x): the hyperbolic tangent"),
        ("hypo|", "hypot(x, y, …): "),
        ("pi|", "pi: constant = 3.14159"),
        ("two|", "two(x, y): = x*y"),
        ("b.gra|", "grad: = 2"),
        ("b.dat|", "data: = -3"),
        (":rese|", ":reset: "),
        (":gr|ad", ":grad: the gradient of T"),
        (":config table-r|", "table-rows: = 1000"),
        (":help numb|", "numbers: how numbers are written"),
        (":wrong queu|", "queue: first in, first out"),
    ] {
        let found = at(&desk, marked);
        let said: Vec<String> = found.candidates.iter().map(about).collect();
        assert!(
            said.iter().any(|said| said.starts_with(expected)),
            "{marked}: {said:?}"
        );
    }
    desk.line("b = 1");
    desk.line("m = 1; :set m 2");
    let found = at(&desk, "alpha.gra|");
    assert_eq!(about(&found.candidates[0]), "grad: = -3");
    desk.line(":set alpha 4");
    desk.line(":zero");
    let found = at(&desk, "alpha.gra|");
    assert_eq!(about(&found.candidates[0]), "grad: a number of the node");
}

#[test]
fn the_users_own_come_before_what_is_built_in() {
    let desk = Desk::with(&["pi = 3", "sqrt(x) = x", "e = 1"]);
    assert_eq!(texts(&desk, "pi|"), ["pi"]);
    assert_eq!(texts(&desk, "sqrt|"), ["sqrt("]);
    assert_eq!(about(&at(&desk, "sqrt|").candidates[0]), "sqrt(x): = x");
    assert_eq!(about(&at(&desk, "e|").candidates[0]), "e: leaf = 1");
}

#[test]
fn files_are_wanted_by_their_ending() {
    let desk = desk();
    let mut wrong = Vec::new();
    let wanted = |marked: &str| {
        let found = at(&desk, marked);
        found.files.map(|files| {
            let quote = files.quote.map(String::from).unwrap_or_default();
            format!(
                "{} {quote}{} {}",
                found.start,
                files.typed,
                files.endings.join(",")
            )
        })
    };
    for (marked, expected) in [
        (":load |", Some("6  calc")),
        (":load exa|", Some("6 exa calc")),
        (":save \"my fi|", Some("6 \"my fi calc")),
        (":save 'a|", Some("6 'a calc")),
        (":save a b|", None),
        (":data mo|", Some("6 mo csv,tsv,txt")),
        (":data a.csv as |", None),
        (":graph L |", Some("9  svg,png,dot,mmd,html,json")),
        (":graph L ~/pi|", Some("9 ~/pi svg,png,dot,mmd,html,json")),
        (":graph L wrt |", None),
        (":graph L wrt a |", Some("15  svg,png,dot,mmd,html,json")),
        (
            ":graph L wrt a b w|",
            Some("17 w svg,png,dot,mmd,html,json"),
        ),
        (":graph L a.svg wrt b |", None),
        (":graph \"pi|", Some("7 \"pi svg,png,dot,mmd,html,json")),
        (":graph L + |", None),
        (":plot L alpha=-1..1 |", Some("20  svg,png,csv,md")),
        (":graph |", None),
        (":time :load x|", Some("12 x calc")),
    ] {
        if wanted(marked).as_deref() != expected {
            wrong.push(format!("{marked}: {:?}, not {expected:?}", wanted(marked)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A line that leads up to an argument, with all words needed before it.
fn leading(command: &Command, argument: &Argument) -> String {
    let mut line = format!(":{}", command.name);
    for earlier in &command.arguments {
        if std::ptr::eq(earlier, argument) {
            break;
        }
        // Only arguments that must come before it are included.
        let passes = argument.keyword.is_none() || earlier.needed;
        if passes && earlier.keyword.is_none() {
            line.push_str(match earlier.name {
                "KEY" => " digits",
                "RULE" => " overwrite",
                "RATE" => " 0.1",
                "LEAF VALUE, …" => " alpha 2",
                // A range may stand in its place.
                "N" if argument.kind == ArgumentKind::Range => "",
                _ => " alpha",
            });
        }
    }
    // Its keyword is one only behind an operand.
    if argument.late {
        line.push_str(" alpha");
    }
    if let Some(keyword) = argument
        .keyword
        .filter(|_| argument.kind != ArgumentKind::Flag)
    {
        line.push(' ');
        line.push_str(keyword);
    }
    line + " "
}

#[test]
fn every_argument_of_every_command_is_completed() {
    let mut desk = desk();
    desk.line(":walk L");
    for command in COMMANDS {
        for argument in &command.arguments {
            let lead = leading(command, argument);
            let found = |begun: &str| at(&desk, &format!("{lead}{begun}|"));
            let name = |begun: &str, wanted: &str| {
                assert!(
                    offers(&desk, &format!("{lead}{begun}|"), wanted),
                    "{lead}{begun}"
                );
            };
            match (argument.offers, argument.kind) {
                (Offers::Words(words), _) => {
                    let given: Vec<&str> = lead
                        .split_whitespace()
                        .skip(1)
                        .filter(|word| Some(*word) != argument.keyword)
                        .collect();
                    let words = words(&desk.session, &given);
                    assert!(!words.is_empty(), "{lead}");
                    for word in words {
                        assert!(
                            found(&word.text)
                                .candidates
                                .iter()
                                .any(|found| found.text == word.text),
                            "{lead}{}",
                            word.text
                        );
                        assert!(!word.about.is_empty(), "{lead}{}", word.text);
                    }
                }
                (offers @ Offers::WordsAndFiles(words, _), _) => {
                    for word in words(&desk.session, &[]) {
                        name("", &word.text);
                        name(&word.text, &word.text);
                    }
                    let files = found("").files.expect(&lead);
                    assert_eq!(files.endings, offers.endings(), "{lead}");
                }
                (offers @ Offers::Files(_), kind) => {
                    assert_eq!(kind, ArgumentKind::File, "{lead}");
                    let files = found("").files.expect(&lead);
                    assert_eq!(files.endings, offers.endings(), "{lead}");
                    assert!(!files.endings.is_empty(), "{lead}");
                }
                (Offers::Nodes(_), _) => {
                    let frozen = found("").candidates.iter().any(|found| found.text == "k");
                    let free = found("")
                        .candidates
                        .iter()
                        .any(|found| found.text == "alpha");
                    assert!(frozen != free, "{lead}");
                }
                (Offers::Usual, ArgumentKind::Flag) => {
                    let keyword = argument.keyword.expect("a flag is a keyword");
                    name("", keyword);
                }
                (Offers::Usual, ArgumentKind::Correlations) => name("", "alpha"),
                (Offers::Usual, ArgumentKind::Relations) => {
                    name("", "alpha");
                    name("alpha = ", "alpha");
                    name("alpha = 3, sigmo", "sigmoid(");
                }
                (Offers::Usual, ArgumentKind::Expression | ArgumentKind::Model) => {
                    name("", "alpha");
                    name("sigmo", "sigmoid(");
                }
                (
                    Offers::Usual,
                    ArgumentKind::Node
                    | ArgumentKind::Nodes
                    | ArgumentKind::Settings
                    | ArgumentKind::Names,
                ) => {
                    name("", "b");
                }
                (Offers::Usual, ArgumentKind::Number | ArgumentKind::Count) => {
                    // Numbers are not offered, but the beginning of a name in an expression is completed.
                    let numbers = found("")
                        .candidates
                        .iter()
                        .all(|found| about(found).ends_with("keyword"));
                    assert!(numbers, "{lead}");
                    name("alp", "alpha");
                }
                (Offers::Usual, ArgumentKind::Range) if argument.name.starts_with("k=") => {
                    name("", "k=");
                }
                (Offers::Usual, ArgumentKind::Range) => name("", "alpha="),
                (Offers::Usual, ArgumentKind::Statement) => {
                    name(":wal", "walk ");
                    name("alp", "alpha");
                }
                (Offers::Usual, ArgumentKind::File | ArgumentKind::Topic) => {
                    panic!("{lead}: its signature says nothing of what may stand there")
                }
            }
            // An argument that begins with a keyword is offered as that keyword.
            if let Some(keyword) = argument.keyword {
                let needed = command
                    .arguments
                    .iter()
                    .any(|other| other.needed && other.keyword.is_none());
                let before = if needed {
                    leading_needed(command)
                } else if argument.late {
                    format!(":{} alpha ", command.name)
                } else {
                    format!(":{} ", command.name)
                };
                let blank = match argument.kind {
                    ArgumentKind::Flag => "",
                    ArgumentKind::Range => "=",
                    _ => " ",
                };
                assert!(
                    offers(
                        &desk,
                        &format!("{before}{keyword}|"),
                        &format!("{keyword}{blank}")
                    ),
                    "{before}{keyword}"
                );
            }
        }
    }
}

fn leading_needed(command: &Command) -> String {
    let needed = command.arguments.iter().filter(|argument| argument.needed);
    let needed = needed.filter(|argument| argument.keyword.is_none());
    let words = needed.map(|argument| match argument.kind {
        ArgumentKind::Number => "0.1 ",
        ArgumentKind::Settings => "alpha 2 ",
        _ => "alpha ",
    });
    format!(":{} {}", command.name, words.collect::<String>())
}

#[test]
fn every_word_that_is_known_is_offered() {
    let desk = Desk::default();
    for command in COMMANDS {
        let blank = if command.arguments.is_empty() {
            ""
        } else {
            " "
        };
        assert!(offers(
            &desk,
            &format!(":{}|", command.name),
            &format!("{}{blank}", command.name)
        ));
    }
    for name in ops::function_names() {
        assert!(
            offers(&desk, &format!("{name}|"), &format!("{name}(")),
            "{name}"
        );
    }
    for (name, ..) in ops::CONSTANTS {
        assert!(offers(&desk, &format!("{name}|"), name), "{name}");
    }
    for setting in SETTINGS {
        assert!(offers(&desk, ":config |", setting.key), "{}", setting.key);
    }
}

/// The time allowed; more for a debug build, which may run on a slow machine.
const PATIENCE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 4_000 } else { 60 });

#[test]
fn a_large_session_is_as_quick() {
    let mut desk = Desk::default();
    for some in 0..100 {
        let names: Vec<String> = (0..1_000)
            .map(|name| format!("name{}", some * 1_000 + name))
            .collect();
        let values = vec!["1"; names.len()].join(", ");
        desk.line(&format!("{} = {values};", names.join(", ")));
    }
    for marked in [
        "|",
        "nam|",
        "NAM|",
        "naem|",
        "qqqq|",
        ":grad |",
        ":set nam|",
        ":del nam|",
        ":freeze nam|",
    ] {
        let start = Instant::now();
        let found = at(&desk, marked);
        assert!(
            start.elapsed() < PATIENCE,
            "{marked}: {:?}",
            start.elapsed()
        );
        let listed = found.candidates.len();
        assert!(listed <= MOST_CANDIDATES + 8, "{marked}: {listed}");
        if marked.to_lowercase().contains("nam|") {
            let (more, common) = found.more.expect(marked);
            assert_eq!(
                (more, common.as_str()),
                (100_000 - MOST_CANDIDATES, "name"),
                "{marked}"
            );
        }
    }
}

#[test]
fn no_line_is_too_much() {
    let mut desk = desk();
    desk.line("α, 長い = 1, 2");
    assert_eq!(completed(&desk, "2*長|"), "2*長い|");
    let long = "1+".repeat(1_000_000);
    assert!(
        completions(&desk.session, &long, long.len())
            .candidates
            .is_empty()
    );
    let deep = "(".repeat(15_000) + "alp";
    let start = Instant::now();
    assert_eq!(
        completions(&desk.session, &deep, deep.len())
            .candidates
            .len(),
        1
    );
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    let pieces = [
        "a", "alpha", "長", "α", ":", ":grad", ":set", ":graph", ":load", ":del", ":help",
        ":config", ":time", " ", "\n", "\\\n", ";", ",", "(", ")", "[", "\"", "'", "’", ".", "..",
        "@", "@1", "$", "$1", "^", "-", "2", "²", "⁻", "√", "*", "**", "=", "==", "!", "#", " # ",
        "const", "wrt", "of", "\t", "\u{1b}", "\u{202e}", "?", "digits", "~/",
    ];
    let mut seed = 11_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize
    };
    for _ in 0..20_000 {
        let line: String = (0..random() % 12)
            .map(|_| pieces[random() % pieces.len()])
            .collect();
        let cursor = random() % (line.len() + 2);
        let found = completions(&desk.session, &line, cursor);
        assert!(
            found.start <= cursor && line.is_char_boundary(found.start),
            "{line:?} {cursor}"
        );
    }
}

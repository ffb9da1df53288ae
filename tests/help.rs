//! Help: every name has a page and can be found; pages fit the screen; examples are computed.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use crate::common::Desk;
use chainrule::commands::COMMANDS;
use chainrule::commands::help::topics::TOPICS;
use chainrule_engine::ops::{CONSTANTS, TABLE};
use chainrule_report::Report;
use chainrule_session::settings::SETTINGS;
use chainrule_view as view;
use chainrule_view::Style;
use serde_json::Value;

/// The width of the widest line.
fn widest(text: &str) -> usize {
    text.lines()
        .map(|line| line.chars().count())
        .max()
        .unwrap_or(0)
}

/// An answer in a window of this width.
fn answer_text(desk: &mut Desk, text: &str, width: usize) -> String {
    let style = Style {
        width: Some(width),
        ..Style::default()
    };
    let mut out = String::new();
    for reply in desk.try_line(text).into_iter().filter_map(Result::ok) {
        let reports: Vec<Report> = reply.report.into_iter().chain(reply.more).collect();
        for report in &reports {
            view::report(report, &style, &mut out);
        }
    }
    out
}

/// The words of an answer: without signs around them.
fn words_of(answer: &str) -> Vec<&str> {
    let is_sign = |c: char| !(c.is_alphanumeric() || c == ':' || c == '-');
    answer.split(is_sign).collect()
}

/// The entries of a group of `:help` or `:help all`, as programs get them.
fn entries(group: &Value) -> impl Iterator<Item = (&str, &str)> {
    let entries = group.as_array().into_iter().flatten();
    entries.filter_map(|entry| Some((entry["typed"].as_str()?, entry["what"].as_str()?)))
}

#[test]
fn the_first_screen_is_one_screen() {
    let mut desk = Desk::default();
    let first = desk.screen(":help");
    assert!(first.lines().count() <= 22, "{first}");
    assert!(widest(&first) <= 80, "{first}");
    let named = words_of(&first);
    let commands = COMMANDS.iter().map(|command| format!(":{}", command.name));
    let shown = commands.filter(|word| named.contains(&word.as_str()));
    let and_more = [":help", ":data", ":play"];
    assert_eq!(shown.count(), 10 + and_more.len(), "{first}");
    for more in [
        ":help all",
        ":help topics",
        ":help NAME",
        ":help search WORD",
        ":tour",
    ] {
        assert!(first.contains(more), "{first}");
    }
}

#[test]
fn the_tasks_of_the_first_screen_run_on_a_fresh_prompt() {
    let help = Desk::default().line(":help").remove(0);
    let typed: Vec<&str> = entries(&help["tasks"]).map(|(typed, _)| typed).collect();
    assert_eq!(typed.len(), 4, "{help}");
    for line in typed {
        // The user fills in the file.
        if !line.contains("FILE") {
            let answer = Desk::default().screen(line);
            assert!(
                !answer.is_empty() && !answer.contains("error:"),
                "{line}: {answer}"
            );
        }
    }
}

#[test]
fn all_commands_stand_on_one_screen() {
    let mut desk = Desk::default();
    let all = desk.screen(":help all");
    assert!(all.lines().count() <= 22, "{}\n{all}", all.lines().count());
    assert!(widest(&all) <= 80, "{all}");
    let named = words_of(&all);
    for command in COMMANDS {
        let word = format!(":{}", command.name);
        assert!(
            named.contains(&word.as_str()),
            "{word} is not there:\n{all}"
        );
    }
    let below = all.split("topics").nth(1).unwrap();
    let first: Vec<&str> = below
        .split(":help")
        .next()
        .unwrap()
        .split_whitespace()
        .collect();
    assert_eq!(first.len(), 15, "{all}");
    for name in first {
        assert!(TOPICS.iter().any(|topic| topic.name == name), "{name}");
    }
}

#[test]
fn all_topics_stand_in_a_list_with_what_they_say() {
    let mut desk = Desk::default();
    let all = desk.screen(":help topics");
    assert!(widest(&all) <= 80, "{all}");
    for topic in TOPICS.iter() {
        let row = format!("  {} ", topic.name);
        let rows = all.lines().filter(|line| line.starts_with(&row));
        assert_eq!(rows.count(), 1, "{row}: {all}");
    }
    assert_eq!(desk.line(":help topics")[0]["what"], "topics");
}

#[test]
fn overviews_stand_in_every_window() {
    let mut desk = Desk::default();
    let words =
        |text: &str| -> BTreeSet<String> { text.split_whitespace().map(str::to_string).collect() };
    for line in [":help", ":help all"] {
        let whole = words(&answer_text(&mut desk, line, 1000));
        for width in [20, 30, 40, 60, 79, 80, 81, 120, 160, 300] {
            let all = answer_text(&mut desk, line, width);
            assert_eq!(words(&all), whole, "{width}\n{all}");
            if width >= 40 {
                assert!(widest(&all) <= width, "{width}\n{all}");
            }
        }
    }
}

#[test]
fn every_command_has_few_words_in_overviews() {
    let mut desk = Desk::default();
    let mut found = Vec::new();
    for (line, count) in [(":help", 14), (":help all", COMMANDS.len())] {
        let all = desk.line(line).remove(0);
        let groups = all.as_object().unwrap().iter();
        for (typed, what) in groups.flat_map(|(_, group)| entries(group)) {
            assert!(!what.is_empty(), "{typed} has no words");
            found.push(typed.to_string());
        }
        assert_eq!(found.len(), count, "{all}");
        // A command can be typed as shown, and runs.
        for typed in found.drain(..).filter(|typed| typed.starts_with(':')) {
            let word = typed.split(' ').next().unwrap();
            assert!(
                chainrule::commands::find(&word[1..]).is_ok(),
                "there is no {typed}"
            );
        }
    }
}

#[test]
fn every_word_has_a_page() {
    let mut desk = Desk::default();
    for command in COMMANDS {
        for word in std::iter::once(&command.name).chain(command.aliases) {
            let help = desk.screen(&format!(":help :{word}"));
            // A long usage goes on in the next line.
            let words: Vec<&str> = help.split_whitespace().collect();
            let flowing = words.join(" ");
            assert!(
                flowing.starts_with(&command.usage()),
                ":help :{word}: {help}"
            );
            let example = command.example();
            assert!(help.contains(example), ":help {word}: {help}");
            let told: Vec<&str> = help
                .lines()
                .take_while(|line| !line.starts_with("∂> "))
                .collect();
            assert!(widest(&told.join("\n")) <= 80, ":help {word}: {help}");
            for argument in command.arguments {
                let term = format!("  {}", argument.usage);
                assert!(
                    told.iter().any(|line| line.starts_with(&term)),
                    ":help {word} does not explain {}: {help}",
                    argument.usage
                );
            }
        }
    }
    for topic in TOPICS.iter() {
        for word in std::iter::once(&topic.name).chain(&topic.also) {
            let help = desk.screen(&format!(":help {word}"));
            assert!(!help.starts_with("error:"), ":help {word}: {help}");
            assert!(widest(&help) <= 80, ":help {word}: {help}");
        }
        let help = desk.screen(&format!(":help {}", topic.name));
        assert!(help.starts_with(topic.name), "{help}");
    }
    for (name, ..) in CONSTANTS {
        assert!(
            desk.screen(&format!(":help {name}"))
                .starts_with(&format!("{name} = "))
        );
    }
    for setting in SETTINGS {
        let help = desk.screen(&format!(":help {}", setting.key));
        assert!(
            help.contains(setting.key) && !help.contains("error:"),
            "{help}"
        );
    }
}

#[test]
fn names_of_topics_are_unique() {
    let mut taken: Vec<&str> = COMMANDS
        .iter()
        .flat_map(|command| std::iter::once(&command.name).chain(command.aliases))
        .copied()
        .collect();
    taken.extend(TABLE.iter().flat_map(|op| [op.spelling, op.name]));
    taken.extend(SETTINGS.iter().map(|setting| setting.key));
    for topic in TOPICS.iter() {
        let name = (topic.name != "functions").then_some(&topic.name);
        for word in name.into_iter().chain(&topic.also) {
            assert!(!taken.contains(word), "`{word}` of {}", topic.name);
            taken.push(word);
        }
    }
}

#[test]
fn an_operation_tells_its_derivatives() {
    let mut desk = Desk::default();
    for op in &TABLE {
        let help = answer_text(&mut desk, &format!(":help {}", op.name), 80);
        assert!(help.contains(op.example), "{}: {help}", op.name);
        // The wrapped lines joined again.
        let flowing = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flowing.contains(op.summary), "{}: {help}", op.name);
        let (least, most) = op.arity();
        for position in 0..if most.is_none() { 1 } else { least } {
            let told = format!("= {}", op.learned_text(position));
            assert!(flowing.contains(&told), "{} {told}: {help}", op.name);
        }
        for kink in op.kinks {
            assert!(flowing.contains(kink.convention), "{}: {help}", op.name);
        }
        for alias in op.aliases {
            assert!(flowing.contains(alias), "{}: {help}", op.name);
            let other = answer_text(&mut desk, &format!(":help {alias}"), 80);
            let see = format!("`:help {}`", op.spelling);
            assert!(other == help || other.contains(&see), "{alias}: {other}");
        }
    }
    // The value of the example and the slopes there are computed.
    let help = desk.screen(":help tanh");
    for line in [
        "d/dx tanh(x) = 1 - out^2",
        "tanh(0.5) = 0.46211715726",
        "there d/dx = 0.786447732966",
        "where it is saturated, the slope is 0 or nearly 0",
    ] {
        assert!(help.contains(line), "{line}\n{help}");
    }
}

#[test]
fn search_finds_whatever_has_a_name() {
    let mut desk = Desk::default();
    let mut finds = |word: &str, typed: &str| {
        let found = &desk.line(&format!(":help search {word}"))[0];
        assert!(
            found["rows"]
                .as_array()
                .unwrap()
                .iter()
                .any(|row| row["typed"] == format!(":help {typed}")),
            "{word}: {found}"
        );
    };
    for command in COMMANDS {
        finds(command.name, &format!(":{}", command.name));
    }
    for topic in TOPICS.iter() {
        finds(topic.name, topic.name);
    }
    for op in &TABLE {
        finds(op.name, op.spelling);
    }
    for (name, ..) in CONSTANTS {
        finds(name, name);
    }
    for setting in SETTINGS {
        finds(setting.key, setting.key);
    }
    for (word, typed) in [
        ("kink", "conventions"),
        ("STALE", "gradients"),
        ("saturated", "tanh"),
        ("svg", ":graph"),
        (":gr", ":grad"),
        ("integral", "scope"),
        ("complex numbers", "scope"),
    ] {
        finds(word, typed);
    }
}

#[test]
fn search_says_where_a_word_stands() {
    let mut desk = Desk::default();
    let found = desk.screen(":help search absorbs");
    assert!(found.contains("absorbs") && widest(&found) <= 80, "{found}");
    // All words must occur.
    let both = desk.line(":help search chain zero")[0]["rows"]
        .as_array()
        .unwrap()
        .len();
    let one = desk.line(":help search chain")[0]["rows"]
        .as_array()
        .unwrap()
        .len();
    assert!(both < one, "{both} {one}");
    let error = desk.error(":help search qqqqq");
    assert_eq!(error.message, "there is no help on `qqqqq`");
    // Text shows one screen of results, JSON shows all.
    let found = desk.screen(":help search x");
    assert!(found.lines().count() <= 22, "{found}");
    let error = desk.error(":help search");
    assert_eq!(error.message, "`search` needs `WORD`");
    for odd in ["*", "'", "(", "\u{e9}", "ẞ", "İ", "$3", "a@1"] {
        let _ = desk.try_line(&format!(":help search {odd}"));
    }
}

#[test]
fn a_word_without_a_page_gets_a_suggestion() {
    let mut desk = Desk::with(&["alpha = 2", "mine(x) = x^2"]);
    for (word, help) in [
        ("tahn", "did you mean `:help tanh`?"),
        ("alpha", "`alpha` is a name of yours: `:vars` lists them"),
        ("qqqq", "`:help` shows what there is"),
        ("mine", "`mine` is a name of yours: `:vars` lists them"),
    ] {
        let error = desk.error(&format!(":help {word}"));
        assert_eq!(error.help.as_deref(), Some(help), "{word}");
    }
    // The forms in which an operation is typed lead to its page too.
    for word in ["tanh(x)", "tanh'", "tanh()", "tanh''(3)"] {
        assert!(
            desk.screen(&format!(":help {word}")).starts_with("tanh(x)"),
            "{word}"
        );
    }
}

#[test]
fn help_is_the_same_for_machines() {
    let mut desk = Desk::default();
    let page = &desk.line(":help tanh")[0];
    assert_eq!(page["kind"], "help");
    assert_eq!(page["what"], "tanh");
    let text: Vec<&str> = page["text"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|line| line.as_str())
        .collect();
    assert!(
        text.contains(&"derivative   d/dx tanh(x) = 1 - out^2"),
        "{text:?}"
    );
    assert!(
        text.contains(&"example   tanh(0.5) = 0.46211715726000974"),
        "{text:?}"
    );
    assert_eq!(desk.line(":help pi")[0]["value"], std::f64::consts::PI);
}

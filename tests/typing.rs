//! The prompt while the user types: the live result of a line, syntax highlighting, and the offers of Tab. The records
//! `tests/screens/typing.txt` and `completion.txt` use these functions.

use std::rc::Rc;

use crate::common::invariants::sound;
use crate::common::{Desk, Patience};
use chainrule::interpret;
use chainrule::interpret::{Completions, completions};
use chainrule_session::settings::THEMES;
use chainrule_session::{Host, QuietHost};
use chainrule_view as view;
use chainrule_view::Style;
use chainrule_view::theme::{Role, Theme, paint_text};

/// A line without its `|`, and the place of the cursor: at the `|`, or at the end.
fn cursor(marked: &str) -> (String, usize) {
    let cursor = marked.find('|').unwrap_or(marked.len());
    (marked.replacen('|', "", 1), cursor)
}

/// The completions at the cursor.
pub fn completions_at(desk: &Desk, marked: &str) -> Completions {
    let (line, cursor) = cursor(marked);
    let found = completions(&desk.session, &line, cursor);
    let is_place = found.start <= cursor && line.is_char_boundary(found.start);
    assert!(is_place, "{marked}: {found:?}");
    found
}

/// The offers of Tab at the cursor: a single offer in its line with its description, several as the texts to insert, and
/// files by the beginnings and ends of their names.
pub fn offers(desk: &mut Desk, marked: &str) -> String {
    let found = completions_at(desk, marked);
    let (line, cursor) = cursor(marked);
    let mut out = match &found.candidates[..] {
        [] if found.files.is_some() => String::new(),
        [] => "nothing\n".to_string(),
        [only] => {
            let (before, after) = (&line[..found.start], &line[cursor..]);
            let about = view::plain(&only.about, &Style::default());
            format!("{before}{}|{after}   {}: {about}\n", only.text, only.shown)
        }
        several => {
            let texts = several.iter().map(|found| found.text.replace(' ', "␣"));
            texts.collect::<Vec<_>>().join(" ") + "\n"
        }
    };
    if let Some(files) = found.files {
        let quote = files.quote.map(String::from).unwrap_or_default();
        let begun = format!("{}{quote}{}", &line[..found.start], files.typed);
        out.extend([&begun, "*.", &files.endings.join(" *."), "\n"]);
    }
    out
}

/// The live result beside a line, or whether Enter would run it. The session does not change.
pub fn preview(desk: &mut Desk, line: &str) -> String {
    let state = |desk: &Desk| {
        let journal = desk.session.journal();
        let changes = (journal.undoable().len(), journal.redoable().len());
        let names = desk.session.names().name_count();
        (changes, names, format!("{:?}", desk.session.settings()))
    };
    let before = state(desk);
    let host = Rc::new(QuietHost);
    let tried = interpret::preview(&mut desk.session, line, host);
    assert_eq!(state(desk), before, "{line}");
    sound(&desk.session);
    let answer = tried.answer;
    let told = answer.map(|answer| view::plain(&answer, &Style::default()));
    match (told, tried.has_run) {
        (Some(told), true) => told + "\n",
        (Some(told), false) => format!("{told}, but it does not run\n"),
        (None, true) => "runs\n".to_string(),
        (None, false) => "does not run\n".to_string(),
    }
}

/// The roles of a line's tokens, one letter for each character, `.` for none.
pub fn token_letters(desk: &mut Desk, marked: &str) -> String {
    let (line, cursor) = cursor(marked);
    let mut letters: Vec<char> = line.chars().map(|_| '.').collect();
    for (range, role) in interpret::highlight(&desk.session, &line, cursor) {
        let is_bracket = line[range.clone()].contains(['(', ')', '[', ']']);
        let letter = match role {
            Role::Name => 'n',
            Role::Error if is_bracket => '!',
            Role::Error => '?',
            Role::Formula => 'f',
            Role::Number => '1',
            Role::Place => '@',
            Role::Plain => '+',
            Role::Typed => ':',
            Role::Dim => '#',
            Role::Bracket => '=',
            other => panic!("no token has the role {other:?}"),
        };
        let start = line[..range.start].chars().count();
        let length = line[range].chars().count();
        letters[start..start + length].fill(letter);
    }
    let letters: String = letters.into_iter().collect();
    // The letters are below the characters.
    format!("        {letters}\n")
}

#[test]
fn slow_lines_have_no_live_result() {
    let mut desk = Desk::with(&["x = 1", "f0(x) = sin(x)"]);
    for level in 1..10 {
        let inner = format!("f{}", level - 1);
        desk.line(&format!(
            "f{level}(x) = {inner}({inner}({inner}({inner}(x))))"
        ));
    }
    for patience in [0, 1, 2, 5] {
        let host: Rc<dyn Host> = Patience::of(patience);
        let told = interpret::preview(&mut desk.session, "f9(x)", host);
        let is_told = told.has_run || told.answer.is_some();
        assert!(!is_told, "after {patience} questions");
    }
    assert_eq!(preview(&mut desk, "x + 1"), "= 2\n");
    let longer = format!("x{}", " + x".repeat(2_000));
    let told = preview(&mut desk, &longer);
    assert_eq!(told, "does not run\n", "lines have a limit");
}

#[test]
fn every_theme_that_can_be_chosen_has_looks_of_its_own() {
    let mut seen: Vec<String> = Vec::new();
    for name in THEMES {
        let theme = Theme::from_name(name);
        let looks = [Role::Name, Role::Error, Role::Dim];
        let looks = looks.map(|role| paint_text("x", role, Some(theme)));
        let looks = looks.concat();
        assert!(!seen.contains(&looks), "`{name}` looks like another");
        seen.push(looks);
    }
}

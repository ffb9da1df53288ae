//! Sessions that once ended in a wrong number, an endless search or a message about something else: one line each.

use crate::common::Desk;

/// The lines of a session, and pieces of what the screen shows for the last of them, in order and separated by `…`.
type Case = (&'static str, &'static str);

const NUMBERS: &[Case] = &[];

const SEARCHES: &[Case] = &[];

const TRAINING: &[Case] = &[];

const PICTURES: &[Case] = &[
    (
        "x = 3\ny = x^2\n:plot y x=-5..5 y=0..10",
        "no leaf called `y` moves here…`:plot y x=-5..5 up=0..10`",
    ),
    (
        "y = 4\n:plot x^2 x=0..2 y=-1..1",
        "no leaf called `y` moves here…`:plot x^2 x=0..2 up=-1..1`",
    ),
    (
        "a = 2\nL = a*3\n:grad L table.tex",
        "`table.tex` has no ending that is known here: …`.csv`,…`.md`",
    ),
    (
        "a, b = 2, -3\nL = a*b\n:set a 3\n:graph L changed",
        "`:set` and `:step` tell what changed…`:graph L`",
    ),
    (
        "a, b = 2, -3\nL = a*b\n:walk L forward lesson.svg",
        "a walk writes no file…`:graph L FILE.html`",
    ),
    (
        "a, b = 2, -3\nL = a*b\n:walk L lesson.apng",
        "a walk writes no file…`:graph L FILE.html`",
    ),
];

const LANGUAGE: &[Case] = &[];

#[test]
fn sessions_end_as_they_should() {
    for (session, said) in [NUMBERS, SEARCHES, TRAINING, PICTURES, LANGUAGE].concat() {
        let mut desk = Desk::default();
        let mut shown = String::new();
        for line in session.lines() {
            shown = desk.screen(line);
        }
        let mut rest = shown.as_str();
        for piece in said.split('…') {
            let Some((_, behind)) = rest.split_once(piece) else {
                panic!("{session}\nshould say `{piece}`, but says:\n{shown}");
            };
            rest = behind;
        }
    }
}

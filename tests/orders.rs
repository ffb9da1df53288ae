//! Files, ranges and the words of a command may stand in any order, because their shapes tell them apart, and be written in
//! several ways.

use crate::common::Desk;

/// Lines in pairs that mean the same.
const PAIRS: &[[&str; 2]] = &[
    [":graph locals L", ":graph L locals"],
    [":graph right L", ":graph L right"],
    [":graph L wrt a right", ":graph right L wrt a"],
    [":graph (right) locals", ":graph locals (right)"],
    [":walk forward L", ":walk L forward"],
    [":walk ask L", ":walk L ask"],
    [":check all L", ":check L all"],
    // The word after a keyword is its value, even if it has the name of another keyword.
    [":check a*all wrt all", ":check a*all wrt (all)"],
    [":step k=1..3 0.1 of L", ":step 0.1 k=1..3 of L"],
    [":plot logx f x=1..2", ":plot f x=1..2 logx"],
    [":plot x=1..2 f", ":plot f x=1..2"],
    [":plot x = 1 .. 2 f", ":plot f x=1..2"],
    [":plot x=1..2 log f", ":plot f x=1..2 log"],
    [
        ":plot f log x=1..2 size 30x8",
        ":plot f x=1..2 size=30x8 log",
    ],
    [":plot 1 .. 2 f", ":plot f 1..2"],
    [":plot s over s up=0..1", ":plot up=0..1 s over s"],
    [":graph t.svg L", ":graph L t.svg"],
    [":graph t.svg a*b down", ":graph a*b down t.svg"],
    [
        ":graph L wrt a 't u.svg' right",
        ":graph L right wrt a 't u.svg'",
    ],
    [":grad b.md L", ":grad L b.md"],
    [":grad L B.CSV wrt a", ":grad L wrt a B.CSV"],
    [":plot f p.svg x=1..2 log", ":plot p.svg f x=1..2 log"],
    [":plot a.csv s over s", ":plot s over s a.csv"],
    [":set t.csv a 3", ":set a 3 t.csv"],
    [":step 0.1 t.csv 3 of L", ":step 0.1 3 of L t.csv"],
    [":topo t.csv L", ":topo L t.csv"],
    [":set a=3", ":set a 3"],
    [":set a = 3", ":set a 3"],
    [":set a= 3", ":set a 3"],
    [":set a =3", ":set a 3"],
    [":s a 3", ":set a 3"],
    [":set a = -3", ":set a -3"],
    [":set a 3, b = a/2", ":set a = 3, b a/2"],
    [":set a 3,b a/2", ":set a = 3, b a/2"],
    [":step (0.02/2) of L", ":step 0.01 of L"],
    [":g L", ":grad L"],
    [":grad L wrt a, b", ":grad L wrt a b"],
    [":grad L wrt (a * b)", ":grad L wrt (a*b)"],
];

#[test]
fn the_words_of_a_command_have_many_orders_and_spellings() {
    for pair in PAIRS {
        let [one, other] = pair.map(|line| {
            let mut desk = Desk::with(&[
                "a, b = 2, -3",
                "L = a*b + a",
                "s = [1, 2, 3]",
                "locals, all, steps, right = 3, 4, 5, a*b",
                "f(x) = x^2",
                ":grad L;",
            ]);
            let files = desk.all_files(line);
            let endings = [".svg", ".csv", ".CSV", ".md"];
            let names_file = endings.iter().any(|ending| line.contains(ending));
            assert_eq!(names_file, !files.is_empty(), "{line}");
            if names_file {
                format!("{files:?}")
            } else {
                desk.screen(line)
            }
        });
        assert_eq!(one, other, "{pair:?}");
    }
}

//! Topics of the program: errors, files, scripts, keys.
//!
//! Prose; the options of the command line have their own `--help`.

use super::{Part, Topic};

pub(super) const ERRORS: Topic = Topic {
    name: "errors",
    also: &["error", "note", "notes", "mistakes", "limits"],
    summary: "what an error tells, and what it leaves behind",
    parts: &[
        Part::Says(
            "An error says what is wrong, points at the place, and offers a way out: the nearest spelling, or what to type \
             instead. The statement has not happened: names, data, grads and the way back are as before.",
        ),
        Part::Says(
            "A note stands beside an answer that is right but may surprise: a NaN that appeared and the node it came from, \
             a rebinding that leaves something on the old node. Values that are no numbers are no errors.",
        ),
        Part::Rows(&[
            (":undo", "takes back what was right but not meant"),
            (
                "Ctrl-C",
                "stops a statement that takes long: it has not happened either",
            ),
        ]),
    ],
};

pub(super) const FILES: Topic = Topic {
    name: "files",
    also: &[
        "file",
        "saving",
        "loading",
        "path",
        "paths",
        "init",
        "init.calc",
        "pictures",
    ],
    summary: "saving, loading, pictures, the init script",
    parts: &[
        Part::Rows(&[
            (
                ":save lesson.calc",
                "the session as a script that brings it back to the bit",
            ),
            (
                ":load lesson.calc",
                "run a script on top of the session: all of it or nothing",
            ),
            (
                ":graph L lesson.svg",
                "a picture; also `.png .html .dot .mmd .json`",
            ),
            (":config save", "keep the settings in the init script"),
        ]),
        Part::Says(
            "Scripts end in `.calc`. A path in quotes may hold blanks, `;` and `#`; `~/` is the home folder; a path in a \
             file begins at the folder of that file. A file is replaced only when the new one is complete, and a file that \
             is being loaded writes none.",
        ),
        Part::Says(
            "`init.calc` in the configuration folder (`~/.config/chainrule`) is run before everything else, unless the \
             program is started with `--no-init`.",
        ),
    ],
};

pub(super) const SCRIPTS: Topic = Topic {
    name: "scripts",
    also: &[
        "script",
        "pipe",
        "pipes",
        "json",
        "command-line",
        "options",
        "status",
    ],
    summary: "files and pipes, JSON, exit status",
    parts: &[
        Part::Rows(&[
            ("chainrule FILE…", "run scripts; `-` is standard input"),
            ("chainrule -e 'a = 2' -e ':grad a^2'", "run statements"),
            ("… | chainrule", "run what comes through the pipe"),
            ("--json", "one JSON object for each answer, numbers in full"),
            ("--keep-going", "go on after a statement that fails"),
            ("-i", "stay at the prompt afterwards"),
        ]),
        Part::Says(
            "A script shows what the prompt shows, without colours. Answers go to standard output, errors and notes to \
             standard error with file, line and column. The exit status is 0 when all went well, 1 when a statement or a \
             `:check` failed, 2 for wrong options, 130 after Ctrl-C. `chainrule --help` lists all options.",
        ),
    ],
};

pub(super) const KEYS: Topic = Topic {
    name: "keys",
    also: &[
        "key",
        "editor",
        "history",
        "shortcuts",
        "keyboard",
        "paste",
        "completion",
    ],
    summary: "keys of the prompt",
    parts: &[
        Part::Rows(&[
            (
                "Enter",
                "run the line; on an empty line the next stop of an open walk",
            ),
            (
                "Tab",
                "complete a name, function, command, argument or file",
            ),
            (
                "Right, Ctrl-E",
                "at the end of the line: take what is suggested",
            ),
            (
                "Up, Down",
                "earlier entries; a line that begins with a blank is not kept",
            ),
            ("Ctrl-R", "search them; again for an older one"),
            ("Ctrl-A, Ctrl-E", "to the beginning, to the end"),
            ("Alt-B, Alt-F", "a word back, a word on"),
            (
                "Ctrl-W, Ctrl-U, Ctrl-K",
                "delete the word before, all before, all behind",
            ),
            ("Ctrl-Y", "put back what was deleted"),
            (
                "Ctrl-_",
                "take back the last edit (`:undo` takes back statements)",
            ),
            ("Ctrl-L", "clear the screen"),
            (
                "Ctrl-C",
                "clear the line; stop a statement, which then has not happened",
            ),
            ("Ctrl-D", "on an empty line: leave"),
        ]),
        Part::Says(
            "What a line will answer is shown behind it, dim, before Enter; nothing happens until then. An open bracket \
             goes on in the next line. A pasted block runs statement by statement.",
        ),
        Part::Says(
            "In a pager (long answers): Space pages on, `/` searches, `q` leaves. `:config editing vi` has the keys of \
             vi, `:config` other things to choose.",
        ),
    ],
};

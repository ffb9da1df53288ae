//! The lines that the error for a `.png` or a `.pdf` says to type make this file, if `rsvg-convert` is installed.

use std::fs;
use std::process::Command;

use crate::common::browser::{find_tool, say_skipped};
use crate::common::process::Folder;

#[test]
fn the_refused_pictures_are_made_of_svg() {
    if find_tool("rsvg-convert").is_none() {
        say_skipped("the_refused_pictures_are_made_of_svg", "rsvg-convert");
        return;
    }
    for (statement, file, beginning) in [
        (":plot U^2 U=0..1 q.png", "q.png", "\u{89}PNG"),
        (":graph L 'my graph.PNG'", "my graph.PNG", "\u{89}PNG"),
        (":plot U^2 U=0..1 size 8x6cm q.pdf", "q.pdf", "%PDF"),
        (":walk L w.png all", "w-01.png", "\u{89}PNG"),
    ] {
        let folder = Folder::new();
        let begin = "a = 2; L = a^2\n";
        let refused = folder.run(&[], &format!("{begin}{statement}\n"));
        assert_eq!(refused.status, Some(1), "{refused:?}");
        let (_, help) = refused.err.split_once("help: ").expect("a help");
        let quoted: Vec<&str> = help.split('`').skip(1).step_by(2).collect();
        let drawn = folder.run(&[], &format!("{begin}{}\n", quoted[0]));
        assert_eq!(drawn.status, Some(0), "{drawn:?}");
        let mut shell = Command::new("sh");
        let ran = shell
            .args(["-c", quoted[2]])
            .current_dir(&folder.0)
            .status();
        assert!(ran.is_ok_and(|it| it.success()), "{quoted:?}");
        let made = fs::read(folder.0.join(file)).expect("it was made");
        let letters: String = made[..4].iter().copied().map(char::from).collect();
        assert_eq!(letters, beginning, "{quoted:?}");
    }
}

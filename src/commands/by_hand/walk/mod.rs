//! `:walk L [FILE]`: the pass step by step, here or as a picture that plays itself.
//!
//! The session computes the stops; `shown.rs` says how they are shown, for `:next` and `:prev` too.

mod film;
mod shown;

use std::rc::Rc;

use crate::commands::args::suggestions::Offers;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::gradients::grad;
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::Node;
use crate::report::{Fact, Report, say};
use crate::session::Session;
use crate::session::by_hand::guesses::Quantity;
use crate::session::by_hand::walk::{Direction, Walk};

pub use self::film::{MOST_BOXES, MOST_STOPS};
pub(crate) use self::shown::{asking, brief, place};

pub(crate) const COMMAND: Command = Command {
    name: "walk",
    aliases: &["w"],
    group: Group::Walk,
    entry: (":walk L", "stop by stop"),
    arguments: &[
        Argument::optional("T", ArgumentKind::Expression)
            .means("where the pass starts; without it, the open walk is shown, or one begins"),
        Argument::optional("FILE", ArgumentKind::File)
            .means("a film of the whole walk: `.svg .apng`; the open walk stays where it is")
            .offering(Offers::Files(film::endings)),
        Argument::flag("forward").means("go through the values, from the leaves up"),
        Argument::flag("ask").means("ask for each number before it is shown"),
        Argument::flag("end").means("close the walk"),
    ],
    summary: "go through the pass of T by hand",
    details: "Opens a walk: `:next` makes a stop at each computed node in pass order, `:prev` goes back, and an empty \
              line at the prompt is `:next`. A backward stop shows the node's upstream and, for each operand, the \
              local derivative, upstream times local, and the operand's grad before and after. `forward` goes through \
              the values instead. `:guess` predicts what comes next. With `ask`, the walk asks for each grad, or \
              value, before it shows it: type the number, `?` for a hint, or `:next` to see it. `:walk` alone shows \
              where you are; `end` closes the walk. A finished walk has the grads of `:grad T`, bit for bit. Changing \
              data ends a walk. FILE gets a film of all stops that plays itself: an `.svg` for browsers and slides, \
              or an `.apng`, a PNG that moves.",
    example: "
∂> a, b, c = 2, -3, 10
a = 2, b = -3, c = 10
∂> L = (a*b + c)*a
L = 8
∂> :walk L
a backward walk of L: 3 stops; dL/dL = 1, every other grad is 0
next: L
∂> :next
1 of 3   L = (a*b + c)*a = 8   upstream dL/dL = 1
  operand   local     =   upstream*local   grad
  a*b + c   a         2                2      0 → 2
  a         a*b + c   4                4      0 → 4
next: a*b + c: all its users are done
∂> :next 2
2 of 3   a*b + c = 4   upstream dL/d(a*b + c) = 2
  operand   local   =   upstream*local   grad
  a*b       1       1                2      0 → 2
  c         1       1                2      0 → 2
next: a*b: all its users are done

3 of 3   a*b = -6   upstream dL/d(a*b) = 2
  operand   local    =   upstream*local   grad
  a         b       -3               -6      4 → -2   second contribution
  b         a        2                4      0 →  4
done: every grad is what :grad L shows
∂> :walk L film.svg
drew 3 stops into film.svg
",
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let [forward, ask] = ["forward", "ask"].map(|word| !arguments.words(word).is_empty());
    let direction = if forward {
        Direction::Forward
    } else {
        Direction::Backward
    };
    if let Some(file) = arguments.file("FILE")? {
        return film::reply(session, arguments, file, direction);
    }
    if !arguments.words("end").is_empty() {
        let line = if session.end_walk() {
            "the walk has ended"
        } else {
            "no walk is open"
        };
        return Ok(Reply::show(Report::done(
            "walk",
            vec![("ended", Fact::Flag(true))],
            say!("{}", line),
        )));
    }
    if arguments.words("T").is_empty() && !forward && session.walk().is_some() {
        if ask {
            session.ask_in_walk();
        }
        return Ok(Reply::show(place(session)));
    }
    let target = arguments.target(session, "T")?;
    grad::has_leaf(session, arguments, &target)?;
    session.open_walk(&target.node, direction);
    if ask {
        session.ask_in_walk();
    }
    Ok(Reply::show(place(session)).notes(target.notes))
}

/// Makes the next stop of the open walk. What it shows whole is no question for `:guess` any more.
pub(crate) fn go_on(session: &mut Session) {
    let Some(walk) = session.walk() else { return };
    let coming = walk.coming();
    let root = Rc::clone(walk.root());
    let forward = walk.direction == Direction::Forward;
    session.walk_on();
    let asked = if forward {
        Quantity::Data
    } else {
        Quantity::Grad
    };
    let number = |node: &Rc<Node>| match session.walk() {
        Some(walk) if !forward => walk.grad(node).unwrap_or(0.0),
        _ => node.data(),
    };
    let numbers: Vec<_> = coming
        .iter()
        .map(|node| (node.id(), number(node)))
        .collect();
    session.answers_shown(&root, asked, numbers);
}

/// The open walk; an error if there is none.
pub(crate) fn open<'s>(
    session: &'s mut Session,
    arguments: &Arguments,
) -> Result<&'s Walk, Diagnostic> {
    match session.walk() {
        Some(walk) => Ok(walk),
        None => Err(Diagnostic::new("no walk is open")
            .at(arguments.word)
            .help("start one, as in `:walk L`")),
    }
}

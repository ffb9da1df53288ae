//! How answers look, and what is kept to answer statements again. The shell sets both.

use std::ops::Range;
use std::rc::Weak;

use chainrule_engine::graph::Node;

/// Who reads the answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reader {
    /// A person, who sees the most important rows of long tables, and each remark once.
    #[default]
    Person,
    /// A program, which gets all rows and all answers.
    Program,
}

/// The look of answers. The shell sets it.
#[derive(Debug, Default)]
pub struct Show {
    /// Who reads them.
    pub reader: Reader,
    /// Whether a `;` leaves the verdict on a guess, as in JSON.
    pub shows_verdicts: bool,
    /// Whether answers show the numbers of results, as at the prompt, where the user can type `$3` next.
    pub shows_numbers: bool,
    /// Whether an expression with letters that have no numbers is answered by its formula. In a script, such a letter is
    /// rather a mistake.
    pub reads_letters: bool,
}

/// What is noted and kept so that statements can be answered again, in a page and for other programs.
#[derive(Debug, Default)]
pub struct Replay {
    /// The numbers of the results that belong to the statements that a page answers again while it follows a slider. Such
    /// statements only answer, with the present data of leaves. `None` if statements run.
    pub results: Option<Range<u64>>,
    /// The ends of the axis of a curve without a typed range, while a page answers again. The axis keeps them as long as the
    /// present number of the leaf lies between them.
    pub axis: Option<(f64, f64)>,
    /// The targets that commands have taken because none was typed. A page collects them to answer the commands again.
    pub targets_taken: Option<Vec<Weak<Node>>>,
}

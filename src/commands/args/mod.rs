//! Arguments of commands: the rest of the line is split into words, which are assigned to the arguments of the
//! signature.
//!
//! Keywords (`wrt`, `of`) and words are recognized at bracket depth 0. A node, a number or a count is one word,
//! possibly a bracketed expression; the last argument before a keyword may be a free expression. Nothing is evaluated
//! here: see `resolve`, `range` and `paths`.

mod paths;
pub(crate) mod range;
mod refused;
pub(crate) mod relations;
pub(crate) mod resolve;
pub(crate) mod retyped;
pub(crate) mod settings;
pub(crate) mod signature;
pub(crate) mod split;
pub mod suggestions;
mod whole_range;

use self::split::Assignment;
use self::suggestions::Offers;
use super::Command;
use crate::diagnostic::Diagnostic;
use crate::syntax;
use crate::syntax::Span;

/// One argument in the signature of a command.
#[derive(Debug)]
pub struct Argument {
    /// The name in usage lines: `T`, `NODE`, `RATE`.
    pub name: &'static str,
    /// The kind of argument.
    pub kind: ArgumentKind,
    /// The keyword that begins it: `wrt`, `of`.
    pub keyword: Option<&'static str>,
    /// Is it required?
    pub needed: bool,
    /// Its meaning for the help, if that does not follow from its kind.
    pub meaning: Option<&'static str>,
    /// What completion offers for it.
    pub offers: Offers,
    /// Its keyword is one only behind an expression: where an operand is expected, the word is a name or a function.
    pub late: bool,
}

/// The kinds of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A free expression, up to the next keyword.
    Expression,
    /// One node, as one word.
    Node,
    /// One or more nodes, each as one word.
    Nodes,
    /// One or more names, each as one word.
    Names,
    /// A number: one word that is evaluated.
    Number,
    /// A count: one word that evaluates to a whole number.
    Count,
    /// Leaves and new values: `a 3, b a/2`
    Settings,
    /// Equations or inequalities: `y = 3, x + y <= 10`
    Relations,
    /// Data and a model: `y ± 0.1 ~ a + b*x`
    Model,
    /// Pairs of leaves with numbers: `a b 0.5, a c -0.2`
    Correlations,
    /// A word that is used as it is.
    Topic,
    /// A range, `x=-5..5` or `-5..5`: the last words before a file.
    Range,
    /// A flag: only its keyword.
    Flag,
    /// A path, in quotes if it contains blanks, `;` or `#`.
    File,
    /// The whole rest, a statement of its own.
    Statement,
}

impl Argument {
    /// An optional argument.
    pub const fn optional(name: &'static str, kind: ArgumentKind) -> Argument {
        Argument {
            name,
            kind,
            keyword: None,
            needed: false,
            meaning: None,
            offers: Offers::Usual,
            late: false,
        }
    }

    /// A required argument.
    pub const fn needed(name: &'static str, kind: ArgumentKind) -> Argument {
        Argument {
            needed: true,
            ..Argument::optional(name, kind)
        }
    }

    /// An optional argument that begins with a keyword.
    pub const fn after(keyword: &'static str, name: &'static str, kind: ArgumentKind) -> Argument {
        Argument {
            keyword: Some(keyword),
            ..Argument::optional(name, kind)
        }
    }

    /// A required argument that begins with a keyword.
    pub const fn needed_after(
        keyword: &'static str,
        name: &'static str,
        kind: ArgumentKind,
    ) -> Argument {
        Argument {
            needed: true,
            ..Argument::after(keyword, name, kind)
        }
    }

    /// A keyword without a value: `forward`.
    pub const fn flag(keyword: &'static str) -> Argument {
        Argument::after(keyword, keyword, ArgumentKind::Flag)
    }

    /// Makes its word a keyword only behind an expression.
    #[must_use]
    pub const fn late(self) -> Argument {
        Argument { late: true, ..self }
    }

    /// Sets the meaning that `:help` shows.
    #[must_use]
    pub const fn means(self, meaning: &'static str) -> Argument {
        Argument {
            meaning: Some(meaning),
            ..self
        }
    }

    /// Sets what completion offers.
    #[must_use]
    pub const fn offering(self, offers: Offers) -> Argument {
        Argument { offers, ..self }
    }

    /// The syntax: `[wrt NODE…]`
    pub fn usage(&self) -> String {
        let many = matches!(self.kind, ArgumentKind::Nodes | ArgumentKind::Names);
        let many = if many && !self.name.ends_with('…') {
            "…"
        } else {
            ""
        };
        let text = match self.keyword {
            Some(keyword) if self.kind == ArgumentKind::Flag => keyword.to_string(),
            Some(keyword) => format!("{keyword} {}{many}", self.name),
            None => format!("{}{many}", self.name),
        };
        if self.needed {
            text
        } else {
            format!("[{text}]")
        }
    }
}

/// The arguments of one call of a command.
#[derive(Debug)]
pub struct Arguments<'t> {
    /// The text that spans refer to.
    pub text: &'t str,
    /// The whole statement, for `:log`.
    pub statement: &'t str,
    /// The command's name as typed.
    pub word: Span,
    /// The command that was called.
    pub command: &'static Command,
    /// The statement ended with `;`.
    pub silenced: bool,
    /// The words of each argument of the signature.
    given: Vec<Vec<Span>>,
}

impl<'t> Arguments<'t> {
    /// Splits the rest of a command line according to its signature. `words` are the spans of the name and of the rest.
    pub fn cut(
        command: &'static Command,
        text: &'t str,
        statement: &'t str,
        words: (Span, Span),
        silenced: bool,
    ) -> Result<Arguments<'t>, Diagnostic> {
        let (word, rest) = words;
        let signature = command.arguments;
        let mut arguments = Arguments {
            text,
            statement,
            word,
            command,
            silenced,
            given: signature.iter().map(|_| Vec::new()).collect(),
        };
        if let [
            Argument {
                kind: ArgumentKind::Statement,
                ..
            },
        ] = signature
        {
            // Not split: the statement is parsed when it is run.
            if rest.start < rest.end {
                arguments.given[0].push(rest);
            }
            return arguments.complete();
        }
        let words = syntax::words(text, rest);
        if let Some(several) = arguments.several_files(&words) {
            return Err(several);
        }
        let mut cutting = Assignment::new(signature);
        for found in words {
            cutting
                .take(text, found)
                .map_err(|refused| arguments.refused(refused))?;
        }
        cutting
            .end()
            .map_err(|refused| arguments.refused(refused))?;
        arguments.given = cutting.given;
        arguments.find_file();
        arguments.find_range()?;
        arguments.complete()
    }

    /// A free expression and a list of nodes take all words. If a file may follow them, the last word is the file if it
    /// looks like a path.
    fn find_file(&mut self) {
        let signature = self.command.arguments;
        let file = signature
            .iter()
            .position(|argument| argument.kind == ArgumentKind::File);
        let Some(place) = file.filter(|&place| self.given[place].is_empty()) else {
            return;
        };
        // As in `:graph L wrt w w.svg`: a file may follow what stands behind its place, too.
        let takes = |other: &usize| match signature[*other].kind {
            ArgumentKind::Expression | ArgumentKind::Relations | ArgumentKind::Correlations => true,
            ArgumentKind::Nodes => self.given[*other].len() > 1,
            _ => false,
        };
        let behind = (place + 1..signature.len()).filter(takes);
        let others: Vec<usize> = (0..place).chain(behind).collect();
        for other in others.into_iter().rev() {
            if self.ends_with_file(&self.given[other], place)
                && let Some(last) = self.given[other].pop()
            {
                self.given[place].push(last);
                return;
            }
        }
    }

    /// If ranges may follow an argument, the last words are the ranges: from `x=` on, or those around `..`.
    fn find_range(&mut self) -> Result<(), Diagnostic> {
        let signature = self.command.arguments;
        let kind = |place: &usize| signature[*place].kind;
        let is_range = |place: &usize| kind(place) == ArgumentKind::Range;
        let ranges: Vec<usize> = (0..signature.len()).filter(is_range).collect();
        let Some((&first, before)) = (ranges.first()).and_then(|it| Some((it, it.checked_sub(1)?)))
        else {
            return Ok(());
        };
        let behind = std::mem::take(&mut self.given[first]);
        let own = self.given[before].len();
        self.given[before].extend(behind);
        // As in `:plot y over x up=0..1`.
        let later = (first..signature.len()).filter(|it| kind(it) == ArgumentKind::Expression);
        for place in later.collect::<Vec<usize>>() {
            let words = &mut self.given[place];
            if let Some(start) = range::start(words, self.text).filter(|start| *start > 0) {
                let moved = words.split_off(start);
                self.given[before].extend(moved);
                self.find_file();
            }
        }
        let words = &mut self.given[before];
        let starts = range::starts(words, self.text, ranges.len());
        let file = (0..signature.len()).find(|it| kind(it) == ArgumentKind::File);
        // What stands behind a flag and is no range can only be meant as a file.
        if let (true, ArgumentKind::Expression, Some(file)) =
            (starts.is_empty(), kind(&before), file)
        {
            let rest = words.split_off(own);
            self.given[file].extend(rest);
        }
        for (&place, &start) in ranges.iter().zip(&starts).rev() {
            self.given[place] = self.given[before].split_off(start);
        }
        // As in `:plot x^2 parabola.svg x=-5..5`: the file may stand before the range too.
        self.find_file();
        match self.given[before][..] {
            [_, surplus, ..] if signature[before].kind == ArgumentKind::Count => {
                Err(self.surplus(surplus))
            }
            _ => Ok(()),
        }
    }

    /// Checks that all required arguments are given.
    fn complete(self) -> Result<Arguments<'t>, Diagnostic> {
        let missing =
            |(argument, words): &(&Argument, &Vec<Span>)| argument.needed && words.is_empty();
        let signature = self.command.arguments;
        if let Some((argument, _)) = signature.iter().zip(&self.given).find(missing) {
            return Err(self.missing(&format!("`:{}`", self.command.name), argument, self.end()));
        }
        Ok(self)
    }

    /// The end of the statement without trailing blanks.
    pub(super) fn end(&self) -> usize {
        let statement = self.statement.trim_end();
        statement.as_ptr() as usize + statement.len() - self.text.as_ptr() as usize
    }

    /// The words given for the argument with this name.
    pub fn words(&self, name: &str) -> &[Span] {
        let place = self
            .command
            .arguments
            .iter()
            .position(|argument| argument.name == name);
        place.map_or(&[], |place| &self.given[place])
    }

    /// The first word of an argument, for arguments of one word.
    pub fn word(&self, name: &str) -> Option<(&'t str, Span)> {
        self.words(name)
            .first()
            .map(|&span| (span.of(self.text), span))
    }

    /// The span from the first to the last word of an argument.
    pub(crate) fn stretch(&self, name: &str) -> Option<Span> {
        self.words(name).iter().copied().reduce(Span::to)
    }
}

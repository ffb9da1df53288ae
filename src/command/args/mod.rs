//! Parses the arguments of a command: splits the line after the name into words, and gives each word to an argument of
//! the command's signature. The shape of a word shows its argument, so files, ranges and keywords may stand in any order.
//!
//! A node, a number or a count is one word, perhaps a bracketed expression; an expression may have several words.
//! [`Arguments`] has only the words. The files `evaluate`, `existing`, `target`, `range` and `paths` compute the values
//! of words when the command runs.

pub(crate) mod assignment;
pub(crate) mod evaluate;
pub(crate) mod existing;
mod paths;
pub(crate) mod range;
pub(crate) mod relations;
pub(crate) mod set_values;
pub mod suggestions;
pub(crate) mod target;

use self::assignment::Assignment;
use self::paths::is_path;
use super::Command;
use chainrule_language::{Span, StatementSpan, SyntaxError};
use chainrule_program::Environment as _;
use chainrule_report::diagnostic::suggest::{did_you_mean, nearest};
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_session::{Session, explain};

/// One argument in the signature of a command.
#[derive(Debug)]
pub struct Argument {
    /// Its part of the usage line: `[wrt NODE…]`.
    pub usage: &'static str,
    /// Its name: `T`, `NODE`, `RATE`.
    pub name: &'static str,
    /// The kind of argument.
    pub kind: ArgumentKind,
    /// The keyword that begins it: `wrt`, `of`.
    pub keyword: Option<&'static str>,
    /// Whether it is required.
    pub is_required: bool,
    /// Its meaning for the help.
    pub meaning: &'static str,
    /// Whether its keyword does not count as the first word, which is a name or a function there. (After an operator, no
    /// keyword counts, whatever this field says.)
    pub must_follow_operand: bool,
    /// The argument that must be given with it.
    pub needs: Option<&'static Argument>,
    /// Arguments that must not be given with it.
    pub excludes: &'static [&'static Argument],
    /// The endings that its files may have.
    pub endings: &'static [&'static str],
    /// The condition that its nodes must meet.
    pub condition: NodeCondition,
}

/// A condition on the nodes of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeCondition {
    /// None: any node is possible.
    Any,
    /// The node is a leaf, or a leaf is below it.
    Varying,
    /// The node is a leaf.
    Leaf,
}

/// The kinds of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A free expression, up to the next keyword.
    Expression,
    /// Such an expression, as often as its keyword is typed.
    Expressions,
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
    /// A word that is not evaluated.
    Word,
    /// One or more such words.
    Words,
    /// A range, `x=-5..5` or `-5..5`.
    Range,
    /// A flag: only its keyword.
    Flag,
    /// A path, in quotes if it contains blanks, `;` or `#`.
    File,
    /// The whole rest as it stands: words.
    Rest,
}

impl Argument {
    /// Returns its keyword, or else its name, for errors.
    fn error_name(&self) -> &'static str {
        self.keyword.unwrap_or(self.name)
    }
}

/// The arguments of one call of a command.
#[derive(Debug)]
pub struct Arguments<'t> {
    /// The text that spans refer to.
    pub text: &'t str,
    /// The whole statement, a slice of `text`.
    pub statement: &'t str,
    /// The span of the command's name.
    pub name_span: Span,
    /// The command.
    pub command: &'static Command,
    /// Whether the statement ended with `;`.
    pub is_silenced: bool,
    assignment: Assignment,
}

impl<'t> Arguments<'t> {
    /// Assigns the words of a command line to its arguments. `rest` is the span of everything after the name.
    pub fn parse(
        command: &'static Command,
        text: &'t str,
        cut: &StatementSpan,
        name_span: Span,
        rest: Span,
    ) -> Result<Arguments<'t>> {
        let mut arguments = Arguments {
            text,
            statement: cut.span.of(text),
            name_span,
            command,
            is_silenced: cut.is_silenced,
            assignment: Assignment::new(command),
        };
        if command.takes_rest() {
            arguments.assignment.given[0].extend((rest.start < rest.end).then_some(rest));
            return arguments.check_requirements();
        }
        for word in assignment::words(command, text, rest) {
            let taken = arguments.assignment.take(text, word);
            taken.map_err(|surplus| arguments.surplus_word(surplus))?;
        }
        if let Some((place, word)) = arguments.assignment.pending_keyword() {
            let (keyword, argument) = (format!("`{}`", word.of(text)), command.arguments[place]);
            return Err(arguments.missing_argument(&keyword, argument, word.end as usize));
        }
        arguments.check_requirements()
    }

    /// Checks that required arguments are given, and that the given ones go together.
    fn check_requirements(self) -> Result<Arguments<'t>> {
        for argument in self.command.arguments {
            let Some(own) = self.span_of(argument) else {
                if argument.is_required {
                    let command = format!("`:{}`", self.command.name);
                    return Err(self.missing_argument(&command, argument, self.end()));
                }
                continue;
            };
            if let Some(needed) = argument.needs.filter(|needed| !self.has(needed)) {
                let name = argument.error_name();
                let [needed_usage, usage] =
                    [needed, argument].map(|it| it.usage.trim_matches(['[', ']']));
                let message = match needed.kind {
                    ArgumentKind::File => format!("`{name}` is for a file"),
                    _ => format!("`{name}` needs `{needed_usage}`"),
                };
                let help = format!("write `… {needed_usage} {usage}`");
                return Err(Diagnostic::new(message).at(own).help(help));
            }
            for excluded in argument.excludes {
                let Some(span) = self.span_of(excluded) else {
                    continue;
                };
                let later = if span.start > own.start { span } else { own };
                let (name, excluded_name) = (argument.error_name(), excluded.error_name());
                let message = format!("`{name}` and `{excluded_name}` do not go together");
                let help = "leave one of them out";
                return Err(Diagnostic::new(message).at(later).help(help));
            }
        }
        Ok(self)
    }

    /// Whether this argument is given.
    pub(crate) fn has(&self, argument: &Argument) -> bool {
        !self.words(argument).is_empty()
    }

    /// The index in `text` at which the statement ends, without trailing blanks.
    pub(crate) fn end(&self) -> usize {
        // The difference of addresses is an index because the statement is a slice of the text.
        let statement = self.statement.trim_end();
        statement.as_ptr() as usize + statement.len() - self.text.as_ptr() as usize
    }

    /// The words given for an argument. The usage identifies the argument, because `:fit` reads some of its arguments by
    /// the constants of `:plot`, which have the same usage.
    pub fn words(&self, argument: &Argument) -> &[Span] {
        let mut all = self.command.arguments.iter().zip(&self.assignment.given);
        let found = all.find(|(it, _)| it.usage == argument.usage);
        found.map_or(&[], |(_, words)| words)
    }

    /// The first word of an argument, with its span.
    pub fn first_word(&self, argument: &Argument) -> Option<(&'t str, Span)> {
        let first = self.words(argument).first();
        first.map(|&span| (span.of(self.text), span))
    }

    /// The span of an argument for an error. If the argument is left out, it is the span of the command's name.
    pub(crate) fn place(&self, argument: &Argument) -> Span {
        self.span_of(argument).unwrap_or(self.name_span)
    }

    /// The span from the first to the last word of an argument.
    pub(crate) fn span_of(&self, argument: &Argument) -> Option<Span> {
        self.words(argument).iter().copied().reduce(Span::to)
    }

    /// The span of each expression of an argument whose keyword may be typed several times.
    pub(crate) fn spans_of(&self, argument: &Argument) -> Vec<Span> {
        let is_keyword = |word: &Span| Some(word.of(self.text)) == argument.keyword;
        let groups = self.words(argument).split(is_keyword);
        groups
            .filter_map(|words| words.iter().copied().reduce(Span::to))
            .collect()
    }

    /// The error that the command, or a keyword, needs an argument. `asker` is the command or the keyword in backticks.
    fn missing_argument(&self, asker: &str, argument: &Argument, at: usize) -> Diagnostic {
        let (usage, name) = (self.command.usage(), self.command.name);
        let help = format!("usage: `{usage}`; `:help {name}` has an example");
        let message = format!("{asker} needs `{}`", argument.name);
        Diagnostic::new(message).at(at..at).help(help)
    }

    /// The error for an argument with a grammar of its own. If the error has no help, the help is where to find
    /// an example.
    pub(crate) fn explain(&self, session: &Session, error: SyntaxError) -> Diagnostic {
        let error = explain(session, error);
        match error.help {
            Some(_) => error,
            None => error.help(format!("`:help {}` has an example", self.command.name)),
        }
    }

    /// The error for an expression that does not parse. If the error is at a later word, the expression before the word is
    /// usually complete, and the command does not take the word.
    pub(crate) fn syntax_error(
        &self,
        session: &Session,
        argument: &Argument,
        error: SyntaxError,
    ) -> Diagnostic {
        let words = self.words(argument);
        let at = words.iter().position(|word| word.start == error.span.start);
        let Some(at) = at.filter(|&at| at > 0) else {
            return explain(session, error);
        };
        let command = self.command;
        let usage = format!("usage: `{}`", command.usage());
        match (words[at].of(self.text), error.juxtaposed.as_deref()) {
            (",", None) => {
                let message = format!("`:{}` takes one expression at a time", command.name);
                Diagnostic::new(message).at(words[at]).help(usage)
            }
            (_, Some(beside)) if !session.is_function(&beside.left) => self.surplus_word(words[at]),
            _ => explain(session, error),
        }
    }

    /// The error for a word that the command does not take.
    pub(crate) fn surplus_word(&self, word: Span) -> Diagnostic {
        let typed = word.of(self.text);
        let arguments = self.command.arguments;
        let is_file = |argument: &&Argument| argument.kind == ArgumentKind::File;
        let problem = if arguments.is_empty() {
            "takes no arguments".to_string()
        } else if is_path(typed) && arguments.iter().any(is_file) {
            "takes one file at a time".to_string()
        } else {
            format!("does not take `{typed}` here")
        };
        let keywords = arguments.iter().filter_map(|argument| argument.keyword);
        let near = nearest(typed, keywords.filter(|keyword| *keyword != typed));
        let help = did_you_mean(near, || self.surplus_word_help(word));
        let message = format!("`:{}` {problem}", self.command.name);
        Diagnostic::new(message).at(word).help(help)
    }

    fn surplus_word_help(&self, word: Span) -> String {
        let usage = format!("usage: `{}`", self.command.usage());
        if !is_path(word.of(self.text)) {
            return usage;
        }
        let kinds: Vec<ArgumentKind> = self.command.arguments.iter().map(|it| it.kind).collect();
        if !kinds.contains(&ArgumentKind::File) {
            return "a table goes into a file that ends in `.csv` or `.md`".to_string();
        }
        // `:load my file.calc`: everything after the command's name is perhaps one path.
        let path = self.text[self.name_span.end as usize..word.end as usize].trim();
        let first = path.split_whitespace().next().unwrap_or_default();
        if kinds[0] == ArgumentKind::File && !is_path(first) {
            let name = self.command.name;
            return format!("a path with a blank goes in quotes: `:{name} \"{path}\"`");
        }
        usage
    }
}

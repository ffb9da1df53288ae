//! Python, and commands without their colon: what to type instead.
//!
//! Asked only when a statement has failed. The shapes are those of the lecture, of posts about it and of notebooks; a
//! line with none of them keeps the error it has. A name that the user has bound is the user's. No line here names a
//! command that does not exist: a test looks every one of them up.

mod terms;

use crate::commands::COMMANDS;
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::syntax;
use crate::syntax::{Cut, Statement};

/// The longest line that is looked at: nobody types more, and the work is bounded.
const MAX_LINE: usize = 4_096;

/// The most of a line that a way out repeats, in characters.
const SHOWN: usize = 100;

/// Words that begin a statement of Python, and what to do here.
const WORDS: &[(&str, &str)] = &[
    (
        "import",
        "leave the line out: `:ops` lists the functions that are there",
    ),
    (
        "from",
        "leave the line out: `:ops` lists the functions that are there",
    ),
    (
        "class",
        "leave the class out: `a = 2` makes a node, and `L = a*b + c` keeps the graph behind it",
    ),
    ("return", "a function is one line: `f(x) = 3x^2 - 4x + 5`"),
    ("yield", "a function is one line: `f(x) = 3x^2 - 4x + 5`"),
    (
        "for",
        "a loop is typed out; `:step 0.01 20` repeats the pass and the step 20 times",
    ),
    (
        "while",
        "a loop is typed out; `:step 0.01 20` repeats the pass and the step 20 times",
    ),
    ("if", "a choice is a function: `if(x > 0, a, b)`"),
    ("elif", "a choice is a function: `if(x > 0, a, b)`"),
    ("else", "a choice is a function: `if(x > 0, a, b)`"),
    ("match", "a choice is a function: `if(x == 1, a, b)`"),
    ("case", "a choice is a function: `if(x == 1, a, b)`"),
    (
        "assert",
        "type the condition alone: it is 1 where it holds and 0 where not",
    ),
    ("raise", "leave the line out"),
    ("try", "leave the line out"),
    ("except", "leave the line out"),
    ("finally", "leave the line out"),
    ("with", "leave the line out"),
    ("pass", "leave the line out"),
    ("break", "leave the line out"),
    ("continue", "leave the line out"),
    (
        "global",
        "leave the line out: a function looks names up at each call",
    ),
    (
        "nonlocal",
        "leave the line out: a function looks names up at each call",
    ),
];

/// What to do with the inside of Python's class.
const METHOD: &str =
    "leave the methods out: the operations have their derivatives, `:ops` lists them";

/// What to say of a statement that failed with `error`, if it is one of these; `None` keeps the error.
pub(super) fn advice(
    session: &Session,
    text: &str,
    cut: &Cut,
    error: &Diagnostic,
) -> Option<Diagnostic> {
    let line = cut.span.of(text);
    if error.interrupted || line.len() > MAX_LINE {
        return None;
    }
    let foreign = Foreign {
        session,
        line,
        start: cut.span.start as usize,
    };
    if line.starts_with(':') || is_understood(text, cut) {
        return foreign.module();
    }
    foreign
        .pasted()
        .or_else(|| foreign.bare_command())
        .or_else(|| foreign.function())
        .or_else(|| foreign.statement())
        .or_else(|| foreign.gradient())
        .or_else(|| foreign.shown())
        .or_else(|| foreign.module())
        .or_else(|| foreign.call())
        .or_else(|| foreign.choice())
        .or_else(|| foreign.word())
}

/// A line that is not the calculator's.
struct Foreign<'s> {
    session: &'s Session,
    line: &'s str,
    /// Where it begins in the text.
    start: usize,
}

impl Foreign<'_> {
    /// An error about the part from `at` on, so many bytes long.
    fn error(&self, at: usize, length: usize, message: String, help: String) -> Diagnostic {
        let start = self.start + at;
        Diagnostic::new(message)
            .at(start..start + length)
            .help(help)
    }

    /// An error about the whole line.
    fn whole(&self, message: &str, help: String) -> Diagnostic {
        self.error(0, self.line.len(), message.to_string(), help)
    }

    /// Does the user know this name as something else?
    fn is_taken(&self, name: &str) -> bool {
        self.session.names().get(name).is_some() || self.session.functions().get(name).is_some()
    }

    /// The names of the line with their places, quoted ones left out.
    fn words(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut at = 0;
        let mut quote = None;
        std::iter::from_fn(move || {
            loop {
                let first = self.line[at..].chars().next()?;
                if quote == Some(first) {
                    quote = None;
                } else if quote.is_none() && matches!(first, '"' | '\'') {
                    quote = Some(first);
                } else if quote.is_none() && (first.is_alphabetic() || first == '_') {
                    let rest = &self.line[at..];
                    let end = rest
                        .find(|c: char| !c.is_alphanumeric() && c != '_')
                        .unwrap_or(rest.len());
                    let begin = at;
                    at += end;
                    return Some((begin, &rest[..end]));
                } else if first.is_ascii_digit() {
                    // The `e` of `2e3` is no name.
                    let rest = &self.line[at..];
                    at += rest
                        .find(|c: char| !c.is_alphanumeric() && c != '_')
                        .unwrap_or(rest.len());
                    continue;
                }
                at += first.len_utf8();
            }
        })
    }

    /// The first name of the line, if it begins with one.
    fn first(&self) -> Option<&str> {
        self.words()
            .next()
            .filter(|(at, _)| *at == 0)
            .map(|(_, word)| word)
    }

    /// `>>> a = 2`, `In [3]: a`, `%matplotlib inline`, `Value(data=2.0)`, `"""…"""`
    fn pasted(&self) -> Option<Diagnostic> {
        let line = self.line;
        for prompt in [">>>", "..."] {
            if let Some(rest) = line.strip_prefix(prompt) {
                return Some(self.prompt(prompt.len(), rest));
            }
        }
        for prompt in ["In", "Out"] {
            if let Some(rest) = line.strip_prefix(prompt)
                && let Some((number, rest)) = rest.trim_start().split_once("]:")
                && number.starts_with('[')
                && number[1..].chars().all(|c| c.is_ascii_digit() || c == ' ')
            {
                if prompt == "Out" {
                    let help = "leave the line out; a value is shown by typing its name: `L`";
                    return Some(self.whole("this is what a notebook answered", help.to_string()));
                }
                return Some(self.prompt(line.len() - rest.len(), rest));
            }
        }
        if line.starts_with('%') {
            let help = "leave the line out: nothing has to be prepared".to_string();
            return Some(self.whole("this is for a notebook", help));
        }
        if line.starts_with('@') && line[1..].starts_with(|c: char| c.is_alphabetic()) {
            let help = "leave the line out".to_string();
            return Some(self.whole("this is a decorator of Python", help));
        }
        if line.starts_with("Value(") && line.contains("data=") || line.starts_with("Value:") {
            let number: String = line
                .chars()
                .skip_while(|c| !c.is_ascii_digit() && *c != '-')
                .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+'))
                .collect();
            let help = if number.is_empty() {
                "a value is shown by typing its name: `L`".to_string()
            } else {
                format!("leave it out, or bind the number: `a = {number}`")
            };
            return Some(self.whole("this is what Python answered, not what was typed", help));
        }
        None
    }

    fn prompt(&self, length: usize, rest: &str) -> Diagnostic {
        let rest = rest.trim();
        let help = if rest.is_empty() {
            "leave the line out".to_string()
        } else {
            format!("without it: `{}`", cut(rest))
        };
        let prompt = self.line[..length].trim_end();
        self.error(
            0,
            prompt.len(),
            format!("`{prompt}` is a prompt of Python and no part of the line"),
            help,
        )
    }

    /// `help`, `quit`, `exit`, `vars`, `grad L`
    fn bare_command(&self) -> Option<Diagnostic> {
        let word = self.first()?;
        let rest = self.line[word.len()..].trim();
        let (rest, called) = match rest
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'))
        {
            Some(inside) if inside.trim().is_empty() => ("", true),
            _ => (rest, false),
        };
        let name = match word {
            "exit" => "quit",
            word => COMMANDS.iter().find(|command| command.name == word)?.name,
        };
        let goes_on =
            rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '@'));
        let alone = rest.is_empty();
        if self.session.names().get(word).is_some()
            || self.session.is_function(word) && !(called && alone) && !self.session.is_grad(word)
            || !(alone || goes_on)
        {
            return None;
        }
        let line = format!(":{name} {}", cut(rest));
        Some(self.error(
            0,
            word.len(),
            format!("`{word}` is a command, and commands begin with a colon"),
            format!("type `{}`", line.trim_end()),
        ))
    }

    /// `f = lambda x: 3*x**2`, `def f(x): return 3*x**2`
    fn function(&self) -> Option<Diagnostic> {
        let one_line = "a function is one line";
        if self.first() == Some("def") && !self.is_taken("def") {
            let head = self.line["def".len()..].trim_start();
            let (head, body) = head.split_once(':').unwrap_or((head, ""));
            let head = head.trim_end();
            let body = body.trim();
            let body = body.strip_prefix("return ").unwrap_or(body).trim();
            if head.contains("self") || head.starts_with('_') {
                return Some(self.whole("this is a method of Python", METHOD.to_string()));
            }
            let help = match head.split_once('(').filter(|(_, rest)| rest.trim() == ")") {
                Some((name, _)) if body.is_empty() => {
                    format!("{one_line}: `{name}(x) = …`; what has no parameter is typed as it is")
                }
                _ if body.is_empty() => format!("{one_line}: `{} = …`", cut(head)),
                _ => format!("{one_line}: `{} = {}`", cut(head), cut(body)),
            };
            return Some(self.whole("`def` is Python", help));
        }
        let (at, _) = self.words().find(|(_, word)| *word == "lambda")?;
        if self.is_taken("lambda") || self.first() == Some("self") {
            return None;
        }
        let (parameters, body) = self.line[at + "lambda".len()..].split_once(':')?;
        let name = self.line[..at].trim_end().strip_suffix('=').map(str::trim);
        let name = name.filter(|name| syntax::is_name(name)).unwrap_or("f");
        let (parameters, body) = (parameters.trim(), body.trim());
        let help = if parameters.is_empty() {
            format!(
                "{one_line} and has a parameter: `{name}(x) = {}`",
                cut(body)
            )
        } else {
            format!("{one_line}: `{name}({}) = {}`", cut(parameters), cut(body))
        };
        Some(self.error(at, "lambda".len(), "`lambda` is Python".to_string(), help))
    }

    /// `import math`, `class Value:`, `for k in range(20):`, `self.data = data`
    fn statement(&self) -> Option<Diagnostic> {
        let word = self.first()?;
        let (word, help) = WORDS.iter().find(|(known, _)| *known == word)?;
        let rest = &self.line[word.len()..];
        // `if(a, b)` is a call, `with = 3` a binding that failed for another reason.
        let is_name = rest
            .trim_start()
            .starts_with(['=', '(', '+', '*', '/', '^', '.', ',']);
        if self.is_taken(word) || is_name && !self.line.ends_with(':') {
            return None;
        }
        Some(self.error(
            0,
            word.len(),
            format!("`{word}` is Python"),
            (*help).to_string(),
        ))
    }

    /// `a.grad = 0.0`, `L.grad = 1.0`, `a.grad += 1`
    fn gradient(&self) -> Option<Diagnostic> {
        let (left, right) = self.line.split_once('=')?;
        let left = left.trim_end().trim_end_matches(['+', '-', '*', '/', ' ']);
        let node = left
            .strip_suffix(".grad")
            .or_else(|| left.strip_suffix(".gradient"))?;
        if right.starts_with('=') || !syntax::is_name(node) {
            return None;
        }
        if matches!(node, "self" | "out" | "other" | "result") && !self.is_taken(node) {
            return Some(self.error(
                0,
                left.len(),
                format!("`{left}` is Python"),
                METHOD.to_string(),
            ));
        }
        let help = match right.trim().parse::<f64>() {
            Ok(0.0) => "all gradients are forgotten by `:zero`; `:grad L` begins anew by itself"
                .to_string(),
            Ok(1.0) if self.session.names().get(node).is_some() => {
                format!("the pass that begins with 1 at `{node}` is `:grad {node}`")
            }
            _ => "a pass gives every node its gradient: `:grad L`".to_string(),
        };
        Some(self.error(
            0,
            left.len(),
            format!("the gradient `{left}` cannot be set"),
            help,
        ))
    }
}

/// Is it a line of the lecture, but for what is in it?
fn is_understood(text: &str, statement: &Cut) -> bool {
    match syntax::statement(text, statement) {
        Ok(Statement::Lecture(_)) => true,
        Ok(Statement::Expression(expression)) => {
            matches!(syntax::called(text, &expression), Some(Ok(_)))
        }
        _ => false,
    }
}

/// A part of the line, short enough for a sentence.
fn cut(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = words.chars().take(SHOWN).collect();
    if shown.len() < words.len() {
        shown.push('…');
    }
    shown
}

//! Spells operations in C, Python (with `NumPy` or without) and JAX, for `:export`.
//!
//! An operation has one spelling for all languages: arithmetic that the languages share, and calls. The operands are `x`,
//! `y` and `z`, or the list `a` if the operation takes any number of operands. The calls are of functions of the language,
//! or of the library in the folder `dialect`; the program contains the functions of the library that it calls. An operation
//! whose spelling calls a function that a language lacks cannot be exported to that language. In Python each function of
//! the library has its slopes, because the program differentiates itself. With `NumPy`, each number is an array of numbers,
//! and a program has the functions of `library.np.py` in place of those of `library.py`.
//!
//! `operation_text` puts operands into a spelling. Tests compare the results of all operations with the numbers of
//! chainrule.

use std::borrow::Cow;
use std::collections::BTreeSet;

use chainrule_engine::ops::{Op, Rule};

/// A language of exported programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// C99.
    C,
    /// Python with its module `math`.
    Python,
    /// Python whose numbers are arrays of `NumPy`, item by item.
    NumPy,
    /// Python with JAX, which takes derivatives itself: only values are spelled.
    Jax,
}

/// Spellings that JAX writes in another way.
const JAX_TEXTS: &[(&str, &str)] = &[
    ("pow(x, y)", "x**y"),
    ("x * x", "x**2"),
    ("x * x * x", "x**3"),
    ("either(x, y, z)", "jnp.where(x != 0, y, z)"),
];

/// Keywords, and names that the program around the formulas uses.
const C_WORDS: &str = "auto break case char const continue default do double else enum extern float for goto if inline int \
    long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while \
    asm typeof bool true false alignas alignof constexpr nullptr static_assert thread_local typeof_unqual \
    linux unix L_tmpnam L_ctermid P_tmpdir math_errhandling main printf leaves grad of_leaves";
const PYTHON_WORDS: &str = "False None True and as assert async await break class continue def del elif else except finally \
    for from global if import in is lambda nonlocal not or pass raise return try while with yield match case type math \
    float len print sum zip leaves grad of_leaves";
const TAPE_WORDS: &str = "ArithmeticError Number OverflowError ValueError any f isinstance list map max min names \
    number operand operation range reversed root round slope tape x0";
const JAX_WORDS: &str = "jax jnp np params data value_and_grad f name at slope value shares i";

impl Dialect {
    /// Returns the functions that spellings call, each with its name in this language.
    fn names(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let lines = include_str!("dialect/names.txt").lines();
        let rows = lines.filter(|line| !line.starts_with('#')).skip(1);
        let column = match self {
            Dialect::C => 0,
            Dialect::Python | Dialect::NumPy => 1,
            Dialect::Jax => 2,
        };
        rows.filter_map(move |line| {
            let mut words = line.split_whitespace();
            let row = words.next()?;
            let name = words.nth(column)?;
            (name != "-").then_some((row, name))
        })
    }

    /// Returns the sign that begins a comment up to the end of the line.
    pub(crate) fn comment(self) -> &'static str {
        if self == Dialect::C { "//" } else { "#" }
    }

    /// Returns the literal of a number, which a compiler reads back to the bit. Negative numbers are in brackets.
    pub(crate) fn literal(self, number: f64) -> String {
        let size = number.abs();
        let (infinity, nan) = match self {
            Dialect::C => ("INFINITY", "NAN"),
            Dialect::Python | Dialect::NumPy => ("math.inf", "math.nan"),
            Dialect::Jax => ("jnp.inf", "jnp.nan"),
        };
        let text = match size {
            f64::INFINITY => infinity.to_string(),
            _ if size.is_nan() => nan.to_string(),
            // `{:?}` writes a point or an exponent: between whole numbers C would divide without remainder.
            _ => format!("{size:?}"),
        };
        if number.is_sign_negative() && !number.is_nan() {
            format!("(-{text})")
        } else {
            text
        }
    }

    /// Returns the name of the function in this row of `names.txt`, which must be a function that every language with lists
    /// has.
    pub(super) fn name(self, row: &str) -> &'static str {
        let entry = self.names().find(|(known, _)| *known == row);
        entry.expect("languages with lists have these functions").1
    }

    /// Returns the words that cannot name a variable.
    pub(crate) fn reserved_words(self) -> impl Iterator<Item = &'static str> {
        let lists: &[&str] = match self {
            Dialect::C => &[C_WORDS],
            Dialect::Python => &[PYTHON_WORDS, TAPE_WORDS],
            Dialect::NumPy => &[PYTHON_WORDS, TAPE_WORDS, "np"],
            Dialect::Jax => &[PYTHON_WORDS, JAX_WORDS],
        };
        let words = lists.iter().flat_map(|list| list.split_whitespace());
        let names = self.names().map(|(_, name)| name);
        words.chain(names).chain(self.library_names())
    }

    /// Returns whether the program is in plain Python, whose lists are lists, and has a tape.
    pub(super) fn has_tape(self) -> bool {
        matches!(self, Dialect::Python | Dialect::NumPy)
    }

    /// Returns the names in its library.
    fn library_names(self) -> impl Iterator<Item = &'static str> {
        paragraphs(self).into_iter().map(|function| function.name)
    }

    /// Returns the spelling of an operation, with the operands `x`, `y`, `z` or `a`. If the library has a function with the
    /// name of the operation, the spelling is a call of this function. Returns `None` if the language lacks a function.
    pub(crate) fn value(self, op: &Op) -> Option<String> {
        let call = format!("{}({})", op.name, operands(op));
        if self.library_names().any(|known| known == op.name) {
            return Some(call);
        }
        let text = op.script.unwrap_or(&call);
        if self == Dialect::Jax
            && let Some((_, jax_text)) = JAX_TEXTS.iter().find(|(known, _)| *known == text)
        {
            return Some((*jax_text).to_string());
        }
        let mut out = String::new();
        for (word, after) in word_by_word(text) {
            let name = if after.starts_with('(') && !word.is_empty() {
                self.names().find(|(row, _)| *row == word)?.1
            } else {
                word
            };
            out.extend([name, after]);
        }
        Some(out)
    }

    /// Returns the language's name.
    pub(crate) fn language(self) -> &'static str {
        match self {
            Dialect::C => "C",
            Dialect::Python => "Python",
            Dialect::NumPy => "Python with NumPy",
            Dialect::Jax => "JAX",
        }
    }
}

/// Returns the operands in the spelling of an operation.
pub(super) fn operands(op: &Op) -> &'static str {
    match op.rule {
        Rule::Unary { .. } => "x",
        Rule::Binary { .. } => "x, y",
        Rule::Ternary { .. } => "x, y, z",
        Rule::Many { .. } | Rule::Carried => "a",
    }
}

/// Splits a text into words, each with the one sign after it. Between two signs the word is empty.
pub(super) fn word_by_word(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_sign = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    text.split_inclusive(is_sign).map(move |part| {
        let word = part.trim_end_matches(is_sign);
        (word, &part[word.len()..])
    })
}

/// A function of a library, with its comment.
struct Function {
    name: &'static str,
    text: Cow<'static, str>,
}

/// Returns the functions of the library of a language, in their order.
fn paragraphs(dialect: Dialect) -> Vec<Function> {
    let file = match dialect {
        Dialect::C => include_str!("dialect/library.c"),
        Dialect::Python => include_str!("dialect/library.py"),
        Dialect::NumPy => include_str!("dialect/library.np.py"),
        Dialect::Jax => include_str!("dialect/library.jax.py"),
    };
    let mut functions = functions_in(dialect, file);
    if dialect == Dialect::NumPy {
        for mut function in paragraphs(Dialect::Python) {
            // Functions stand in the order of `library.py`, where each is below those that its definition needs.
            let place = functions.iter().position(|own| own.name == function.name);
            if let Some(place) = place {
                function = functions.remove(place);
            } else {
                // `math.atan` is `np.arctan`.
                let renamed = function.text.replace("math.a", "np.arc");
                function.text = renamed.replace("math.", "np.").into();
            }
            functions.push(function);
        }
    }
    functions
}

/// Returns the functions in a file. Each is a paragraph; the first paragraph, which is about the file, has none.
fn functions_in(dialect: Dialect, file: &'static str) -> Vec<Function> {
    let paragraphs = file.split("\n\n").filter_map(|paragraph| {
        let name = defined_name(dialect, paragraph)?;
        let text = paragraph.trim_end().into();
        Some(Function { name, text })
    });
    paragraphs.collect()
}

/// Returns the name that a paragraph of a library defines: the word before the first bracket or `=`.
fn defined_name(dialect: Dialect, paragraph: &str) -> Option<&str> {
    let comment = dialect.comment();
    let code = paragraph.lines().find(|line| !line.starts_with(comment))?;
    code.split(['(', '=']).next()?.split_whitespace().last()
}

/// Returns the functions of the library that texts call, and the functions that these functions call in turn.
pub(super) fn library<'t>(dialect: Dialect, texts: impl IntoIterator<Item = &'t str>) -> String {
    let all = paragraphs(dialect);
    let mut needed: BTreeSet<usize> = BTreeSet::new();
    let mut unread: Vec<&str> = texts.into_iter().collect();
    while let Some(text) = unread.pop() {
        let words = code_words(dialect, text);
        for (index, function) in all.iter().enumerate() {
            if words.contains(function.name) && needed.insert(index) {
                unread.push(&function.text);
            }
        }
    }
    let functions: Vec<&str> = needed.iter().map(|&index| &*all[index].text).collect();
    // Most functions of Python are single lines, and need no empty lines between them.
    let is_line = |text: &str| dialect.has_tape() && !text.contains('\n');
    let groups = functions.chunk_by(|one, next| is_line(one) && is_line(next));
    let group_texts: Vec<String> = groups.map(|lines| lines.join("\n")).collect();
    group_texts.join("\n\n")
}

/// Returns the words of a text outside of comments. `math.exp` is one word.
fn code_words(dialect: Dialect, text: &str) -> BTreeSet<&str> {
    let is_sign = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.'));
    let code = text.lines().map(|line| {
        let end = line.find(dialect.comment()).unwrap_or(line.len());
        &line[..end]
    });
    code.flat_map(|line| line.split(is_sign)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chainrule_engine::ops::TABLE;

    #[test]
    fn a_library_holds_what_is_needed() {
        let library = |texts: &[&str]| library(Dialect::C, texts.iter().copied());
        assert_eq!(library(&["x * y"]), "");
        let sigmoid = library(&["sigmoid(x)"]);
        assert!(sigmoid.contains("double sigmoid(double x)") && !sigmoid.contains("softplus"));
    }

    /// Each function is called somewhere.
    #[test]
    fn a_library_holds_no_more_than_is_called() {
        for dialect in [Dialect::C, Dialect::Python, Dialect::NumPy, Dialect::Jax] {
            let values = TABLE.iter().filter_map(|op| dialect.value(op));
            // Arrays are not for C.
            let arrays =
                "operation(contribution(each(stacked(dot(flat(range_of(a)))))))".to_string();
            let texts: Vec<String> = values.chain([arrays]).collect();
            let all = library(dialect, texts.iter().map(String::as_str));
            for Function { name, text } in paragraphs(dialect) {
                assert!(all.contains(&*text), "never called: {dialect:?} {name}");
            }
        }
    }
}

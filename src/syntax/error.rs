//! What can be wrong with the text of a statement.
//!
//! The sentences are in lower case without a final period, quote the user's text in backticks and say what was expected
//! and found; the help gives a way out. Sentences used in several places are here, the others stand in the parser beside
//! the condition that leads to them. Where the session knows more (`sin x`: `sin` is a function), it replaces both.

use super::limits::MAX_TOKENS;
use super::precedence;
use super::tree::Span;

/// The longest text that is quoted in full, in characters.
const LONGEST: usize = 60;

/// What is wrong with a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The place it is about.
    pub span: Span,
    /// The sentence.
    pub message: String,
    /// What to write beside the place; may be empty.
    pub label: String,
    /// Another place that matters, and what to write there.
    pub other: Option<(Span, String)>,
    /// The way out; may be empty.
    pub help: String,
    /// The operands between which an operator is missing: `sin` and `x`; or a function, and nothing that it is called
    /// with.
    pub juxtaposed: Option<Box<[String; 2]>>,
}

impl SyntaxError {
    pub(super) fn new(
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> SyntaxError {
        SyntaxError {
            span,
            message: message.into(),
            label: String::new(),
            other: None,
            help: help.into(),
            juxtaposed: None,
        }
    }

    /// Adds words beside the place.
    pub(super) fn label(mut self, label: impl Into<String>) -> SyntaxError {
        self.label = label.into();
        self
    }

    /// Adds a second place.
    pub(super) fn other(mut self, span: Span, label: impl Into<String>) -> SyntaxError {
        self.other = Some((span, label.into()));
        self
    }

    /// A character that never reaches the screen as it is: `a\u{7}`
    pub(super) fn forbidden(character: char, span: Span) -> SyntaxError {
        let (kind, code) = (kind_of(character), u32::from(character));
        let message = format!("{kind} U+{code:04X} is not allowed in a line");
        SyntaxError::new(span, message, "delete it, or type the line again")
    }

    /// More words and signs than `MAX_TOKENS`, a line of megabytes: `1+1+1+…`
    pub(super) fn long(span: Span) -> SyntaxError {
        let message = format!("a statement has at most {MAX_TOKENS} words and signs");
        let help = "give parts of it names, in statements of their own";
        SyntaxError::new(span, message, help)
    }

    /// `a ? b`, `a#b`
    pub(super) fn stray(character: char, span: Span) -> SyntaxError {
        let message = if character.is_whitespace() {
            let code = u32::from(character);
            format!("the blank U+{code:04X} means nothing here")
        } else {
            format!("`{character}` means nothing here")
        };
        SyntaxError::new(span, message, stray_help(character))
    }

    /// A command's expression consists of blanks: `:grad `
    pub(super) fn nothing(span: Span) -> SyntaxError {
        SyntaxError::new(span, "expected an expression, found nothing", "")
            .label("an expression is missing")
    }

    /// `a *`, `a * / b`, `f(a, )`, `* a`, `a =`: `after` is what precedes the place, `found` what stands there.
    pub(super) fn operand(span: Span, after: Option<&str>, found: Option<&str>) -> SyntaxError {
        let place = after.map_or(String::new(), |after| format!(" after `{after}`"));
        let there = found.map_or("the end".into(), |found| format!("`{found}`"));
        let help = match (after, found) {
            (Some("*"), Some("*")) => "a power is `a^b` or, without a blank, `a**b`".into(),
            (Some("<" | ">" | "=" | "==" | "!"), Some("=" | ">" | "<")) => {
                "comparisons are `<`, `<=`, `>`, `>=`, `==`, `!=`, without a blank inside".into()
            }
            (Some("," | "[" | "(") | None, Some(",")) => {
                "a comma separates two operands: `[a, b]`".into()
            }
            (None, Some("=")) => "a name is bound by `a = 2`".into(),
            (Some("="), _) => "a value comes after `=`: `a = 2`".into(),
            _ => [after, found]
                .into_iter()
                .flatten()
                .find(|sign| is_infix(sign))
                .map_or_else(String::new, between_operands),
        };
        let label = match found {
            Some(_) => "",
            None => "an expression is missing",
        };
        let message = format!("expected an expression{place}, found {there}");
        SyntaxError::new(span, message, help).label(label)
    }

    /// `()`, `f()`: the span from bracket to bracket, and the function called.
    pub(super) fn empty_brackets(span: Span, function: Option<&str>) -> SyntaxError {
        match function {
            Some(function) => SyntaxError {
                // The session knows what the function takes.
                juxtaposed: Some(Box::new([function.to_string(), String::new()])),
                ..SyntaxError::new(
                    span,
                    format!("`{function}` is called without arguments"),
                    format!("a function takes at least one argument: `{function}(x)`"),
                )
            },
            None => SyntaxError::new(
                span,
                "expected an expression between the brackets",
                "write `(a + b)`, or delete the brackets",
            ),
        }
    }

    /// `(a`, `f(a`
    pub(super) fn unclosed(bracket: char, span: Span) -> SyntaxError {
        let close = if bracket == '[' { ']' } else { ')' };
        let message = format!("`{bracket}` was never closed");
        SyntaxError::new(span, message, format!("add the `{close}` that matches it"))
            .label("opened here")
    }

    /// `a)`
    pub(super) fn unopened(bracket: char, span: Span) -> SyntaxError {
        let help = "delete it, or open the bracket";
        SyntaxError::new(span, format!("`{bracket}` has no opening bracket"), help)
    }

    /// `1/2x`, `1 < x < 3`, `3!!`, `x²^3`
    pub(super) fn ambiguous(span: Span, text: &str, help: String) -> SyntaxError {
        SyntaxError::new(span, format!("`{text}` can be read in two ways"), help)
    }

    /// `a, b`
    pub(super) fn comma(span: Span) -> SyntaxError {
        let help = "a list is `[a, b]`; several names are bound by `a, b = 1, 2`; statements are separated by `;`";
        SyntaxError::new(
            span,
            "`,` separates the items of a list or the arguments of a call",
            help,
        )
    }

    /// `(a, b)`: the comma, and the bracket around it, which is not that of a call.
    pub(super) fn comma_in_brackets(span: Span, open: Span) -> SyntaxError {
        let help = "a list is `[a, b]`, a call `max(a, b)`; a decimal point is `.`";
        SyntaxError::new(span, "`,` in brackets that are not those of a call", help)
            .other(open, "no function is called here")
    }

    /// A name given twice.
    pub(super) fn again(span: Span, first: Span, message: String, help: &str) -> SyntaxError {
        SyntaxError::new(span, message, help)
            .label("again here")
            .other(first, "first here")
    }

    /// `1e999`
    pub(super) fn too_large(span: Span, number: &str) -> SyntaxError {
        let message = format!("`{number}` is beyond the largest number");
        SyntaxError::new(span, message, "infinity is written `inf`")
            .label("more than 1.7976931348623157e308")
    }
}

impl Span {
    /// Its text as quoted in a sentence: on one line, a long one without its middle.
    pub(super) fn quote(self, text: &str) -> String {
        let text = self.of(text);
        let ends = 4 * LONGEST;
        // Of a text of megabytes, only the ends are read.
        let long = text.len() > 2 * ends;
        let start = if long {
            &text[..text.floor_char_boundary(ends)]
        } else {
            text
        };
        let end = if long {
            &text[text.ceil_char_boundary(text.len() - ends)..]
        } else {
            ""
        };
        let words = |part: &str| part.split_whitespace().collect::<Vec<_>>().join(" ");
        let whole = words(start);
        if !long && whole.chars().count() <= LONGEST {
            return whole;
        }
        let half = LONGEST / 2;
        let tail = if long { words(end) } else { whole.clone() };
        let skipped = tail.chars().count().saturating_sub(half);
        whole
            .chars()
            .take(half)
            .chain(['…'])
            .chain(tail.chars().skip(skipped))
            .collect()
    }
}

/// Is it an operator that needs an operand on both sides?
fn is_infix(sign: &str) -> bool {
    precedence::between(sign).is_some()
}

/// `a * / b`
fn between_operands(sign: &str) -> String {
    format!("`{sign}` needs an operand on both sides: `a {sign} b`")
}

/// What the user may have meant by a character that looks like one of ours.
fn stray_help(character: char) -> String {
    let meant = match character {
        '–' | '—' | '‐' | '‑' | '‒' | '﹣' | '－' => "-",
        '∗' | '⁎' | '＊' | '•' | '⨯' | '✕' => "*",
        '⁄' | '∕' | '／' => "/",
        '＋' => "+",
        '＝' => "=",
        '′' | '`' | '´' | '‘' => "'",
        '（' => "(",
        '）' => ")",
        '{' | '}' => return "a list is `[1, 2]`, and brackets are round: `(a + b)`".into(),
        '，' => ",",
        '&' | '∧' => return "both of two conditions: `(a > 0)*(b > 0)`".into(),
        '|' | '∨' => return "one of two conditions: `max(a > 0, b > 0)`".into(),
        '~' | '¬' => return "unequal is `a != b`; `not x` is `x == 0`".into(),
        '‖' => return "the length of a vector is `sqrt(dot(w, w))`".into(),
        '∑' => return "a sum is `sum(w)` or `sum(k^2 for k in 1..5)`".into(),
        '∏' => return "a product is `prod(w)` or `prod(k for k in 1..5)`".into(),
        '∫' => return "the program differentiates and does not integrate".into(),
        '∇' => return "all gradients of a value are `:grad L`".into(),
        '→' | '←' | '↦' | '⇒' => {
            return "a name is bound by `a = 2`, a function defined by `f(x) = x^2`".into();
        }
        '…' => return "a range is `1..5`".into(),
        '∈' => return "the items of a list are taken by `for k in 1..5`".into(),
        '½' => return "write `1/2`".into(),
        '⅓' => return "write `1/3`".into(),
        '¼' => return "write `1/4`".into(),
        '¾' => return "write `3/4`".into(),
        '$' | '€' | '£' | '¥' => return "numbers have no units: write the number alone".into(),
        '@' => return "a node is `@9`, a former value of `a` is `a@1`".into(),
        '"' | '“' | '”' | '„' | '«' | '»' => {
            return "quotes are for the paths of commands: `:load \"my file.calc\"`".into();
        }
        '?' => return "a choice is `if(x > 0, a, b)`; help is `:help`".into(),
        '#' => {
            return "a comment begins after a blank: `a # so`; a path with `#` is quoted".into();
        }
        '\\' => return "a line goes on in the next one if `\\` is its last character".into(),
        '.' => return "a number has a digit beside its point: `0.5`".into(),
        '∞' => return "write `inf`".into(),
        _ if character.is_whitespace() => return "write a space".into(),
        _ => return String::new(),
    };
    format!("did you mean `{meant}`?")
}

/// What a forbidden character is, in words.
fn kind_of(character: char) -> &'static str {
    match character {
        '\u{FEFF}' => "the byte-order mark",
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
            "the bidirectional control"
        }
        '\u{2028}' | '\u{2029}' => "the line separator",
        _ if character.is_control() => "the control character",
        _ => "the invisible character",
    }
}

//! What can be wrong with the text of a statement.
//!
//! A variant holds the places and the words of the user that its sentence needs; its comment is a line that produces
//! it. The sentences are in lower case without a final period, quote the user's text in backticks, say what was expected
//! and found, and end with a way out. Where the session knows more (`sin x`: `sin` is a function), it replaces the help.

mod undefined;

pub use self::undefined::Undefined;

use super::tree::Span;

/// A section of the user's text, short enough to be repeated in a sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quote {
    /// Where it stands.
    pub span: Span,
    /// Its text, on one line, its middle left out when it is long.
    pub text: String,
}

impl Quote {
    /// The longest text that is repeated in full, in characters.
    const LONGEST: usize = 60;

    /// The text of a span.
    pub(super) fn new(text: &str, span: Span) -> Quote {
        Quote {
            span,
            text: shortened(span.of(text)),
        }
    }
}

/// A text on one line, without the middle if it is long.
fn shortened(text: &str) -> String {
    let ends = 4 * Quote::LONGEST;
    // Only the ends of a text of megabytes are looked at.
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
    if !long && whole.chars().count() <= Quote::LONGEST {
        return whole;
    }
    let half = Quote::LONGEST / 2;
    let tail = if long { words(end) } else { whole.clone() };
    let skipped = tail.chars().count().saturating_sub(half);
    whole
        .chars()
        .take(half)
        .chain(['…'])
        .chain(tail.chars().skip(skipped))
        .collect()
}

/// What is wrong with a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyntaxError {
    // The text itself.
    /// A character that never reaches the screen as it is: `a\u{7}`
    Forbidden {
        /// The character.
        character: char,
        /// Where.
        span: Span,
    },
    /// Brackets nested deeper than `MAX_NESTING`: `((((…`
    Nested {
        /// The bracket that goes too deep.
        span: Span,
    },
    /// More words and signs than `MAX_TOKENS`, a line of megabytes: `1+1+1+…`
    Long {
        /// The whole statement.
        span: Span,
    },
    /// `:load "a.calc`
    QuoteOpen {
        /// The quote.
        span: Span,
        /// Which.
        quote: char,
    },
    /// `print(f'{a}')`
    Formatted {
        /// The `f` before the quote.
        span: Span,
    },

    // Something is missing.
    /// A command's expression is nothing but blanks: `:grad `
    Nothing {
        /// Where it should be.
        span: Span,
    },
    /// `a *`, `a * / b`, `f(a, )`, `* a`, `a =`
    Operand {
        /// Where it should be.
        span: Span,
        /// What stands before.
        after: Option<Quote>,
        /// What stands there instead.
        found: Option<Quote>,
    },
    /// `()`, `f()`
    EmptyBrackets {
        /// From bracket to bracket.
        span: Span,
        /// The function that is called.
        function: Option<Quote>,
    },
    /// `(a`, `f(a`
    Unclosed {
        /// The bracket.
        span: Span,
        /// Which.
        bracket: char,
    },
    /// `a)`
    Unopened {
        /// The bracket.
        span: Span,
        /// Which.
        bracket: char,
    },
    /// Nothing between two operands: `a b`, `2 pi`, `(a)(b)`, `a 3`, `5!x`, `sin x`
    Juxtaposition {
        /// The first.
        left: Quote,
        /// The second.
        right: Quote,
    },

    // Two readings.
    /// `1/2x`, `2^3x`, `a % 2b`, `√2x`
    Coefficient {
        /// The operator and the coefficient.
        span: Span,
        /// All of it.
        text: String,
        /// What it can mean.
        readings: [String; 2],
    },
    /// `1 < x < 3`
    Chain {
        /// The second comparison.
        span: Span,
        /// The first comparison.
        first: Span,
        /// All of it.
        text: String,
        /// What it can mean.
        readings: [String; 2],
    },
    /// `3!!`
    DoubleFactorial {
        /// The second sign.
        span: Span,
        /// What stands before both.
        operand: Quote,
    },
    /// `x²^3`, `x²!`, `x².tanh()`
    Raised {
        /// What follows the superscript.
        found: Quote,
        /// The power as written.
        power: Quote,
    },

    // Something stands where it means nothing.
    /// `a, b`, `(a, b)`
    Comma {
        /// The comma.
        span: Span,
        /// The bracket around it, which is not that of a call.
        open: Option<Span>,
    },
    /// `(a = b)`, `a = b = c`, `max(a = 1, 2)`
    Equals {
        /// The sign.
        sign: Quote,
    },
    /// `2 = a`, `a@1 = 3`
    LeftSide {
        /// What stands on the left.
        left: Quote,
        /// The sign.
        sign: Quote,
    },
    /// `a, b = 1`
    Count {
        /// How many names.
        names: usize,
        /// How many expressions.
        values: usize,
        /// The names.
        left: Span,
        /// The expressions.
        right: Span,
    },
    /// `a, a = 1, 2`
    Twice {
        /// The name.
        name: Quote,
        /// Where it stood before.
        first: Span,
    },
    /// `f(2) = 3`, `f(x) += 1`
    Undefined(Box<Undefined>),
    /// `x'` where nothing is called
    Primes {
        /// The primes.
        span: Span,
        /// The name before them.
        name: Option<Quote>,
    },
    /// More than 255 primes
    TooManyPrimes {
        /// The primes.
        span: Span,
    },
    /// `!x`
    FactorialBefore {
        /// The sign.
        span: Span,
    },
    /// `a.foo`
    Property {
        /// The point and the word.
        member: Quote,
    },
    /// `2.x`
    PointName {
        /// The number before the point.
        number: Quote,
        /// The point and the name.
        member: Quote,
    },
    /// `[1, 2]`, `x[0]`
    List {
        /// The bracket.
        span: Span,
    },
    /// `0..5` where no range is expected
    Range {
        /// The points.
        span: Span,
    },
    /// `a = 'b'`
    Quoted {
        /// The text and its quotes.
        span: Span,
    },
    /// `a : b`
    Colon {
        /// The colon.
        span: Span,
    },
    /// `: grad`, `:1`, `:`
    CommandWord {
        /// The colon.
        span: Span,
    },
    /// `a ? b`, `a#b`
    Stray {
        /// The character.
        character: char,
        /// Where.
        span: Span,
    },

    // Numbers.
    /// `1e999`
    TooLarge {
        /// The literal.
        number: Quote,
    },
    /// `0b12`, `0xfg`, `0x`, `0o17`
    Digits {
        /// All that looks like the number.
        number: Quote,
    },
    /// `1_`, `1__0`
    Underscore {
        /// All that looks like the number.
        number: Quote,
    },
    /// `1.2.3`, `1e5.5`
    Number {
        /// All that looks like the number.
        number: Quote,
    },
    /// `@99999999999`, `$99999999999`
    Id {
        /// The sign and the digits.
        id: Quote,
    },
}

impl SyntaxError {
    /// The place it is about.
    pub fn span(&self) -> Span {
        match self {
            SyntaxError::Forbidden { span, .. }
            | SyntaxError::Nested { span }
            | SyntaxError::Long { span }
            | SyntaxError::QuoteOpen { span, .. }
            | SyntaxError::Formatted { span }
            | SyntaxError::Nothing { span }
            | SyntaxError::Operand { span, .. }
            | SyntaxError::EmptyBrackets { span, .. }
            | SyntaxError::Unclosed { span, .. }
            | SyntaxError::Unopened { span, .. }
            | SyntaxError::Coefficient { span, .. }
            | SyntaxError::Chain { span, .. }
            | SyntaxError::DoubleFactorial { span, .. }
            | SyntaxError::Comma { span, .. }
            | SyntaxError::Primes { span, .. }
            | SyntaxError::TooManyPrimes { span }
            | SyntaxError::FactorialBefore { span }
            | SyntaxError::List { span }
            | SyntaxError::Range { span }
            | SyntaxError::Quoted { span }
            | SyntaxError::Colon { span }
            | SyntaxError::CommandWord { span }
            | SyntaxError::Stray { span, .. } => *span,
            SyntaxError::Juxtaposition { right, .. } => right.span,
            SyntaxError::Raised { found, .. } => found.span,
            SyntaxError::Equals { sign } => sign.span,
            SyntaxError::LeftSide { left, .. } => left.span,
            SyntaxError::Count { right, .. } => *right,
            SyntaxError::Twice { name, .. } => name.span,
            SyntaxError::Property { member } => member.span,
            SyntaxError::PointName { number, member } => number.span.to(member.span),
            SyntaxError::TooLarge { number }
            | SyntaxError::Digits { number }
            | SyntaxError::Underscore { number }
            | SyntaxError::Number { number } => number.span,
            SyntaxError::Id { id } => id.span,
            SyntaxError::Undefined(undefined) => undefined.span(),
        }
    }

    /// The sentence.
    #[allow(clippy::too_many_lines)] // one arm for each variant
    pub fn message(&self) -> String {
        match self {
            SyntaxError::Forbidden { character, .. } => {
                format!(
                    "{} U+{:04X} cannot stand in a line",
                    kind_of(*character),
                    u32::from(*character)
                )
            }
            SyntaxError::Nested { .. } => {
                format!(
                    "brackets in brackets go at most {} deep",
                    super::limits::MAX_NESTING
                )
            }
            SyntaxError::Long { .. } => {
                format!(
                    "a statement has at most {} words and signs",
                    super::limits::MAX_TOKENS
                )
            }
            SyntaxError::QuoteOpen { quote, .. } => format!("`{quote}` was never closed"),
            SyntaxError::Formatted { .. } => "a text with `{}` in it is Python".into(),
            SyntaxError::Nothing { .. } => "expected an expression, found nothing".into(),
            SyntaxError::Operand { after, found, .. } => match (after, found) {
                (Some(after), Some(found)) => {
                    format!(
                        "expected an expression after `{}`, found `{}`",
                        after.text, found.text
                    )
                }
                (Some(after), None) => {
                    format!(
                        "expected an expression after `{}`, found the end",
                        after.text
                    )
                }
                (None, Some(found)) => format!("expected an expression, found `{}`", found.text),
                (None, None) => "expected an expression, found the end".into(),
            },
            SyntaxError::EmptyBrackets {
                function: Some(function),
                ..
            } => {
                format!("`{}` is called with nothing", function.text)
            }
            SyntaxError::EmptyBrackets { function: None, .. } => {
                "expected an expression between the brackets".into()
            }
            SyntaxError::Unclosed { bracket, .. } => format!("`{bracket}` was never closed"),
            SyntaxError::Unopened { bracket, .. } => format!("`{bracket}` closes nothing"),
            SyntaxError::Juxtaposition { left, right } => {
                format!(
                    "expected an operator between `{}` and `{}`",
                    left.text, right.text
                )
            }
            SyntaxError::Coefficient { text, .. } | SyntaxError::Chain { text, .. } => {
                format!("`{text}` can be read in two ways")
            }
            SyntaxError::DoubleFactorial { operand, .. } => {
                format!("`{}!!` can be read in two ways", operand.text)
            }
            SyntaxError::Raised { found, power } => {
                format!("`{}{}` can be read in two ways", power.text, found.text)
            }
            SyntaxError::Comma { open: None, .. } => {
                "`,` stands between the arguments of a call".into()
            }
            SyntaxError::Comma { open: Some(_), .. } => "`,` in brackets that call nothing".into(),
            SyntaxError::Equals { sign } => {
                format!("`{}` has no place inside an expression", sign.text)
            }
            SyntaxError::LeftSide { left, sign } => {
                format!(
                    "expected a name to the left of `{}`, found `{}`",
                    sign.text, left.text
                )
            }
            SyntaxError::Count { names, values, .. } => {
                format!(
                    "{} for {}",
                    counted(*values, "value"),
                    counted(*names, "name")
                )
            }
            SyntaxError::Twice { name, .. } => format!("`{}` is bound twice", name.text),
            SyntaxError::Primes {
                name: Some(name), ..
            } => {
                format!(
                    "a prime differentiates a function, and `{}` is not called",
                    name.text
                )
            }
            SyntaxError::Primes { name: None, .. } => {
                "a prime stands between a function's name and its bracket".into()
            }
            SyntaxError::TooManyPrimes { .. } => {
                format!("a function has at most {} primes", u8::MAX)
            }
            SyntaxError::FactorialBefore { .. } => "`!` stands behind its operand".into(),
            SyntaxError::Property { member } => {
                format!(
                    "expected `.data`, `.grad` or a call, found `{}`",
                    member.text
                )
            }
            SyntaxError::PointName { number, member } => {
                format!("`{}{}` is no number", number.text, member.text)
            }
            SyntaxError::List { .. } => "`[` is kept for lists, which are yet to come".into(),
            SyntaxError::Range { .. } => {
                "a range stands only behind a command that takes one".into()
            }
            SyntaxError::Quoted { .. } => "text in quotes is no expression".into(),
            SyntaxError::Colon { .. } => "`:` stands only at the beginning of a command".into(),
            SyntaxError::CommandWord { .. } => {
                "expected a command's word directly after `:`".into()
            }
            SyntaxError::Stray { character, .. } if character.is_whitespace() => {
                format!(
                    "the blank U+{:04X} means nothing here",
                    u32::from(*character)
                )
            }
            SyntaxError::Stray { character, .. } => format!("`{character}` means nothing here"),
            SyntaxError::TooLarge { number } => {
                format!("`{}` is beyond the largest number", number.text)
            }
            SyntaxError::Digits { number } | SyntaxError::Number { number } => {
                format!("`{}` is no number", number.text)
            }
            SyntaxError::Underscore { number } => {
                format!("`_` stands between two digits, not so in `{}`", number.text)
            }
            SyntaxError::Id { id } => format!("`{}` is beyond any number given out", id.text),
            SyntaxError::Undefined(undefined) => undefined.message(),
        }
    }

    /// What to write beside the place; may be empty.
    pub fn label(&self) -> String {
        match self {
            SyntaxError::Operand { found: None, .. } | SyntaxError::Nothing { .. } => {
                "an expression is missing".into()
            }
            SyntaxError::Unclosed { .. } | SyntaxError::QuoteOpen { .. } => "opened here".into(),
            SyntaxError::Nested { .. } => "one too many".into(),
            SyntaxError::Juxtaposition { .. } => "no operator before this".into(),
            SyntaxError::Chain { .. } => "the second comparison".into(),
            SyntaxError::Count { values, .. } => counted(*values, "value"),
            SyntaxError::Twice { .. } => "again here".into(),
            SyntaxError::Undefined(undefined) => undefined.label(),
            SyntaxError::TooLarge { .. } => "more than 1.7976931348623157e308".into(),
            _ => String::new(),
        }
    }

    /// Other places that matter, and what to write there.
    pub fn others(&self) -> Vec<(Span, String)> {
        match self {
            SyntaxError::Chain { first, .. } => vec![(*first, "the first".into())],
            SyntaxError::Comma {
                open: Some(open), ..
            } => vec![(*open, "nothing is called here".into())],
            SyntaxError::Count { names, left, .. } => vec![(*left, counted(*names, "name"))],
            SyntaxError::Twice { first, .. } => vec![(*first, "first here".into())],
            SyntaxError::Undefined(undefined) => undefined.others(),
            _ => Vec::new(),
        }
    }

    /// The way out.
    pub fn help(&self) -> Option<String> {
        Some(match self {
            SyntaxError::Forbidden { .. } => "delete it, or type the line anew".into(),
            SyntaxError::Nested { .. } => "give an inner part a name: `p = …`, and use `p`".into(),
            SyntaxError::Long { .. } => "give parts of it names, in statements of their own".into(),
            SyntaxError::QuoteOpen { quote, .. } => format!("a text in quotes ends with `{quote}` on the same line"),
            SyntaxError::Formatted { .. } => "type the value itself: `print(L)`".into(),
            SyntaxError::Operand { after, found, .. } => return operand_help(after.as_ref(), found.as_ref()),
            SyntaxError::EmptyBrackets { function: Some(function), .. } => {
                format!("a function takes at least one argument: `{}(x)`", function.text)
            }
            SyntaxError::EmptyBrackets { function: None, .. } => "write `(a + b)`, or delete the brackets".into(),
            SyntaxError::Unclosed { bracket, .. } => {
                format!("add the `{}` that belongs to it", if *bracket == '[' { ']' } else { ')' })
            }
            SyntaxError::Unopened { .. } => "delete it, or add the bracket that opens".into(),
            SyntaxError::Juxtaposition { left, right } if left.text == "const" => {
                format!("a frozen leaf is made by `const {} = 2`", right.text)
            }
            SyntaxError::Juxtaposition { left, right } => {
                format!("to multiply, write `{}*{}`", left.text, right.text)
            }
            SyntaxError::Coefficient { readings, .. } | SyntaxError::Chain { readings, .. } => {
                format!("write `{}` or `{}`", readings[0], readings[1])
            }
            SyntaxError::DoubleFactorial { operand, .. } => format!(
                "the factorial of the factorial is `({}!)!`; every second factor (`5*3*1`) is to be written out",
                operand.text
            ),
            SyntaxError::Raised { found, power } => raised_help(found, power),
            SyntaxError::Comma { open: None, .. } => {
                "several names are bound by `a, b = 1, 2`; statements are separated by `;`".into()
            }
            SyntaxError::Comma { open: Some(_), .. } => "a call is `max(a, b)`; a decimal point is `.`".into(),
            SyntaxError::Equals { sign } if sign.text == "=" => "to compare, write `==`".into(),
            SyntaxError::Equals { sign } => format!("`a {} 1` is a statement of its own", sign.text),
            SyntaxError::LeftSide { left, sign } if sign.text == "=" => {
                format!("a name is bound by `a = 2`; to compare, write `{} == …`", left.text)
            }
            SyntaxError::LeftSide { sign, .. } => format!("a name is rebound by `a {} 1`", sign.text),
            SyntaxError::Count { .. } => "each name takes one value: `a, b = 1, 2`".into(),
            SyntaxError::Twice { .. } => "a statement binds each of its names once".into(),
            SyntaxError::Primes { name: Some(name), .. } => format!(
                "the derivative of a function is `{0}'(3)`; that of a value `L` by `{0}` is `grad(L, {0})`",
                name.text
            ),
            SyntaxError::Primes { name: None, .. } => {
                "the derivative of a function is `f'(3)`; that of a value `L` by `x` is `grad(L, x)`".into()
            }
            SyntaxError::Nothing { .. } | SyntaxError::TooManyPrimes { .. } => return None,
            SyntaxError::FactorialBefore { .. } => "a factorial is `x!`; unequal is `a != b`; `not x` is `x == 0`".into(),
            SyntaxError::Property { member } => format!("a function is called with brackets: `{}()`", member.text),
            SyntaxError::PointName { number, member } => {
                let name = member.text.trim_start_matches('.');
                format!("to multiply, write `{0}*{name}`; to call, write `{0}.{name}()`", number.text)
            }
            SyntaxError::List { .. } => "brackets in expressions are `(` and `)`".into(),
            SyntaxError::Range { .. } => "a decimal number has one point".into(),
            SyntaxError::Quoted { .. } => "quotes stand around the paths of commands: `:load \"my file.calc\"`".into(),
            SyntaxError::Colon { .. } => "a command begins its statement: `:grad L`".into(),
            SyntaxError::CommandWord { .. } => "`:help` lists the commands".into(),
            SyntaxError::Stray { character, .. } => return stray_help(*character),
            SyntaxError::TooLarge { .. } => "infinity is written `inf`".into(),
            SyntaxError::Digits { .. } => {
                "hexadecimal digits are 0 to 9 and a to f, as in `0xff`, binary ones 0 and 1, as in `0b101`".into()
            }
            SyntaxError::Underscore { .. } => "write `1_000`; to multiply by a name, write `*`".into(),
            SyntaxError::Number { .. } => "a number has one point, and it stands before the exponent".into(),
            SyntaxError::Id { .. } => "`:vars` lists the names there are".into(),
            SyntaxError::Undefined(undefined) => undefined.help(),
        })
    }
}

/// `1 value`, `2 values`
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn operand_help(after: Option<&Quote>, found: Option<&Quote>) -> Option<String> {
    let found = found.map(|piece| piece.text.as_str());
    match (after.map(|piece| piece.text.as_str()), found) {
        (Some("*"), Some("*")) => Some("a power is `a^b` or, without a blank, `a**b`".into()),
        (Some("<" | ">" | "=" | "!"), Some("=" | ">" | "<")) => {
            Some("comparisons are `<`, `<=`, `>`, `>=`, `==`, `!=`, without a blank inside".into())
        }
        (None, Some("=")) => Some("a name is bound by `a = 2`".into()),
        _ => None,
    }
}

fn raised_help(found: &Quote, power: &Quote) -> String {
    let base = power
        .text
        .trim_end_matches(['⁻', '⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹']);
    let exponent: String = power.text[base.len()..]
        .chars()
        .map(super::number::plain)
        .collect();
    let found = &found.text;
    format!("write `({base}^{exponent}){found}` or `{base}^({exponent}{found})`")
}

/// What the user may have meant by a character that looks like one of ours.
fn stray_help(character: char) -> Option<String> {
    let meant = match character {
        '–' | '—' | '‐' | '‑' | '‒' | '﹣' | '－' => "-",
        '∗' | '⁎' | '＊' | '•' | '⨯' | '✕' => "*",
        '⁄' | '∕' | '／' => "/",
        '＋' => "+",
        '＝' => "=",
        '′' | '`' | '´' | '‘' => "'",
        '{' | '（' => "(",
        '}' | '）' => ")",
        '，' => ",",
        '&' => return Some("both of two conditions: `(a > 0)*(b > 0)`".into()),
        '|' => return Some("an absolute value is `abs(x)`".into()),
        '~' => return Some("unequal is `!=`".into()),
        '?' => return Some("a choice is `if(x > 0, a, b)`; help is `:help`".into()),
        '#' => {
            return Some(
                "a comment begins after a blank: `a # so`; a path with `#` is quoted".into(),
            );
        }
        '\\' => return Some("a line goes on in the next one if `\\` is its last character".into()),
        '.' => return Some("a number has a digit beside its point: `0.5`".into()),
        '∞' => return Some("write `inf`".into()),
        _ if character.is_whitespace() => return Some("write a space".into()),
        _ => return None,
    };
    Some(format!("did you mean `{meant}`?"))
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

//! Writes the signs into a line that leaves them out, as books do: `3*sin(x)` for `3 sin x`, `abs(x)` for `|x|`.
//!
//! The session asks for this after a line has failed. The result is a text, which the grammar reads as any other: no line
//! that the grammar reads changes, and no tree is turned. A line that could mean two things is left alone, so that it keeps
//! its error, or is refused with both lines to type. `docs/reference/language.md` has the rules.

mod tokens;

use self::tokens::Tokens;
use crate::error::SyntaxError;
use crate::grammar::Rule;
use crate::tree::Span;

/// What a word of a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// A built-in function of one number, which may stand without brackets, with the name of its inverse.
    Operation(Option<&'static str>),
    /// Any other function.
    Function,
    /// One letter, or the name of a Greek one, perhaps with digits: `x`, `x1`, `theta`.
    Letter,
    /// A name of several letters that has a value.
    Name,
    /// One that has none and stands for this product: `π*r` for `πr`.
    Product(String),
    /// Any other name of several letters.
    Unknown,
}

/// What is known of the words of a line.
pub struct Words<'w> {
    /// Says what a word is.
    pub kind: &'w dyn Fn(&str) -> WordKind,
    /// The letter of the derivative that the line asks for.
    pub letter: Option<&'w str>,
}

/// Why a line is not read.
enum Stop {
    /// It keeps its error.
    LeftAlone,
    /// It can be read in two ways.
    Refused(Box<SyntaxError>),
}

impl Stop {
    fn refused(span: Span, message: String, help: String) -> Stop {
        Stop::Refused(Box::new(SyntaxError::new(span, message, help)))
    }
}

type Read<T> = Result<T, Stop>;

/// The line with its signs. `None` if no sign is missing, or the line keeps its error.
pub fn write_signs(text: &str, words: &Words<'_>) -> Result<Option<String>, SyntaxError> {
    let read = || {
        let mut reader = Reader::new(text, words)?;
        reader.read_all()?;
        Ok((reader.signs > 0).then_some(reader.written))
    };
    match read() {
        Ok(written) => Ok(written),
        Err(Stop::LeftAlone) => Ok(None),
        Err(Stop::Refused(error)) => Err(*error),
    }
}

/// Letters and words that are units after a number: `5 m`, `9.81 m/s^2`.
const UNITS: &[&str] = &[
    "m", "s", "g", "N", "J", "W", "V", "A", "K", "C", "F", "H", "T", "L", "h", "d",
];

/// The operand before a place. What may follow it without a sign depends on it.
#[derive(Clone, Copy)]
enum Operand {
    Number,
    Letter,
    /// A bracket, a call, a factorial, a power that ends with a bracket or a raised digit.
    Closed,
    /// A power with this last token, the number or letter of its exponent.
    Power(usize),
    /// `|x|`
    Bars,
    /// `√x`
    Root,
    /// `sin x`: the tokens of the function and of its argument.
    Applied {
        function: usize,
        argument: usize,
    },
    /// A list, a text, a derivative, a word: it is no factor.
    Other,
}

/// The product that is being read.
#[derive(Clone, Copy, Default)]
struct Product {
    first: usize,
    operand: Option<Operand>,
    /// The last `/`.
    division: Option<usize>,
}

/// A function that is applied.
struct Application<'t> {
    name: &'t str,
    /// What is written behind its argument: `)`, `)^2`, or `, 2)` for `log_2`.
    end: String,
    /// The token after the function and its power.
    next: usize,
}

struct Reader<'r> {
    line: Tokens<'r>,
    /// The token that is read next.
    at: usize,
    written: String,
    /// The number of bytes of the text that have been written or left out.
    done: usize,
    /// The number of signs that have been written.
    signs: usize,
}

impl<'r> Reader<'r> {
    fn new(text: &'r str, words: &'r Words<'r>) -> Read<Reader<'r>> {
        let line = Tokens::of(text, words)?;
        Ok(Reader {
            at: line.begin,
            line,
            written: String::new(),
            done: 0,
            signs: 0,
        })
    }

    fn read_all(&mut self) -> Read<()> {
        self.read_until(self.line.count())?;
        self.copy_to(self.line.text.len());
        Ok(())
    }

    /// Reads up to a token, the end of a bracket or of the line.
    fn read_until(&mut self, end: usize) -> Read<()> {
        let mut product = Product::default();
        while self.at < end {
            let token = self.at;
            self.at += 1;
            match self.line.rule(token) {
                Rule::operator => self.read_operator(token, &mut product)?,
                Rule::comparison | Rule::comma => product = Product::default(),
                Rule::name if self.line.is_connective(token) => product = Product::default(),
                _ => self.read_operand(token, &mut product)?,
            }
        }
        Ok(())
    }

    fn read_operator(&mut self, sign: usize, product: &mut Product) -> Read<()> {
        product.operand = match self.line.word(sign) {
            "^" | "**" if product.operand.is_none() => return Err(Stop::LeftAlone),
            "^" | "**" => self.read_exponent(sign + 1)?,
            "+" | "-" | "−" => {
                *product = Product::default();
                None
            }
            "/" | "÷" | "//" | "%" => {
                product.division = Some(sign);
                None
            }
            _ => None,
        };
        Ok(())
    }

    /// Reads the exponent that begins at a token.
    fn read_exponent(&mut self, token: usize) -> Read<Option<Operand>> {
        if let Some(exponent) = self.line.short_exponent(token) {
            self.at = exponent + 1;
            if self.line.name_product(exponent).is_some() {
                return Err(self
                    .line
                    .two_ways_of_name(token.saturating_sub(2), exponent));
            }
            return Ok(Some(Operand::Power(exponent)));
        }
        let open = token + usize::from(self.line.is_plus_or_minus(token));
        if self.line.rule(open) != Rule::open {
            return Ok(None);
        }
        self.read_bracket(open, None)?;
        Ok(Some(Operand::Closed))
    }

    /// Reads what is no operator: an operand, or a sign after one.
    fn read_operand(&mut self, token: usize, product: &mut Product) -> Read<()> {
        let rule = self.line.rule(token);
        let is_factor = matches!(rule, Rule::name | Rule::number | Rule::open | Rule::root);
        if is_factor || self.line.is_bar(token) {
            self.write_missing_sign(token, product)?;
        }
        let read = match rule {
            Rule::name if self.line.is_function(token) => self.read_function(token)?,
            Rule::name => self.read_name(token, product)?,
            Rule::number => Operand::Number,
            Rule::open => self.read_bracket(token, None)?,
            Rule::list_open if self.line.is_group(token) => {
                self.write_over(token, token, "(");
                self.read_bracket(token, Some(")".to_string()))?
            }
            Rule::list_open => {
                self.read_bracket(token, None)?;
                Operand::Other
            }
            Rule::root => self.read_root(token)?,
            // `d²y` is a part of a derivative.
            Rule::superscript if token > 0 && matches!(self.line.word(token - 1), "d" | "∂") => {
                Operand::Other
            }
            Rule::superscript | Rule::factorial => Operand::Closed,
            Rule::stray if self.line.is_bar(token) => {
                self.write_over(token, token, "abs(");
                self.read_bracket(token, Some(")".to_string()))?;
                Operand::Bars
            }
            Rule::primes | Rule::method | Rule::node | Rule::result | Rule::quoted => {
                Operand::Other
            }
            _ => return Err(Stop::LeftAlone),
        };
        product.operand = Some(read);
        Ok(())
    }

    fn read_name(&mut self, token: usize, product: &Product) -> Read<Operand> {
        if let Some(text) = self.line.name_product(token) {
            if product.division.is_some() {
                return Err(self.line.two_ways_of_name(product.first, token));
            }
            self.write_over(token, token, &text);
        }
        Ok(if self.line.is_letter(token) {
            Operand::Letter
        } else {
            Operand::Other
        })
    }

    /// Reads the inside of a bracket or of bars. No sign is written into a list, or into a call of several arguments.
    /// `close` is written for the closing bracket.
    fn read_bracket(&mut self, open: usize, close: Option<String>) -> Read<Operand> {
        let end = self.line.closing(open).ok_or(Stop::LeftAlone)?;
        let signs_before = self.signs;
        self.at = open + 1;
        self.read_until(end)?;
        self.at = end + 1;
        if self.line.has_several(open) && self.signs > signs_before {
            return Err(Stop::LeftAlone);
        }
        if let Some(text) = close {
            self.write_over(end, end, &text);
        }
        Ok(Operand::Closed)
    }

    /// Reads `√x`. Its operand ends before a blank: `√x(x + 1)` and `√2x` can be read in two ways.
    fn read_root(&mut self, token: usize) -> Read<Operand> {
        let next = token + 1;
        if self.line.rule(next) == Rule::open {
            return self.read_bracket(next, None);
        }
        if self.line.rule(next) != Rule::number && !self.line.is_letter(next) {
            return Err(Stop::LeftAlone);
        }
        self.at = next + 1;
        Ok(Operand::Root)
    }

    /// Reads a function with its power and its argument.
    fn read_function(&mut self, token: usize) -> Read<Operand> {
        let application = self.line.application(token)?;
        let Application { name, end, next } = &application;
        let next = *next;
        let is_rewritten = *end != ")" || *name != self.line.word(token);
        match self.line.rule(next) {
            Rule::open if is_rewritten => {
                self.write_over(token, next - 1, name);
                self.read_bracket(next, Some(end.clone()))
            }
            Rule::open => self.read_bracket(next, None),
            Rule::primes if self.line.rule(next + 1) == Rule::open => {
                self.read_bracket(next + 1, None)
            }
            // `ln|x|`
            _ if self.line.is_bar(next) && self.line.is_operation(token) => {
                self.write_over(token, next, &format!("{name}(abs("));
                self.read_bracket(next, Some(format!("){end}")))
            }
            _ if self.line.is_operation(token) => self.apply_without_brackets(token, &application),
            _ if is_rewritten => Err(Stop::LeftAlone),
            _ => Ok(Operand::Other),
        }
    }

    /// Writes the brackets of `sin x`, `cos 2x^2`, `ln √x`.
    fn apply_without_brackets(
        &mut self,
        function: usize,
        application: &Application,
    ) -> Read<Operand> {
        let argument = application.next;
        if self.line.is_plus_or_minus(argument) && self.line.touches(argument + 1) {
            return Err(self.line.needs_brackets(function, argument));
        }
        if self.line.is_applied(argument) {
            return self.apply_to_applied(function, application);
        }
        let last = self.line.argument_end(argument)?;
        if !self.line.ends_argument(argument, last) {
            return Err(self.line.two_ways(function, argument, last + 1));
        }
        let typed = self.line.with_products(argument, last);
        let call = format!("{}({typed}{}", application.name, application.end);
        self.write_over(function, last, &call);
        self.at = last + 1;
        Ok(Operand::Applied { function, argument })
    }

    /// Writes the brackets of `ln √(x + 1)`, `ln tan(x/2)`, `ln sin x`.
    fn apply_to_applied(&mut self, function: usize, application: &Application) -> Read<Operand> {
        let argument = application.next;
        self.write_over(function, argument - 1, &format!("{}(", application.name));
        self.done = self.line.span(argument, argument).start as usize;
        self.at = argument + 1;
        if self.line.rule(argument) == Rule::root {
            self.read_root(argument)?;
        } else {
            self.read_function(argument)?;
        }
        let last = self.at - 1;
        if !self.line.ends_argument(argument, last) {
            return Err(self.line.two_ways(function, argument, last + 1));
        }
        if self.line.is_power_sign(last + 1) || self.line.rule(last + 1) == Rule::superscript {
            return Err(Stop::LeftAlone);
        }
        self.copy_to(self.line.span(last, last).end as usize);
        self.written.push_str(&application.end);
        // A factor behind `ln sin x` may belong to either function.
        Ok(Operand::Other)
    }

    /// Writes the sign that is missing before an operand, if one is.
    fn write_missing_sign(&mut self, token: usize, product: &mut Product) -> Read<()> {
        let Some(before) = product.operand else {
            if product.division.is_none() {
                product.first = token;
            }
            return Ok(());
        };
        let line = &self.line;
        if let Operand::Applied { function, argument } = before
            && (line.is_factor(token) || line.rule(token) == Rule::number)
            && !line.is_function(token)
        {
            return Err(line.two_ways(function, argument, token));
        }
        if !line.is_factor(token) || line.is_torn_exponent(token) {
            return Err(Stop::LeftAlone);
        }
        let touches = line.touches(token);
        let is_bracket = line.rule(token) == Rule::open;
        if let Operand::Power(exponent) = before {
            let sign = line.power_sign(exponent);
            // `x^2sin(x)`
            let is_glued = touches && matches!(line.rule(token), Rule::name | Rule::root);
            if is_glued || line.is_constant_power(sign, exponent) {
                return Err(line.two_ways(line.operand_start(sign - 1), sign + 1, token));
            }
        }
        let is_sign_missing = match before {
            // The grammar reads `2x`, `2(x + 1)` and `2√x`, but not `1/2x`.
            Operand::Number if touches && !line.is_bar(token) => {
                if product.division.is_none() {
                    return Ok(());
                }
                true
            }
            Operand::Number if is_bracket => !line.is_number_in_brackets(token),
            Operand::Number => product.division.is_some() || !line.is_unit(token, UNITS),
            // A name before a bracket is a function, unless the line has it without a bracket, too.
            Operand::Letter if is_bracket => line.is_bare(token - 1),
            Operand::Power(exponent) if is_bracket => {
                line.rule(exponent) == Rule::number || line.is_bare(exponent)
            }
            Operand::Bars => line.is_bar(token) || !touches,
            Operand::Root if is_bracket || touches && line.rule(token) != Rule::root => {
                return Err(line.two_ways(token - 2, token - 1, token));
            }
            Operand::Power(_)
            | Operand::Root
            | Operand::Letter
            | Operand::Closed
            | Operand::Applied { .. } => true,
            Operand::Other => false,
        };
        if !is_sign_missing {
            return Err(Stop::LeftAlone);
        }
        if let Some(division) = product.division {
            return Err(line.two_ways(product.first, division + 1, token));
        }
        self.write_before(token);
        Ok(())
    }

    fn copy_to(&mut self, end: usize) {
        if end > self.done {
            self.written.push_str(&self.line.text[self.done..end]);
            self.done = end;
        }
    }

    /// Writes `*` before a token, in place of the blanks there.
    fn write_before(&mut self, token: usize) {
        self.copy_to(self.line.span(token - 1, token - 1).end as usize);
        self.written.push('*');
        self.done = self.line.span(token, token).start as usize;
        self.signs += 1;
    }

    /// Writes a text in place of the tokens from `first` to `last`.
    fn write_over(&mut self, first: usize, last: usize, text: &str) {
        let Span { start, end } = self.line.span(first, last);
        self.copy_to(start as usize);
        self.written.push_str(text);
        self.done = end as usize;
        self.signs += 1;
    }
}

#[cfg(test)]
mod tests;

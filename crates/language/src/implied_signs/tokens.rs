//! The tokens of a line that leaves signs out: what each word is, which brackets and bars belong together, and where the
//! argument of a function without brackets ends.

use std::collections::HashSet;

use super::{Application, Read, Stop, WordKind, Words};
use crate::grammar::Rule;
use crate::parser::tokens;
use crate::precedence;
use crate::tree::Span;

/// A product is proposed up to the factor that makes it longer than this number of bytes.
const MOST_PROPOSED: usize = 200;

pub(super) struct Tokens<'t> {
    pub(super) text: &'t str,
    /// The first token of the expression, behind `y =` or `f(x) =`.
    pub(super) begin: usize,
    all: Vec<(Rule, Span)>,
    words: &'t Words<'t>,
    /// For each `(`, `[` and `|` that opens, the token that closes it.
    closing: Vec<Option<usize>>,
    /// The brackets that have a comma.
    with_comma: HashSet<usize>,
    /// The names that also stand without a bracket behind them.
    bare: HashSet<&'t str>,
    /// The parameters of the definition, and the letter of the derivative.
    letters: HashSet<&'t str>,
}

impl<'t> Tokens<'t> {
    pub(super) fn of(text: &'t str, words: &'t Words<'t>) -> Read<Tokens<'t>> {
        let all = tokens(text, Span::new(0, text.len()));
        let mut line = Tokens {
            text,
            begin: 0,
            closing: vec![None; all.len()],
            with_comma: HashSet::new(),
            all,
            words,
            bare: HashSet::new(),
            letters: words.letter.into_iter().collect(),
        };
        line.pair_brackets()?;
        line.read_head()?;
        let names = (line.begin..line.count()).filter(|&at| line.rule(at) == Rule::name);
        let bare = names.filter(|at| line.rule(at + 1) != Rule::open);
        line.bare = bare.map(|at| line.word(at)).collect();
        Ok(line)
    }

    /// Pairs off the brackets, and the bars from left to right. Bars have something in them, no blanks at their ends, and no
    /// sign at their end.
    fn pair_brackets(&mut self) -> Read<()> {
        let mut open: Vec<usize> = Vec::new();
        for token in 0..self.count() {
            let last_bar = open.last().copied().filter(|&it| self.word(it) == "|");
            match self.rule(token) {
                Rule::open | Rule::list_open => open.push(token),
                Rule::comma => {
                    self.with_comma.insert(*open.last().ok_or(Stop::LeftAlone)?);
                }
                Rule::close | Rule::list_close if last_bar.is_none() => {
                    self.closing[open.pop().ok_or(Stop::LeftAlone)?] = Some(token);
                }
                Rule::close | Rule::list_close => return Err(Stop::LeftAlone),
                _ if self.word(token) != "|" => {}
                _ => match last_bar {
                    None => open.push(token),
                    Some(bar) => {
                        let is_tight = self.touches(bar + 1) && self.touches(token);
                        let is_empty = token == bar + 1;
                        if !is_tight || is_empty || self.rule(token - 1) == Rule::operator {
                            return Err(Stop::LeftAlone);
                        }
                        self.closing[bar] = Some(token);
                        open.pop();
                    }
                },
            }
        }
        if open.is_empty() {
            Ok(())
        } else {
            Err(Stop::LeftAlone)
        }
    }

    /// Reads `y =`, `const y =` or `f(x) =`.
    fn read_head(&mut self) -> Read<()> {
        let is_equals = |(rule, _): &(Rule, Span)| *rule == Rule::equals;
        let Some(equals) = self.all.iter().position(is_equals) else {
            return Ok(());
        };
        let first = usize::from(self.word(0) == "const" && equals > 1);
        let is_definition = equals > 3 && self.closing[1] == Some(equals - 1);
        if self.rule(first) != Rule::name || !is_definition && equals != first + 1 {
            return Err(Stop::LeftAlone);
        }
        let parameters = (first + 1..equals).filter(|&at| self.rule(at) == Rule::name);
        let names: Vec<&str> = parameters.map(|at| self.word(at)).collect();
        self.letters.extend(names);
        self.begin = equals + 1;
        Ok(())
    }

    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    pub(super) fn rule(&self, token: usize) -> Rule {
        self.all.get(token).map_or(Rule::EOI, |(rule, _)| *rule)
    }

    pub(super) fn word(&self, token: usize) -> &'t str {
        let found = self.all.get(token);
        found.map_or("", |(_, span)| span.of(self.text))
    }

    pub(super) fn span(&self, first: usize, last: usize) -> Span {
        self.all[first].1.to(self.all[last].1)
    }

    /// The text from one token to another, in which names that are products have their signs: `π*r^2` for `πr^2`.
    pub(super) fn with_products(&self, first: usize, last: usize) -> String {
        let mut text = String::new();
        for token in first..=last {
            if token > first && !self.touches(token) {
                text.push(' ');
            }
            let product = self.name_product(token);
            text.push_str(product.as_deref().unwrap_or(self.word(token)));
        }
        text
    }

    /// Whether nothing stands between a token and the one before it.
    pub(super) fn touches(&self, token: usize) -> bool {
        match (self.all.get(token.wrapping_sub(1)), self.all.get(token)) {
            (Some((_, left)), Some((_, right))) => left.end == right.start,
            _ => false,
        }
    }

    pub(super) fn closing(&self, open: usize) -> Option<usize> {
        self.closing.get(open).copied().flatten()
    }

    /// Whether a bracket has several things in it: it is a list, or has a comma.
    pub(super) fn has_several(&self, open: usize) -> bool {
        !self.is_group(open) || self.with_comma.contains(&open)
    }

    /// Whether a bracket is round, or stands for a round one, as in `[x + sin(x)]^2`.
    pub(super) fn is_group(&self, open: usize) -> bool {
        let is_raised = |close: usize| {
            self.is_power_sign(close + 1) || self.rule(close + 1) == Rule::superscript
        };
        let is_item = open > 0 && self.is_name(open - 1);
        self.rule(open) != Rule::list_open || !is_item && self.closing(open).is_some_and(is_raised)
    }

    pub(super) fn is_bar(&self, token: usize) -> bool {
        self.word(token) == "|" && self.closing(token).is_some()
    }

    pub(super) fn is_plus_or_minus(&self, token: usize) -> bool {
        matches!(self.word(token), "+" | "-" | "−")
    }

    /// Whether a word stands between two expressions.
    pub(super) fn is_connective(&self, token: usize) -> bool {
        matches!(self.word(token), "if" | "else" | "and" | "or" | "not")
    }

    fn kind(&self, token: usize) -> WordKind {
        (self.words.kind)(self.word(token))
    }

    fn is_name(&self, token: usize) -> bool {
        self.rule(token) == Rule::name
    }

    pub(super) fn is_letter(&self, token: usize) -> bool {
        let is_given = self.letters.contains(self.word(token));
        self.is_name(token)
            && (is_given
                || self.kind(token) == WordKind::Letter
                || self.name_product(token).is_some())
    }

    pub(super) fn is_function(&self, token: usize) -> bool {
        let is_given = self.letters.contains(self.word(token));
        let is_known = self.kind(token) == WordKind::Function || self.is_operation(token);
        self.is_name(token) && !is_given && is_known
    }

    /// Whether a word is a function of one number: `sin`, `log_2`.
    pub(super) fn is_operation(&self, token: usize) -> bool {
        matches!(self.kind(token), WordKind::Operation(_)) || self.base_of_log(token).is_some()
    }

    /// Whether a token begins what may be the right factor of a product.
    pub(super) fn is_factor(&self, token: usize) -> bool {
        let is_sign = matches!(self.rule(token), Rule::open | Rule::root) || self.is_bar(token);
        is_sign && !self.has_several(token) || self.is_letter(token) || self.is_function(token)
    }

    /// Whether the line has a name also without a bracket behind it.
    pub(super) fn is_bare(&self, token: usize) -> bool {
        self.bare.contains(self.word(token))
    }

    /// The `2` of `log_2`.
    fn base_of_log(&self, token: usize) -> Option<&'t str> {
        let base = self.word(token).strip_prefix("log_")?;
        let is_number = !base.is_empty() && base.bytes().all(|it| it.is_ascii_digit());
        let is_base = is_number || (self.words.kind)(base) == WordKind::Letter;
        (is_base && self.kind(token) == WordKind::Unknown).then_some(base)
    }

    /// The product that a name is: `π*r` for `πr`.
    pub(super) fn name_product(&self, token: usize) -> Option<String> {
        match self.kind(token) {
            WordKind::Product(text) if !self.letters.contains(self.word(token)) => Some(text),
            _ => None,
        }
    }

    /// Whether a name after a number and a blank is a unit, or an `e` with digits: `5 m`, `1.5 e3`.
    pub(super) fn is_unit(&self, token: usize, units: &[&str]) -> bool {
        let name = self.word(token);
        let has_digits = name.len() > 1 && name.starts_with('e') && name.is_ascii();
        let is_unit = units.contains(&name) && !self.letters.contains(name);
        !self.is_function(token) && (has_digits || is_unit)
    }

    /// Whether a name is the `e` of a power of ten that was torn off: `1.5 e-3`, `1.25(3)e-19`.
    pub(super) fn is_torn_exponent(&self, token: usize) -> bool {
        let ends_number = matches!(self.rule(token - 1), Rule::number | Rule::close);
        let is_glued = self.touches(token + 1) && self.touches(token + 2);
        let has_digits = self.is_plus_or_minus(token + 1) && self.rule(token + 2) == Rule::number;
        self.word(token) == "e" && ends_number && is_glued && has_digits
    }

    /// Whether a bracket has only a number in it: `1.25 (3)` is a measurement.
    pub(super) fn is_number_in_brackets(&self, open: usize) -> bool {
        self.rule(open + 1) == Rule::number && self.closing(open) == Some(open + 2)
    }

    /// The last token of an exponent of one number or letter, perhaps with its sign, that begins at a token.
    pub(super) fn short_exponent(&self, token: usize) -> Option<usize> {
        let at = token + usize::from(self.is_plus_or_minus(token));
        let is_letter = self.is_name(at) && !self.is_function(at);
        (is_letter || self.rule(at) == Rule::number).then_some(at)
    }

    /// The sign of the power that ends with this exponent, perhaps with a sign of its own.
    pub(super) fn power_sign(&self, exponent: usize) -> usize {
        exponent - 1 - usize::from(self.is_plus_or_minus(exponent - 1))
    }

    /// Whether a power is one of numbers, or of `e` and a number: `2^3`, `e^-2`.
    pub(super) fn is_constant_power(&self, sign: usize, exponent: usize) -> bool {
        let is_constant = self.rule(sign - 1) == Rule::number || self.word(sign - 1) == "e";
        is_constant && self.rule(exponent) == Rule::number
    }

    /// The first token of the number, letter, bracket or call that ends with a token.
    pub(super) fn operand_start(&self, last: usize) -> usize {
        let open = self.closing.iter().position(|it| *it == Some(last));
        match open {
            Some(open) if open > 0 && self.is_name(open - 1) && self.touches(open) => open - 1,
            _ => open.unwrap_or(last),
        }
    }

    /// A function with the power that is typed before its argument: `sin`, `sin^2`, `sin⁻¹`, `log_2`.
    pub(super) fn application(&self, function: usize) -> Read<Application<'t>> {
        let sign = function + 1;
        let last = match self.rule(sign) {
            Rule::superscript => sign,
            Rule::operator if self.is_power_sign(sign) => {
                let exponent = self.short_exponent(sign + 1);
                exponent.or(self.closing(sign + 1)).ok_or(Stop::LeftAlone)?
            }
            _ => function,
        };
        let power = match last > function {
            true if !self.is_operation(function) => return Err(Stop::LeftAlone),
            true => self.span(sign, last).of(self.text),
            false => "",
        };
        let (name, end) = match (self.base_of_log(function), self.kind(function), power) {
            (Some(base), ..) => ("log", format!(", {base}){power}")),
            (_, WordKind::Operation(inverse), "⁻¹" | "^-1" | "^−1" | "**-1" | "^(-1)") => {
                (inverse.ok_or(Stop::LeftAlone)?, ")".to_string())
            }
            _ => (self.word(function), format!("){power}")),
        };
        Ok(Application {
            name,
            end,
            next: last + 1,
        })
    }

    pub(super) fn is_power_sign(&self, token: usize) -> bool {
        matches!(self.word(token), "^" | "**")
    }

    /// The last token of the argument of a function without brackets: of `2`, `x`, `2x`, `πx`, `√x`, with a power of one
    /// number or letter.
    pub(super) fn argument_end(&self, first: usize) -> Read<usize> {
        let mut last = first + usize::from(self.rule(first) == Rule::root);
        if self.rule(last) == Rule::number {
            let has_letter = last == first && self.is_name(last + 1) && self.touches(last + 1);
            last += usize::from(has_letter);
        }
        if self.rule(last) != Rule::number && (!self.is_letter(last) || self.is_function(last)) {
            return Err(Stop::LeftAlone);
        }
        match self.rule(last + 1) {
            Rule::superscript => return Ok(last + 1),
            Rule::primes | Rule::method | Rule::factorial | Rule::list_open => {
                return Err(Stop::LeftAlone);
            }
            _ if !self.is_power_sign(last + 1) => return Ok(last),
            _ => {}
        }
        let exponent = self.short_exponent(last + 2).ok_or(Stop::LeftAlone)?;
        let goes_on = self.touches(exponent + 1)
            && matches!(
                self.rule(exponent + 1),
                Rule::name | Rule::open | Rule::root
            );
        if goes_on {
            Err(Stop::LeftAlone)
        } else {
            Ok(exponent)
        }
    }

    /// Whether the argument of a function is a root with brackets or an applied function: `ln √(x + 1)`, `ln tan(x/2)`,
    /// `ln sin x`.
    pub(super) fn is_applied(&self, first: usize) -> bool {
        if self.is_operation(first) {
            // One function in another is enough.
            return self
                .application(first)
                .is_ok_and(|it| !self.is_function(it.next));
        }
        let has_brackets = self.is_function(first) || self.rule(first) == Rule::root;
        has_brackets && self.rule(first + 1) == Rule::open
    }

    /// Whether it is clear that the argument of a function without brackets ends at a token. Before a `/` it is if the divisor
    /// begins with the same letter, a function or a bracket: `sin x/x`, but not `sin x/2`. Before a `*` it is unless the
    /// argument is a number: `sin 2*x`.
    pub(super) fn ends_argument(&self, first: usize, last: usize) -> bool {
        let (after, divisor) = (last + 1, last + 2);
        let is_constant =
            |at: usize| self.rule(at) == Rule::number || matches!(self.word(at), "pi" | "π" | "e");
        let operator = precedence::infix_operator(self.word(after));
        if operator.is_some_and(|it| it.spelling == "*") {
            return !(first..=last).all(is_constant);
        }
        if !matches!(self.word(after), "/" | "÷" | "//" | "%") {
            return true;
        }
        let is_same = |at: usize| self.is_name(at) && self.word(at) == self.word(divisor);
        let is_clear = self.rule(divisor) == Rule::open || self.is_function(divisor);
        is_clear || (first..=last).any(is_same)
    }

    /// The last token of the operand that begins at a token, perhaps behind a sign.
    fn operand_end(&self, token: usize) -> usize {
        let mut last = token;
        if matches!(self.rule(last), Rule::root | Rule::operator) {
            last += 1;
        }
        if self.is_operation(last)
            && let Ok(Application { next, .. }) = self.application(last)
        {
            let argument = self.closing(next).or(self.argument_end(next).ok());
            last = argument.unwrap_or(last);
        } else {
            let is_call = self.is_name(last) && self.touches(last + 1);
            let open = last + usize::from(is_call && self.rule(last + 1) == Rule::open);
            last = self.closing(open).unwrap_or(open);
        }
        if self.is_power_sign(last + 1) {
            let exponent = self.short_exponent(last + 2);
            last = exponent.or(self.closing(last + 2)).unwrap_or(last);
        }
        last.min(self.count() - 1)
    }

    /// The error for `sin -x`.
    pub(super) fn needs_brackets(&self, function: usize, argument: usize) -> Stop {
        let end = self.operand_end(argument);
        let (name, operand) = (self.word(function), self.with_products(argument, end));
        let message = format!("`{name}` needs brackets before a sign");
        let span = self.span(function, end);
        Stop::refused(span, message, format!("write `{name}({operand})`"))
    }

    /// The error that the two factors of a name in a divisor or an exponent may not belong together: `1/πr`, `e^πx`.
    pub(super) fn two_ways_of_name(&self, first: usize, name: usize) -> Stop {
        let end = self.operand_end(name);
        let (head, product) = (
            self.with_products(first, name - 1),
            self.with_products(name, end),
        );
        let span = self.span(first, end);
        let message = format!("`{}` can be read in two ways", span.quote(self.text));
        let help = format!("write `{head}({product})` or `{head}{product}`");
        Stop::refused(span, message, help)
    }

    /// The error that what begins at `token` may belong to the operand that begins at `inner`, or to the whole from `first`
    /// on: `sin x/2`, `1/2 x`, `2^3 x`.
    pub(super) fn two_ways(&self, first: usize, inner: usize, token: usize) -> Stop {
        let mut end = self.operand_end(token);
        let mut rest = self.with_products(token, end);
        while self.is_factor(end + 1) && rest.len() < MOST_PROPOSED {
            let factor = end + 1;
            end = self.operand_end(factor);
            rest.push('*');
            rest.push_str(&self.with_products(factor, end));
        }
        let (head, operand) = (
            self.with_products(first, inner - 1),
            self.with_products(inner, token - 1),
        );
        let sign = if self.rule(token) == Rule::operator {
            ""
        } else {
            "*"
        };
        let short = if self.is_function(first) && self.rule(inner - 1) != Rule::operator {
            format!("{head}({operand})")
        } else {
            format!("{head}{operand}")
        };
        let span = self.span(first, end);
        let message = format!("`{}` can be read in two ways", span.quote(self.text));
        let help = format!("write `{head}({operand}{sign}{rest})` or `{short}{sign}{rest}`");
        Stop::refused(span, message, help)
    }
}

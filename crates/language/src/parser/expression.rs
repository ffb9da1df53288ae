//! Makes the items of an expression, in postfix order, from pest's pairs.
//!
//! This is the shunting-yard algorithm, which is a loop: an operator waits until its right operand is read, which is when
//! one comes that binds no more tightly. `precedence` says how tightly each binds. Only brackets recurse.

use std::borrow::Cow;

use pest::iterators::{Pair, Pairs};

use super::errors;
use super::name::name_in_tree;
use crate::error::SyntaxError;
use crate::grammar::Rule;
use crate::lexer::{check_depth, code, words};
use crate::number;
use crate::precedence::{self, Grouping};
use crate::tree::{Expression, Head, Item, ItemKind, Literal, NETWORK_PARTS, Property, Span};

pub(super) type Done<T> = Result<T, SyntaxError>;

/// Python's words for the number of items.
const LENGTHS: [&str; 5] = ["shape", "len", "length", "size", "count"];

/// Functions that take all numbers of a list, whatever its shape, as methods and in numpy.
pub const FOLDS: [&str; 9] = [
    "sum", "mean", "max", "min", "prod", "std", "median", "argmax", "argmin",
];

/// Modules of Python, whose members are read as paths: `np.pi`, `np.random.normal(0, 1)`.
const MODULES: [&str; 7] = ["math", "np", "numpy", "torch", "cmath", "F", "random"];

/// What kind of token an operand ends with, or what its loosest operator is.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum OperandKind {
    Number,
    Negative,
    Name,
    Former,
    Id,
    Result,
    Bracket,
    /// `[0]`
    Single,
    Property,
    Factorial,
    Superscript,
    Comparison,
    /// A list without its brackets: `1..n`, `x^2 for x in xs`
    Open,
    /// `5%`
    PerCent,
    /// Python's `a > 0 and b > 0`, which is 1 or 0
    Truth,
    /// Python's `a if b > 0`, which `else` follows
    Chosen,
    /// Something with an operator.
    #[default]
    Other,
}

/// An operand that has been read, for checks of what follows it.
#[derive(Clone, Copy, Default)]
pub(super) struct Operand {
    pub(super) kind: OperandKind,
    /// All of it.
    pub(super) span: Span,
    /// Its last token.
    pub(super) last: Span,
    /// Its loosest operator.
    pub(super) sign: Span,
    /// The sign that divides by its last token, raises to it or takes its root. After that sign a coefficient is refused.
    pub(super) divides: Option<Span>,
    /// The place of its first item.
    pub(super) first: usize,
}

/// An operator whose right operand is not read yet.
struct PendingOperator {
    /// Its left operand; none of a sign before an operand.
    left: Option<Operand>,
    rule: Rule,
    span: Span,
    /// How tightly another operator binds at least to take the right operand first.
    least: u8,
}

/// Reads a statement, or a part of one.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) region: Span,
    /// The region as the grammar reads it.
    pub(super) plain: Cow<'t, str>,
    /// Whether it is a line of a block.
    pub(super) in_code: bool,
}

impl<'t> Reader<'t> {
    /// Every text that pest reads comes through here.
    ///
    /// # Errors
    /// If its brackets are nested too deep: pest would overflow the stack, because it recurses for each of them.
    pub(super) fn new(text: &'t str, span: Span, in_code: bool) -> Done<Reader<'t>> {
        let (region, plain) = code(text, span);
        check_depth(&plain, region.start)?;
        Ok(Reader {
            text,
            region,
            plain,
            in_code,
        })
    }

    /// Reads pairs as an expression. Returns also which of its literals have a `%`.
    pub(super) fn read(&self, pairs: Pairs<'_, Rule>) -> Done<(Expression<'t>, Vec<usize>)> {
        let start = pairs.peek().map_or(0, |first| self.span(&first).start);
        let mut tree = TreeReader {
            source: self,
            text: self.text,
            in_code: self.in_code,
            items: Vec::with_capacity(pairs.len()),
            waiting: Vec::new(),
            per_cent: Vec::new(),
            label: None,
        };
        let operand = tree.operand(pairs)?;
        let expression = Expression {
            items: tree.items,
            span: operand.last.starting_at(start),
        };
        Ok((expression, tree.per_cent))
    }

    pub(super) fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        Span::new(span.start(), span.end()).shift(self.region.start)
    }

    /// The error of a row of the table of errors, which quotes `parts` of the text.
    pub(super) fn error<T>(&self, row: &str, parts: &[(&str, Span)]) -> Done<T> {
        Err(errors::tree_error(self.text, row, parts))
    }

    /// The error at a place of the text, as if the grammar had stopped there.
    pub(super) fn error_at(&self, at: u32) -> SyntaxError {
        errors::text_error(self.text, self.region, at, |_| true)
    }
}

/// Makes the items of one expression.
pub(super) struct TreeReader<'r, 't> {
    pub(super) source: &'r Reader<'t>,
    pub(super) text: &'t str,
    pub(super) in_code: bool,
    pub(super) items: Vec<Item<&'t str>>,
    /// The operators that wait for their right operands, the innermost last.
    waiting: Vec<PendingOperator>,
    per_cent: Vec<usize>,
    /// The label of the `Value` that is read, and its place.
    pub(super) label: Option<(&'t str, Span)>,
}

impl<'t> TreeReader<'_, 't> {
    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        self.source.span(pair)
    }

    pub(super) fn push(&mut self, kind: ItemKind<&'t str>, span: Span) {
        self.items.push(Item { kind, span });
    }

    pub(super) fn apply(&mut self, head: Head<&'t str>, operands: u32, span: Span) {
        self.push(ItemKind::Apply(head, operands), span);
    }

    /// The error of an operand together with what follows it: a sign and another operand, or an index, which is both `next`
    /// and `right`.
    fn error_of_both<T>(&self, row: &str, left: Operand, next: Span, right: Span) -> Done<T> {
        let parts = [
            ("left", left.span),
            ("first", left.span.ending_at(left.sign.start)),
            ("sign", left.sign),
            ("middle", left.span.starting_at(left.sign.end)),
            ("list", left.span.ending_at(left.last.start)),
            ("last", left.last),
            ("next", next),
            ("right", right),
            ("number", right.ending_at(right.end.saturating_sub(1))),
            ("word", right.starting_at(right.start + 1)),
            ("found", next.to(right)),
            ("all", left.span.to(right)),
        ];
        self.source.error(row, &parts)
    }

    /// Reads an expression, or what stands between two brackets or commas.
    pub(super) fn operand(&mut self, pairs: Pairs<'_, Rule>) -> Done<Operand> {
        let around = self.waiting.len();
        let mut operand = Operand::default();
        for pair in pairs {
            let rule = pair.as_rule();
            let Some((level, grouping)) = precedence::binding(rule) else {
                operand = self.primary(pair)?;
                continue;
            };
            let left = match grouping {
                Grouping::Prefix => None,
                _ => Some(self.apply_waiting(around, level, operand)?),
            };
            match left.filter(|_| grouping == Grouping::Postfix) {
                Some(left) => operand = self.postfix(left, pair)?,
                None => self.waiting.push(PendingOperator {
                    left,
                    rule,
                    span: self.span(&pair),
                    least: level + u8::from(matches!(grouping, Grouping::Left | Grouping::Alone)),
                }),
            }
        }
        let read = self.apply_waiting(around, 0, operand)?;
        match read.kind {
            OperandKind::Chosen => Err(self.source.error_at(read.sign.start)),
            _ => Ok(read),
        }
    }

    /// Gives a right operand to the operators that wait for it, if one of this level follows it.
    fn apply_waiting(&mut self, around: usize, level: u8, right: Operand) -> Done<Operand> {
        let mut operand = right;
        while self.waiting.len() > around
            && let Some(sign) = self.waiting.pop_if(|sign| level < sign.least)
        {
            operand = match sign.left {
                Some(left) => self.infix(left, sign.rule, sign.span, operand)?,
                None => self.prefix(sign.rule, sign.span, operand),
            };
        }
        Ok(operand)
    }

    fn primary(&mut self, pair: Pair<'_, Rule>) -> Done<Operand> {
        let span = self.span(&pair);
        let text = span.of(self.text);
        let mut operand = Operand {
            span,
            last: span,
            sign: span,
            first: self.items.len(),
            ..Operand::default()
        };
        let (kind, item) = match pair.as_rule() {
            Rule::number => {
                let literal = self.literal(text, span)?;
                (OperandKind::Number, ItemKind::Number(literal))
            }
            Rule::name => (OperandKind::Name, ItemKind::Name(name_in_tree(text))),
            Rule::node => (OperandKind::Id, ItemKind::Id(self.id(text, span)?)),
            Rule::result => (OperandKind::Result, ItemKind::Result(self.id(text, span)?)),
            Rule::quoted => {
                let words = words::strip_quotes(text).unwrap_or_default();
                (OperandKind::Bracket, ItemKind::Text(words))
            }
            rule => {
                operand.kind = match rule {
                    Rule::list => self.list(pair, span)?,
                    _ => self.group(pair, span)?,
                };
                operand.last = span.starting_at(span.end - 1);
                operand.sign = operand.last;
                return Ok(operand);
            }
        };
        self.push(item, span);
        operand.kind = kind;
        Ok(operand)
    }

    /// `(a + b)`; Python's `(a, b)` and `(x^2 for x in xs)`, which are lists
    fn group(&mut self, pair: Pair<'_, Rule>, span: Span) -> Done<OperandKind> {
        let inner = pair.into_inner();
        let comma = inner.clone().find(|pair| pair.as_rule() == Rule::comma);
        let has_comma = comma.is_some();
        // `(1,5)` may be meant as 1.5.
        let is_decimal = |text: &str| {
            let digits = |text: &str| text.bytes().all(|it| it.is_ascii_digit());
            let sides = text[1..text.len() - 1].split_once(',');
            sides.is_some_and(|(whole, rest)| digits(whole) && digits(rest) && !rest.is_empty())
        };
        if let Some(comma) = comma.filter(|_| !self.in_code && is_decimal(span.of(self.text))) {
            return Err(self.source.error_at(self.span(&comma).start));
        }
        let (count, kind) = self.operands(inner, span)?;
        if has_comma {
            self.apply(Head::List, count, span);
        }
        Ok(match kind {
            OperandKind::Truth if count == 1 => OperandKind::Truth,
            _ => OperandKind::Bracket,
        })
    }

    fn literal(&self, text: &str, span: Span) -> Done<Literal> {
        number::value(text).or_else(|row| self.source.error(row, &[("next", span)]))
    }

    /// The number after `@` or `$`.
    fn id(&self, text: &str, span: Span) -> Done<u32> {
        let read = text[1..].parse();
        read.or_else(|_| self.source.error("@id", &[("next", span)]))
    }

    /// `-a`, `√a`, `not a`, which is `a == 0`. A minus directly before a literal belongs to it.
    fn prefix(&mut self, rule: Rule, sign: Span, operand: Operand) -> Operand {
        let mut whole = Operand {
            kind: OperandKind::Other,
            span: sign.to(operand.span),
            ..operand
        };
        match (rule, self.items.last_mut()) {
            (Rule::py_not, _) => {
                self.push(Literal::plain(0.0), sign);
                self.operator("==", sign);
                whole.kind = OperandKind::Truth;
            }
            (Rule::root, _) => {
                self.apply(Head::Function("sqrt", 0), 1, sign);
                whole.divides = Some(sign);
            }
            (
                _,
                Some(Item {
                    kind: ItemKind::Number(literal),
                    span,
                }),
            ) if operand.kind == OperandKind::Number && span.start == sign.end => {
                literal.value = -literal.value;
                *span = sign.to(*span);
                whole.kind = OperandKind::Negative;
            }
            _ => self.apply(Head::Operator(precedence::minus_sign()), 1, sign),
        }
        whole
    }

    fn infix(&mut self, left: Operand, rule: Rule, sign: Span, right: Operand) -> Done<Operand> {
        let mut divides = None;
        let kind = match rule {
            Rule::py_if | Rule::py_else | Rule::py_and | Rule::py_or => {
                self.word_operator(left, rule, sign, right)?
            }
            _ => {
                self.check_infix(left, rule, sign, right)?;
                let (text, place) = match rule {
                    Rule::times => ("*", left.last),
                    _ => (sign.of(self.text), sign),
                };
                let head = precedence::infix_operator(text).map_or(Head::Range, Head::Operator);
                self.apply(head, 2, place);
                let does = rule == Rule::power || matches!(text, "/" | "%" | "÷");
                divides = right.divides.or(does.then_some(sign));
                match rule {
                    Rule::comparison => OperandKind::Comparison,
                    Rule::range => OperandKind::Open,
                    _ => OperandKind::Other,
                }
            }
        };
        Ok(Operand {
            kind,
            span: left.span.to(right.span),
            last: right.last,
            sign,
            divides,
            first: left.first,
        })
    }

    pub(super) fn operator(&mut self, spelling: &str, span: Span) {
        if let Some(operator) = precedence::infix_operator(spelling) {
            self.apply(Head::Operator(operator), 2, span);
        }
    }

    /// Refuses what a reader might read in another way than the grammar does.
    fn check_infix(&self, left: Operand, rule: Rule, sign: Span, right: Operand) -> Done<()> {
        let all = sign.to(right.span).of(self.text);
        let row = match (rule, left.kind) {
            (Rule::comparison, OperandKind::Comparison) => "@comparisons",
            (Rule::range, OperandKind::Open) => "@ranges",
            (Rule::power, OperandKind::Superscript) => "@raised",
            (Rule::sum, OperandKind::Other) if right.kind == OperandKind::PerCent => {
                "@share of a sum"
            }
            (Rule::sum, _) if right.kind == OperandKind::PerCent => "@share",
            // It may be meant as `±`.
            (Rule::sum, _) if !self.in_code && all.starts_with("+-") => "@plus and minus",
            (Rule::product | Rule::sum, _) => return self.check_lists(left, sign, right),
            (Rule::times, _) if self.is_short_uncertainty(left.last, right) => "@short",
            (Rule::times, _) => return self.check_factor(left, right),
            _ => return Ok(()),
        };
        self.error_of_both(row, left, sign, right.span)
    }

    /// Whether it is `1.00(2)`, as tables write 1.00 ± 0.02, or `12.5(1.5)`.
    fn is_short_uncertainty(&self, number: Span, bracket: Operand) -> bool {
        let is_digit = |c: char| c.is_ascii_digit() || c == '.';
        let (number, digits) = (number.of(self.text), bracket.span.of(self.text));
        number.starts_with(is_digit)
            && number.contains('.')
            && digits.starts_with('(')
            && digits.trim_matches(['(', ')']).chars().all(is_digit)
    }

    /// Refuses `[0]*3` and `[a] + [b]`, and in code `[a, b]*n` and `x + [b]`: Python repeats and joins lists. Whether the
    /// `n` of `[0]*n` is a number is known only when the session builds the statement.
    fn check_lists(&self, left: Operand, sign: Span, right: Operand) -> Done<()> {
        let in_code = self.in_code;
        let is_list = |end: usize| self.items[end - 1].kind.is_written_list();
        let (is_left, is_right) = (|| is_list(right.first), || is_list(self.items.len()));
        // Whether a name stands for a number is known later.
        let is_count = |operand: Operand| in_code || operand.kind != OperandKind::Name;
        let is_single = left.kind == OperandKind::Single;
        let (row, list, other) = match sign.of(self.text) {
            "*" if (is_single || in_code && is_left()) && is_count(right) && !is_right() => {
                ("@repeated", left, right)
            }
            "*" if in_code && is_right() && !is_left() => ("@repeated", right, left),
            "+" if is_right() && (in_code || is_left()) => ("@joined", right, left),
            "+" if in_code && is_left() => ("@joined", left, right),
            _ => return Ok(()),
        };
        let is_named = row == "@joined" && other.kind == OperandKind::Name;
        let row = if is_named { "@added" } else { row };
        self.error_of_both(row, list, sign, other.span)
    }

    /// Refuses a coefficient that can be misread: `1/2x`, `0xfg`, `2_x`.
    fn check_factor(&self, factor: Operand, right: Operand) -> Done<()> {
        let next = right.span.of(self.text).chars().next();
        let next = next.unwrap_or_default();
        let digits = factor.last.of(self.text);
        let based = match digits {
            "0" => matches!(next, 'x' | 'X' | 'b' | 'B' | 'o' | 'O'),
            _ => digits.starts_with('0') && digits.contains(['x', 'X', 'b', 'B']),
        };
        if based && !matches!(next, '(' | '√') {
            let run = errors::number_run(self.text, factor.last);
            return self.source.error("@half", &[("run", run)]);
        }
        match factor.divides {
            Some(sign) => {
                let factor = Operand { sign, ..factor };
                self.error_of_both("@factor", factor, sign, right.span)
            }
            None => Ok(()),
        }
    }

    fn postfix(&mut self, operand: Operand, pair: Pair<'_, Rule>) -> Done<Operand> {
        let span = self.span(&pair);
        let rule = pair.as_rule();
        let is_apart = operand.last.end != span.start;
        let row = match (rule, operand.kind) {
            (Rule::factorial | Rule::superscript | Rule::member, OperandKind::Superscript) => {
                Some("@raised")
            }
            (Rule::factorial, OperandKind::Factorial) => Some("@factorial"),
            (Rule::former, OperandKind::Name) => is_apart.then_some("@operator"),
            (Rule::former, _) => Some("@operator"),
            (Rule::per_cent, OperandKind::Number | OperandKind::Negative) => {
                is_apart.then_some("@percent apart")
            }
            (Rule::per_cent, _) => Some("@percent"),
            _ => None,
        };
        if let Some(row) = row {
            return self.error_of_both(row, operand, span, span);
        }
        let kind = match rule {
            Rule::factorial => {
                self.apply(Head::Operator(precedence::factorial()), 1, span);
                OperandKind::Factorial
            }
            Rule::superscript => {
                let signs = span.of(self.text).chars();
                let digits: String = signs.map(number::superscript_digit).collect();
                let literal = self.literal(&digits, span)?;
                self.push(ItemKind::Number(literal), span);
                self.operator("^", span);
                OperandKind::Superscript
            }
            Rule::former => {
                let number = self.id(span.of(self.text), span)?;
                let (name, word) = self.take_name();
                self.push(ItemKind::Former(name, number), word.to(span));
                OperandKind::Former
            }
            Rule::per_cent => {
                self.per_cent.push(self.items.len() - 1);
                OperandKind::PerCent
            }
            Rule::py_missing => {
                if operand.kind != OperandKind::Name {
                    return Err(self.source.error_at(span.start));
                }
                let has_not = pair.into_inner().next().is_some();
                self.push(ItemKind::Name("None"), span);
                self.operator(if has_not { "!=" } else { "==" }, span);
                OperandKind::Truth
            }
            Rule::index => {
                self.index(operand, pair, span)?;
                OperandKind::Bracket
            }
            Rule::call => {
                self.call(operand, pair, span)?;
                OperandKind::Bracket
            }
            _ => self.member(operand, pair)?,
        };
        let last = match kind {
            OperandKind::Bracket => span.starting_at(span.end - 1),
            _ => span,
        };
        Ok(Operand {
            kind,
            span: operand.span.to(span),
            last,
            ..operand
        })
    }

    /// Takes back the name that was read last.
    fn take_name(&mut self) -> (&'t str, Span) {
        match self.items.pop() {
            Some(Item {
                kind: ItemKind::Name(name),
                span,
            }) => (name, span),
            _ => unreachable!("the operand is a name"),
        }
    }

    /// `w[2]`, `W[0, 1]`, `w[1:3]`
    fn index(&mut self, list: Operand, pair: Pair<'_, Rule>, span: Span) -> Done<()> {
        let row = match list.kind {
            OperandKind::Name
            | OperandKind::Former
            | OperandKind::Result
            | OperandKind::Bracket
            | OperandKind::Single => (list.last.end != span.start).then_some("@index apart"),
            OperandKind::Factorial | OperandKind::Superscript => Some("@index of a power"),
            OperandKind::Property => Some("@index of a property"),
            OperandKind::Number | OperandKind::Negative => Some("@index of a number"),
            OperandKind::Id => Some("@index of a node"),
            _ => Some("@operator"),
        };
        let inner = pair.into_inner();
        let mut commas = inner.clone().filter(|part| part.as_rule() == Rule::comma);
        let comma = commas.next();
        let last = self.items.last().map(|item| item.kind);
        let is_list = matches!(last, Some(ItemKind::Apply(Head::List, _)));
        match (row, &comma) {
            // `[[1, 2] [3, 4]]` lacks a comma.
            (row, Some(comma)) if row.is_some() || is_list => {
                return Err(self.source.error_at(self.span(comma).start));
            }
            (Some(row), _) => return self.error_of_both(row, list, span, span),
            _ => {}
        }
        let colons = inner
            .clone()
            .filter(|part| part.as_rule() == Rule::py_colon);
        match (colons.count(), comma) {
            (0, _) => self.positions(inner, span),
            // `X[:, 0]` is a column of the rows.
            (1, Some(_)) => {
                self.apply(Head::Function("zip", 0), 1, span);
                self.positions(inner, span)
            }
            (1, None) => self.slice(inner, span),
            _ => self
                .source
                .error("@slice with steps", &[("all", span), ("left", list.span)]),
        }
    }

    /// `0, 1` of `W[0, 1]`
    fn positions(&mut self, inner: Pairs<'_, Rule>, span: Span) -> Done<()> {
        for position in expressions(inner) {
            self.operand(position.into_inner())?;
            self.apply(Head::Index, 2, span);
        }
        Ok(())
    }

    /// `1:3` of `w[1:3]`
    fn slice(&mut self, inner: Pairs<'_, Rule>, span: Span) -> Done<()> {
        let mut inner = inner.peekable();
        for left_out in [0.0, f64::INFINITY] {
            match inner.next_if(|part| part.as_rule() == Rule::expression) {
                Some(position) => drop(self.operand(position.into_inner())?),
                None => self.push(Literal::plain(left_out), span),
            }
            // The colon, or the closing bracket.
            inner.next();
        }
        self.apply(Head::Slice, 3, span);
        Ok(())
    }

    /// `f(x)`, `f''(x)`
    fn call(&mut self, function: Operand, pair: Pair<'_, Rule>, span: Span) -> Done<()> {
        let mut inner = pair.into_inner().peekable();
        let primes = inner.next_if(|first| first.as_rule() == Rule::primes);
        if function.kind != OperandKind::Name {
            return match primes {
                Some(primes) => self.source.error("@prime", &[("next", self.span(&primes))]),
                None => self.error_of_both("@operator", function, span, span),
            };
        }
        let count_of_primes = primes.map_or(0, |primes| primes.as_str().chars().count());
        let Ok(order) = u8::try_from(count_of_primes) else {
            return self.error_of_both("@primes", function, span, span);
        };
        let (name, word) = self.take_name();
        let arguments = inner.next().expect("a call has brackets");
        let brackets = self.span(&arguments);
        let (count, _) = self.operands(arguments.into_inner(), brackets)?;
        if count == 0 && order > 0 {
            return self.error_of_both("@arguments", function, brackets, span.behind());
        }
        if name == "Value" {
            self.drop_name_of_number();
        }
        self.apply(Head::Function(name, order), count, word);
        if let Some((label, place)) = self.label.take() {
            if name != "Value" || count != 1 {
                return Err(self.source.error_at(place.start));
            }
            self.apply(Head::Labelled(label), 1, word);
        }
        Ok(())
    }

    /// `.data`, `.tanh()`
    fn member(&mut self, owner: Operand, pair: Pair<'_, Rule>) -> Done<OperandKind> {
        let mut inner = pair.into_inner();
        let method = inner.next().expect("a member has a name");
        let span = self.span(&method);
        let word = span.starting_at(span.start + 1);
        let (name, path) = (word.of(self.text), owner.span.to(span));
        let of_module = self.is_module(owner);
        let Some(arguments) = inner.next() else {
            if let Some(property) = Property::from_word(name) {
                self.push(ItemKind::Property(property), span);
                return Ok(OperandKind::Property);
            }
            // What a line of code has no meaning for fails when it runs.
            let may_have_parts = matches!(owner.kind, OperandKind::Bracket | OperandKind::Name)
                && (self.in_code || NETWORK_PARTS.contains(&span.of(self.text)));
            if of_module {
                // `np.pi` is a call without arguments, which the session looks up.
                self.items.pop();
                self.apply(Head::Function(path.of(self.text), 0), 0, path);
            } else if may_have_parts {
                self.apply(Head::Function(span.of(self.text), 0), 1, word);
            } else {
                let row = match owner.kind {
                    OperandKind::Number => "@decimal",
                    _ if LENGTHS.contains(&name) => "@length",
                    _ => "@member",
                };
                return self.error_of_both(row, owner, span, span);
            }
            return Ok(OperandKind::Bracket);
        };
        let arguments = arguments.into_inner();
        if let Some((body, each)) = repetition(&arguments) {
            let [body, each] = [self.span(&body), self.span(&each)];
            return self
                .source
                .error("@each", &[("next", each), ("all", body.to(each))]);
        }
        if of_module {
            self.items.pop();
        }
        // What a function of a module takes is Python's.
        let outside = self.in_code;
        self.in_code |= of_module;
        let (count, _) = self.operands(arguments, span)?;
        self.in_code = outside;
        let (name, count) = match name {
            _ if of_module => (path.of(self.text), count),
            // That of a sample.
            "std" if owner.span.of(self.text).starts_with("torch") => ("torch.std", count + 1),
            "sum" | "argmin" | "argmax" if count > 0 => {
                return self
                    .source
                    .error("@axis", &[("next", word), ("left", owner.span)]);
            }
            _ if FOLDS.contains(&name) && count == 0 => (span.of(self.text), 1),
            _ => (name, count + 1),
        };
        let place = if of_module { path } else { word };
        self.apply(Head::Function(name, 0), count, place);
        Ok(OperandKind::Bracket)
    }

    /// Whether the operand that was read last is one of the modules, or a part of one: `np.random`.
    fn is_module(&self, operand: Operand) -> bool {
        let first = operand.span.of(self.text).split('.').next();
        let is_name = |item: &Item<&str>| {
            matches!(
                item.kind,
                ItemKind::Name(_) | ItemKind::Apply(Head::Function(..), 0)
            )
        };
        matches!(&self.items[operand.first..], [only] if is_name(only))
            && first.is_some_and(|first| MODULES.contains(&first.trim_end()))
    }

    /// Reads the operands between brackets. Returns how many there are, and the kind of the last one. `E for x in xs` is
    /// one, a list.
    fn operands(&mut self, pairs: Pairs<'_, Rule>, brackets: Span) -> Done<(u32, OperandKind)> {
        if let Some((body, each)) = repetition(&pairs) {
            self.comprehension(body, each, brackets)?;
            return Ok((1, OperandKind::Open));
        }
        let (mut count, mut last) = (0, OperandKind::Other);
        let mut has_named = false;
        for pair in pairs {
            match pair.as_rule() {
                Rule::expression if has_named => {
                    return self.source.error("@unnamed", &[("next", self.span(&pair))]);
                }
                Rule::expression => {
                    last = self.operand(pair.into_inner())?.kind;
                    count += 1;
                }
                Rule::width => {
                    self.uncertainty(pair)?;
                    last = OperandKind::Other;
                }
                Rule::each => return self.source.error("@round", &[("next", self.span(&pair))]),
                Rule::power_of_ten => self.apply_power_of_ten(self.span(&pair))?,
                Rule::py_option | Rule::py_first_option => {
                    has_named = true;
                    count += u32::from(self.option(pair)?);
                }
                _ => {}
            }
        }
        Ok((count, last))
    }

    /// `[1, 2]`, `[]`, `[1..n]`, `[x^2 for x in xs]`
    fn list(&mut self, pair: Pair<'_, Rule>, span: Span) -> Done<OperandKind> {
        let (count, last) = self.operands(pair.into_inner(), span)?;
        let only = (count == 1).then_some(last);
        if only != Some(OperandKind::Open) {
            self.apply(Head::List, count, span);
        }
        Ok(match only {
            Some(OperandKind::Number | OperandKind::Negative) => OperandKind::Single,
            _ => OperandKind::Bracket,
        })
    }

    /// `± 0.1` or `± 5%` after a part of an expression.
    fn uncertainty(&mut self, pair: Pair<'_, Rule>) -> Done<()> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        inner.next();
        let per_cent = self.operand(inner)?.kind == OperandKind::PerCent;
        if per_cent {
            self.per_cent.pop();
        }
        self.apply(Head::Uncertain { per_cent }, 2, span);
        Ok(())
    }

    /// `(1.602 ± 0.002)e-19`: multiplies both literals by the power of ten.
    fn apply_power_of_ten(&mut self, power: Span) -> Done<()> {
        let mut kinds = self.items.iter().map(|item| item.kind).rev();
        let [
            Some(ItemKind::Apply(Head::Uncertain { per_cent: false }, _)),
            Some(ItemKind::Number(width)),
            Some(ItemKind::Number(number)),
        ] = std::array::from_fn(|_| kinds.next())
        else {
            return Err(self.source.error_at(power.start));
        };
        for (nth, literal) in [(2, width), (3, number)] {
            let text = format!("{}{}", literal.value, power.of(self.text));
            let at = self.items.len() - nth;
            self.items[at].kind = ItemKind::Number(self.literal(&text, power)?);
        }
        Ok(())
    }

    /// `E for x in xs`. In the tree the list comes before the body.
    fn comprehension(
        &mut self,
        body: Pair<'_, Rule>,
        each: Pair<'_, Rule>,
        brackets: Span,
    ) -> Done<()> {
        let mut variables: Vec<Item<&'t str>> = Vec::new();
        let mut word = self.span(&each);
        for pair in each.into_inner() {
            let span = self.span(&pair);
            match pair.as_rule() {
                Rule::name => {
                    let kind = ItemKind::Variable(name_in_tree(span.of(self.text)));
                    if let Some(first) = variables.iter().find(|other| other.kind == kind) {
                        return self
                            .source
                            .error("@item", &[("next", span), ("first", first.span)]);
                    }
                    variables.push(Item { kind, span });
                }
                Rule::r#in => word.end = span.end,
                Rule::expression => drop(self.operand(pair.into_inner())?),
                _ => {}
            }
        }
        let count = variables.len() as u32;
        self.items.extend(variables);
        self.push(ItemKind::Each(count), word);
        self.operand(body.into_inner())?;
        self.apply(Head::Collect, 2, brackets);
        Ok(())
    }
}

/// The body and the `for` of `E for x in xs`, with which the pairs begin.
fn repetition<'i>(pairs: &Pairs<'i, Rule>) -> Option<(Pair<'i, Rule>, Pair<'i, Rule>)> {
    let mut pairs = pairs.clone();
    let (body, each) = (pairs.next()?, pairs.next()?);
    (each.as_rule() == Rule::each).then_some((body, each))
}

/// Those of the pairs that are expressions.
pub(super) fn expressions<'i>(
    pairs: impl Iterator<Item = Pair<'i, Rule>>,
) -> impl Iterator<Item = Pair<'i, Rule>> {
    pairs.filter(|pair| pair.as_rule() == Rule::expression)
}

//! From pest's pairs of an expression to items in postfix order.
//!
//! pest's `PrattParser` knows how tightly each operator binds, and calls back for operands, left, right, then for their
//! operator: that is postfix order already.

use std::cell::RefCell;

use pest::iterators::{Pair, Pairs};
use pest::pratt_parser::{Assoc, ConstPrattParser, Op};

use crate::syntax::error::SyntaxError;
use crate::syntax::grammar::Rule;
use crate::syntax::limits::{MAX_CHAIN, MAX_LOOPS};
use crate::syntax::number::{self, NumberValue};
use crate::syntax::precedence::{self, Operator};
use crate::syntax::tree::{Expression, Head, Item, ItemKind, Literal, Property, Span};

/// Operator precedence, loosest first.
static PRATT: ConstPrattParser<Rule, 15> = ConstPrattParser::new_const(pest::pratt_precedence![
    Op::infix(Rule::range, Assoc::Left),
    Op::infix(Rule::comparison, Assoc::Left),
    Op::infix(Rule::sum, Assoc::Left),
    Op::infix(Rule::product, Assoc::Left) | Op::infix(Rule::times, Assoc::Left),
    Op::prefix(Rule::minus),
    Op::infix(Rule::power, Assoc::Right) | Op::postfix(Rule::superscript),
    Op::prefix(Rule::root),
    Op::postfix(Rule::factorial)
        | Op::postfix(Rule::member)
        | Op::postfix(Rule::index)
        | Op::postfix(Rule::call)
        | Op::postfix(Rule::former)
        | Op::postfix(Rule::per_cent)
]);

/// What an operand ends with, or its loosest operator.
#[derive(Clone, Copy, PartialEq)]
enum OperandKind {
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
    Range,
    Other,
}

/// What has been read of an operand.
#[derive(Clone, Copy)]
struct Operand {
    kind: OperandKind,
    /// Its last token.
    last: Span,
    /// That token is divided by, is an exponent or stands below a root: no coefficient may stand there.
    divides: bool,
}

/// A name as the session knows it.
pub(crate) fn name(text: &str) -> &str {
    match text {
        "π" => "pi",
        "τ" => "tau",
        _ => text,
    }
}

/// Reads expressions of one text.
pub(super) struct Reader<'t> {
    text: &'t str,
    offset: usize,
    state: RefCell<TreeState<'t>>,
}

#[derive(Default)]
struct TreeState<'t> {
    items: Vec<Item<'t>>,
    vanished: Vec<Span>,
    per_cent: Vec<usize>,
    loops: usize,
    error: Option<SyntaxError>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, region: Span) -> Reader<'t> {
        Reader {
            text,
            offset: region.start as usize,
            state: RefCell::default(),
        }
    }

    /// The expression of a pair, and which of its literals have a `%`.
    pub(super) fn read(
        &self,
        pair: Pair<'_, Rule>,
    ) -> Result<(Expression<'t>, Vec<usize>), SyntaxError> {
        let start = self.span(&pair).start;
        let read = self.read_pairs(pair.into_inner());
        read.map(|(expression, per_cent)| {
            let span = expression.span.starting(start);
            (Expression { span, ..expression }, per_cent)
        })
    }

    /// The same of the pairs inside.
    pub(super) fn read_pairs(
        &self,
        pairs: Pairs<'_, Rule>,
    ) -> Result<(Expression<'t>, Vec<usize>), SyntaxError> {
        let start = pairs.peek().map_or(0, |first| self.span(&first).start);
        self.state.borrow_mut().items.reserve(pairs.len());
        let operand = self.operand(pairs);
        let mut state = std::mem::take(&mut *self.state.borrow_mut());
        // The list of a `for` is read before its body.
        state.vanished.sort_by_key(|place| place.start);
        if let Some(error) = state.error {
            return Err(error);
        }
        let span = Span {
            start,
            end: operand.last.end,
        };
        let expression = Expression {
            items: state.items,
            span,
            vanished: state.vanished,
        };
        Ok((expression, state.per_cent))
    }

    pub(super) fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        Span::new(self.offset + span.start(), self.offset + span.end())
    }

    fn push(&self, kind: ItemKind<'t>, span: Span) {
        self.state.borrow_mut().items.push(Item { kind, span });
    }

    fn apply(&self, head: Head<'t>, operands: u32, span: Span) {
        self.push(ItemKind::Apply(head, operands), span);
    }

    /// Keeps the first error.
    fn refuse(&self, span: Span, kind: &'static str) {
        let mut state = self.state.borrow_mut();
        state.error.get_or_insert_with(|| match kind {
            "@long" => SyntaxError::new(
                span,
                format!("`^`, signs and roots can be chained at most {MAX_CHAIN} long"),
                "give a part a name: `p = …`, and use `p`",
            )
            .label("one too many"),
            _ => SyntaxError::new(span, kind, ""),
        });
    }

    fn operand(&self, pairs: Pairs<'_, Rule>) -> Operand {
        if pairs.len() > MAX_CHAIN
            && let Some(span) = self.too_long_chain(pairs.clone())
        {
            self.refuse(span, "@long");
            return Operand {
                kind: OperandKind::Other,
                last: span,
                divides: false,
            };
        }
        PRATT
            .map_primary(|pair| self.primary(pair))
            .map_prefix(|sign, operand| self.prefix(&sign, operand))
            .map_postfix(|operand, pair| self.postfix(operand, pair))
            .map_infix(|left, sign, right| self.infix(left, &sign, right))
            .parse(pairs)
    }

    /// Where a chain of `^`, signs and roots exceeds its limit: pest calls itself for each of them.
    fn too_long_chain(&self, pairs: Pairs<'_, Rule>) -> Option<Span> {
        let mut length = 0;
        for pair in pairs {
            match pair.as_rule() {
                Rule::power | Rule::minus | Rule::root => length += 1,
                Rule::sum | Rule::product | Rule::times | Rule::comparison | Rule::range => {
                    length = 0
                }
                _ => {}
            }
            if length > MAX_CHAIN {
                return Some(self.span(&pair));
            }
        }
        None
    }

    fn primary(&self, pair: Pair<'_, Rule>) -> Operand {
        let span = self.span(&pair);
        let text = span.of(self.text);
        let mut last = span;
        let kind = match pair.as_rule() {
            Rule::number => {
                let literal = self.literal(text, span);
                self.push(ItemKind::Number(literal), span);
                OperandKind::Number
            }
            Rule::name => {
                self.push(ItemKind::Name(name(text)), span);
                OperandKind::Name
            }
            Rule::node => {
                self.push(ItemKind::Id(self.id(text, span)), span);
                OperandKind::Id
            }
            Rule::result => {
                self.push(ItemKind::Result(self.id(text, span)), span);
                OperandKind::Result
            }
            rule => {
                last.start = last.end - 1;
                if rule == Rule::list {
                    self.list(pair, span)
                } else {
                    self.several(pair.into_inner(), span);
                    OperandKind::Bracket
                }
            }
        };
        Operand {
            kind,
            last,
            divides: false,
        }
    }

    fn literal(&self, text: &str, span: Span) -> Literal {
        match number::value(text) {
            NumberValue::Known(literal) => literal,
            NumberValue::Vanished(literal) => {
                self.state.borrow_mut().vanished.push(span);
                literal
            }
            NumberValue::TooLarge => {
                self.refuse(span, "beyond the largest number");
                Literal {
                    value: 0.0,
                    point: false,
                }
            }
        }
    }

    /// The number behind `@` or `$`.
    fn id(&self, text: &str, span: Span) -> u32 {
        text[1..].parse().unwrap_or_else(|_| {
            self.refuse(span, "larger than any number in use");
            0
        })
    }

    /// `-a`, `√a`. A minus directly before a literal belongs to it.
    fn prefix(&self, sign: &Pair<'_, Rule>, operand: Operand) -> Operand {
        let span = self.span(sign);
        if sign.as_rule() == Rule::root {
            self.apply(Head::Function("sqrt", 0), 1, span);
            return Operand {
                kind: OperandKind::Other,
                divides: true,
                ..operand
            };
        }
        let mut state = self.state.borrow_mut();
        let TreeState {
            items, vanished, ..
        } = &mut *state;
        if operand.kind == OperandKind::Number
            && operand.last.start == span.end
            && let Some(Item {
                kind: ItemKind::Number(literal),
                span: place,
            }) = items.last_mut()
        {
            literal.value = -literal.value;
            if let Some(lost) = vanished.last_mut().filter(|lost| *lost == place) {
                *lost = span.to(*place);
            }
            *place = span.to(*place);
            return Operand {
                kind: OperandKind::Negative,
                ..operand
            };
        }
        drop(state);
        self.apply(Head::Operator(precedence::minus()), 1, span);
        Operand {
            kind: OperandKind::Other,
            ..operand
        }
    }

    fn infix(&self, left: Operand, sign: &Pair<'_, Rule>, right: Operand) -> Operand {
        let span = self.span(sign);
        let rule = sign.as_rule();
        let text = if rule == Rule::times {
            "*"
        } else {
            span.of(self.text)
        };
        let kind = match rule {
            Rule::comparison => OperandKind::Comparison,
            Rule::range => OperandKind::Range,
            _ => OperandKind::Other,
        };
        if kind != OperandKind::Other && left.kind == kind
            || rule == Rule::power && left.kind == OperandKind::Superscript
        {
            self.refuse(
                span,
                if kind == OperandKind::Other {
                    "@raised"
                } else {
                    "@chain"
                },
            );
        }
        if left.kind == OperandKind::Single
            && precedence::between(text).is_some_and(|operator| operator.spelling == "*")
        {
            self.check_repetition(left, span);
        }
        if rule == Rule::times {
            self.check_factor(left);
            self.apply(Head::Operator(times()), 2, left.last);
        } else if rule == Rule::range {
            self.apply(Head::Range, 2, span);
        } else if let Some(operator) = precedence::between(text) {
            self.apply(Head::Operator(operator), 2, span);
        }
        Operand {
            kind,
            divides: right.divides || rule == Rule::power || matches!(text, "/" | "%" | "÷"),
            ..right
        }
    }

    /// `[0]*3`, `[1]*n`: in Python a list of so many items.
    fn check_repetition(&self, list: Operand, sign: Span) {
        let rest = self.text[sign.end as usize..].trim_start();
        let is_number = rest.starts_with(|c: char| c.is_ascii_digit());
        let is_name = rest.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let before = self.text[..list.last.start as usize].trim_end();
        let item = before.rsplit(['[', '-', ' ']).next().unwrap_or_default();
        // With 0 and 1 a product would be of no use.
        let useless = item
            .parse::<f64>()
            .is_ok_and(|item| item == 0.0 || item == 1.0);
        if is_number || useless && is_name {
            self.refuse(sign, "@repeated");
        }
    }

    /// `1/2x`, `0xfg`, `2_x`
    fn check_factor(&self, factor: Operand) {
        let next = self.text[factor.last.end as usize..]
            .chars()
            .next()
            .unwrap_or_default();
        let digits = factor.last.of(self.text);
        let based = match digits {
            "0" => matches!(next, 'x' | 'X' | 'b' | 'B' | 'o' | 'O'),
            _ => matches!(digits.as_bytes().get(1), Some(b'x' | b'X' | b'b' | b'B')),
        };
        if next == '_' {
            self.refuse(factor.last.behind(), "@digits");
        } else if based && !matches!(next, '(' | '√') {
            self.refuse(factor.last.behind(), "@half");
        } else if factor.divides {
            self.refuse(factor.last, "@factor");
        }
    }

    fn postfix(&self, operand: Operand, pair: Pair<'_, Rule>) -> Operand {
        let span = self.span(&pair);
        let rule = pair.as_rule();
        if operand.kind == OperandKind::Superscript {
            self.refuse(span, "@raised");
        }
        let kind = match rule {
            Rule::factorial => {
                if operand.kind == OperandKind::Factorial {
                    self.refuse(span, "@factorial");
                }
                self.apply(Head::Operator(precedence::factorial()), 1, span);
                OperandKind::Factorial
            }
            Rule::superscript => {
                let digits: String = span.of(self.text).chars().map(number::plain).collect();
                let literal = self.literal(&digits, span);
                self.push(ItemKind::Number(literal), span);
                if let Some(power) = precedence::between("^") {
                    self.apply(Head::Operator(power), 2, span);
                }
                OperandKind::Superscript
            }
            Rule::former => {
                let number = self.id(span.of(self.text), span);
                if operand.kind != OperandKind::Name || operand.last.end != span.start {
                    self.refuse(span, "@operator");
                }
                if let Some(item) = self.state.borrow_mut().items.last_mut()
                    && let ItemKind::Name(name) = item.kind
                {
                    item.kind = ItemKind::Former(name, number);
                    item.span = item.span.to(span);
                }
                OperandKind::Former
            }
            Rule::per_cent => {
                if !matches!(operand.kind, OperandKind::Number | OperandKind::Negative)
                    || operand.last.end != span.start
                {
                    self.refuse(span, "`%` comes directly after its number");
                }
                let mut state = self.state.borrow_mut();
                let place = state.items.len().saturating_sub(1);
                state.per_cent.push(place);
                OperandKind::Other
            }
            Rule::index => {
                self.index(operand, pair, span);
                OperandKind::Bracket
            }
            Rule::call => {
                if operand.kind != OperandKind::Name {
                    self.refuse(span, "@operator");
                }
                self.call(pair, span);
                OperandKind::Bracket
            }
            _ => self.member(pair),
        };
        let last = match kind {
            OperandKind::Bracket | OperandKind::Single => Span {
                start: span.end - 1,
                ..span
            },
            _ => span,
        };
        Operand {
            kind,
            last,
            ..operand
        }
    }

    /// `w[2]`
    fn index(&self, list: Operand, pair: Pair<'_, Rule>, span: Span) {
        let may = matches!(
            list.kind,
            OperandKind::Name
                | OperandKind::Former
                | OperandKind::Result
                | OperandKind::Bracket
                | OperandKind::Single
        );
        if !may || list.last.end != span.start {
            self.refuse(span, "@index");
        }
        for position in expressions(pair.into_inner()) {
            if self.operand(position.into_inner()).kind == OperandKind::Negative {
                self.refuse(span.starting(span.start + 1), "@position");
            }
        }
        self.apply(Head::Index, 2, span);
    }

    /// `f(x)`, `f''(x)`: the name is the last item.
    fn call(&self, pair: Pair<'_, Rule>, span: Span) {
        let last = self.state.borrow_mut().items.pop();
        let Some(Item {
            kind: ItemKind::Name(name),
            span: word,
        }) = last
        else {
            return;
        };
        let mut inner = pair.into_inner();
        let mut primes = 0;
        let mut open = span;
        if let Some(first) = inner.peek()
            && first.as_rule() == Rule::primes
        {
            inner.next();
            primes = first.as_str().chars().count();
            open = self.opening(self.span(&first).end);
        }
        if primes > usize::from(u8::MAX) {
            self.refuse(span, "a function has at most 255 primes");
        }
        match self.several(inner, open.to(span.behind())) {
            0 => self.refuse(span, "@arguments"),
            count => self.apply(Head::Function(name, primes as u8), count, word),
        }
    }

    /// The bracket behind `at`.
    fn opening(&self, at: u32) -> Span {
        let rest = &self.text[at as usize..];
        let at = at as usize + rest.find('(').unwrap_or_default();
        Span::new(at, at)
    }

    /// `.data`, `.tanh()`
    fn member(&self, pair: Pair<'_, Rule>) -> OperandKind {
        let called = pair.as_str().ends_with(')');
        let mut inner = pair.into_inner();
        let Some(method) = inner.next() else {
            return OperandKind::Other;
        };
        let span = self.span(&method);
        let word = Span {
            start: span.start + 1,
            ..span
        };
        if !called {
            match Property::named(word.of(self.text)) {
                Some(property) => self.push(ItemKind::Property(property), span),
                None => self.refuse(span, "@member"),
            }
            return OperandKind::Property;
        }
        if inner.clone().any(|pair| pair.as_rule() == Rule::each) {
            self.refuse(span, "a `for` is the only argument");
        }
        let count = self.several(inner, span);
        self.apply(Head::Function(word.of(self.text), 0), 1 + count, word);
        OperandKind::Bracket
    }

    /// Expressions between brackets, or one with a `for`; returns how many.
    fn several(&self, pairs: Pairs<'_, Rule>, brackets: Span) -> u32 {
        let mut each = pairs.clone();
        if let (Some(body), Some(each)) = (each.next(), each.next())
            && each.as_rule() == Rule::each
        {
            self.each(body, each, brackets);
            return 1;
        }
        let operands = expressions(pairs).map(|pair| self.operand(pair.into_inner()));
        operands.count() as u32
    }

    /// `[1, 2]`, `[1..n]`, `[x^2 for x in xs]`
    fn list(&self, pair: Pair<'_, Rule>, span: Span) -> OperandKind {
        let inner = pair.into_inner();
        let ahead = inner.clone().nth(1).map(|second| second.as_rule());
        if ahead == Some(Rule::each) {
            self.several(inner, span);
            return OperandKind::Bracket;
        }
        let range = ahead == Some(Rule::list_close);
        let operands = expressions(inner).map(|pair| self.operand(pair.into_inner()).kind);
        let kinds: Vec<OperandKind> = operands.collect();
        match kinds[..] {
            // `[1..3]` is the range itself.
            [OperandKind::Range] if range => return OperandKind::Bracket,
            _ => self.apply(Head::List, kinds.len() as u32, span),
        }
        match kinds[..] {
            [OperandKind::Number | OperandKind::Negative] => OperandKind::Single,
            _ => OperandKind::Bracket,
        }
    }

    /// `E for x in xs`: the list goes before its body.
    fn each(&self, body: Pair<'_, Rule>, each: Pair<'_, Rule>, brackets: Span) {
        let outside = std::mem::take(&mut self.state.borrow_mut().loops);
        let mut variables: Vec<Item<'t>> = Vec::new();
        let mut word = self.span(&each);
        for pair in each.into_inner() {
            let span = self.span(&pair);
            match pair.as_rule() {
                Rule::name => {
                    let kind = ItemKind::Variable(name(span.of(self.text)));
                    if variables.iter().any(|other| other.kind == kind) {
                        self.refuse(span, "two items of one name");
                    }
                    variables.push(Item { kind, span });
                }
                Rule::r#in => word.end = span.end,
                Rule::expression => {
                    self.operand(pair.into_inner());
                }
                _ => {}
            }
        }
        let count = variables.len() as u32;
        self.state.borrow_mut().items.extend(variables);
        self.push(ItemKind::Each(count), word);
        self.operand(body.into_inner());
        let mut state = self.state.borrow_mut();
        let nested = 1 + state.loops;
        state.loops = outside.max(nested);
        drop(state);
        if nested > MAX_LOOPS {
            self.refuse(word, "`for` is nested too deep");
        }
        self.apply(Head::Collect, 2, brackets);
    }
}

/// Those of the pairs that are expressions.
fn expressions<'p>(pairs: Pairs<'p, Rule>) -> impl Iterator<Item = Pair<'p, Rule>> {
    pairs.filter(|pair| pair.as_rule() == Rule::expression)
}

/// What a coefficient does.
fn times() -> &'static Operator {
    precedence::between("*").unwrap_or_else(precedence::minus)
}

//! Makes the items of an expression, in postfix order, from pest's pairs.
//!
//! pest's `PrattParser` knows how tightly each operator binds. It calls functions here for the left operand, then for
//! the right one, and then for their operator, which is postfix order.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use pest::iterators::{Pair, Pairs};

use super::errors;
use super::name::name_in_tree;
use crate::error::SyntaxError;
use crate::grammar::Rule;
use crate::lexer::{check_depth, code, words};
use crate::limits::MAX_CHAIN;
use crate::number;
use crate::precedence::{self, PRATT};
use crate::tree::{Expression, Head, Item, ItemKind, Literal, NETWORK_PARTS, Property, Span};

/// Python's words for the number of items.
const LENGTHS: [&str; 5] = ["shape", "len", "length", "size", "count"];

/// Methods that take all numbers of a list, whatever its shape, as numpy's do.
const FOLDS: [&str; 6] = ["sum", "mean", "max", "min", "prod", "std"];

/// Modules of Python, whose members are read as paths: `np.pi`, `np.random.normal(0, 1)`.
const MODULES: [&str; 7] = ["math", "np", "numpy", "torch", "cmath", "F", "random"];

/// What kind of token an operand ends with, or what its loosest operator is.
#[derive(Clone, Copy, PartialEq)]
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
    Range,
    /// `5%`
    PerCent,
    /// Python's `a > 0 and b > 0`, which is 1 or 0
    Truth,
    /// Python's `a if b > 0`, which `else` follows
    Chosen,
    /// Something with an operator.
    Other,
}

/// An operand that has been read, for checks of what follows it.
#[derive(Clone, Copy)]
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

impl Operand {
    fn new(kind: OperandKind, span: Span, last: Span, first: usize) -> Operand {
        Operand {
            kind,
            span,
            last,
            sign: last,
            divides: None,
            first,
        }
    }
}

/// Reads a statement, or a part of one.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) region: Span,
    /// The region as the grammar reads it.
    pub(super) plain: Cow<'t, str>,
    /// Whether it is a line of a block.
    pub(super) in_code: Cell<bool>,
    pub(super) state: RefCell<TreeState<'t>>,
}

#[derive(Default)]
pub(super) struct TreeState<'t> {
    pub(super) items: Vec<Item<'t>>,
    per_cent: Vec<usize>,
    /// The label of the `Value` that is read, and its place.
    pub(super) label: Option<(&'t str, Span)>,
    pub(super) error: Option<SyntaxError>,
}

impl<'t> Reader<'t> {
    /// Every text that pest reads comes through here.
    ///
    /// # Errors
    /// If its brackets are nested too deep: pest would overflow the stack, because it recurses for each of them.
    pub(super) fn new(text: &'t str, span: Span) -> Result<Reader<'t>, SyntaxError> {
        let (region, plain) = code(text, span);
        check_depth(&plain, region.start)?;
        Ok(Reader {
            text,
            region,
            plain,
            in_code: Cell::default(),
            state: RefCell::default(),
        })
    }

    /// Reads pairs as an expression. Returns also which of its literals have a `%`.
    pub(super) fn read(
        &self,
        pairs: Pairs<'_, Rule>,
    ) -> Result<(Expression<'t>, Vec<usize>), SyntaxError> {
        let start = pairs.peek().map_or(0, |first| self.span(&first).start);
        self.state.borrow_mut().items.reserve(pairs.len());
        let operand = self.operand(pairs);
        let state = std::mem::take(&mut *self.state.borrow_mut());
        if let Some(error) = state.error {
            return Err(error);
        }
        let expression = Expression {
            items: state.items,
            span: operand.last.starting_at(start),
        };
        Ok((expression, state.per_cent))
    }

    pub(super) fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        Span::new(span.start(), span.end()).shift(self.region.start)
    }

    pub(super) fn push(&self, kind: ItemKind<'t>, span: Span) {
        self.state.borrow_mut().items.push(Item { kind, span });
    }

    pub(super) fn apply(&self, head: Head<'t>, operands: u32, span: Span) {
        self.push(ItemKind::Apply(head, operands), span);
    }

    /// Refuses the tree by a row of the table of errors, which quotes `parts` of the text. The first error counts.
    pub(super) fn refuse(&self, row: &str, parts: &[(&str, Span)]) {
        let mut state = self.state.borrow_mut();
        state
            .error
            .get_or_insert_with(|| errors::tree_error(self.text, row, parts));
    }

    /// Refuses an operand together with what follows it: a sign and another operand, or an index, which is both `next` and
    /// `right`.
    fn refuse_both(&self, row: &str, left: Operand, next: Span, right: Span) {
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
        self.refuse(row, &parts);
    }

    pub(super) fn operand(&self, pairs: Pairs<'_, Rule>) -> Operand {
        if pairs.len() > MAX_CHAIN
            && let Some(span) = self.find_too_long_chain(pairs.clone())
        {
            self.refuse("@long", &[("next", span)]);
            return Operand::new(OperandKind::Other, span, span, 0);
        }
        // The reader goes with each operand, so that the closures hold nothing and pest boxes them without an allocation.
        let (_, read) = PRATT
            .map_primary(|pair| (self, self.primary(pair)))
            .map_prefix(|sign, (reader, operand)| (reader, reader.prefix(&sign, operand)))
            .map_postfix(|(reader, operand), pair| (reader, reader.postfix(operand, pair)))
            .map_infix(|(reader, left), sign, (_, right)| {
                (reader, reader.infix(left, &sign, right))
            })
            .parse(pairs);
        if read.kind == OperandKind::Chosen {
            self.refuse_at(read.sign.start);
        }
        read
    }

    /// Refuses the text at a place, as if the grammar had stopped there.
    pub(super) fn refuse_at(&self, at: u32) {
        let mut state = self.state.borrow_mut();
        state
            .error
            .get_or_insert_with(|| errors::text_error(self.text, self.region, at, |_| true));
    }

    /// Where a chain of `^`, signs and roots exceeds its limit. Without the limit pest would overflow the stack, because it
    /// recurses for each of them.
    fn find_too_long_chain(&self, pairs: Pairs<'_, Rule>) -> Option<Span> {
        let (mut length, mut choices) = (0, 0);
        for pair in pairs {
            match pair.as_rule() {
                Rule::py_else => choices += 1,
                Rule::power | Rule::minus | Rule::root | Rule::py_not => length += 1,
                Rule::sum | Rule::product | Rule::times | Rule::comparison | Rule::range => {
                    length = 0;
                }
                _ => {}
            }
            if length.max(choices) > MAX_CHAIN {
                return Some(self.span(&pair));
            }
        }
        None
    }

    fn primary(&self, pair: Pair<'_, Rule>) -> Operand {
        let span = self.span(&pair);
        let text = span.of(self.text);
        let mut last = span;
        let first = self.item_count();
        let kind = match pair.as_rule() {
            Rule::number => {
                let literal = self.literal(text, span);
                self.push(ItemKind::Number(literal), span);
                OperandKind::Number
            }
            Rule::name => {
                self.push(ItemKind::Name(name_in_tree(text)), span);
                OperandKind::Name
            }
            Rule::node => {
                self.push(ItemKind::Id(self.id(text, span)), span);
                OperandKind::Id
            }
            Rule::quoted => {
                let words = words::strip_quotes(text).unwrap_or_default();
                self.push(ItemKind::Text(words), span);
                OperandKind::Bracket
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
                    self.group(pair, span)
                }
            }
        };
        Operand::new(kind, span, last, first)
    }

    /// The number of items.
    pub(super) fn item_count(&self) -> usize {
        self.state.borrow().items.len()
    }

    /// `(a + b)`; Python's `(a, b)` and `(x^2 for x in xs)`, which are lists
    fn group(&self, pair: Pair<'_, Rule>, span: Span) -> OperandKind {
        let inner = pair.into_inner();
        let comma = inner.clone().find(|pair| pair.as_rule() == Rule::comma);
        let has_comma = comma.is_some();
        // `(1,5)` may be meant as 1.5.
        let is_decimal = |text: &str| {
            let inside = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
            let digits = |text: &str| text.bytes().all(|it| it.is_ascii_digit());
            inside
                .and_then(|inside| inside.split_once(','))
                .is_some_and(|(whole, rest)| digits(whole) && digits(rest) && !rest.is_empty())
        };
        let is_code = self.in_code.get();
        if let Some(comma) = comma.filter(|_| !is_code && is_decimal(span.of(self.text))) {
            self.refuse_at(self.span(&comma).start);
        }
        let kinds = self.operands(inner, span);
        if has_comma {
            self.apply(Head::List, kinds.len() as u32, span);
        }
        match kinds[..] {
            [OperandKind::Truth] => OperandKind::Truth,
            _ => OperandKind::Bracket,
        }
    }

    fn literal(&self, text: &str, span: Span) -> Literal {
        match number::value(text) {
            Ok(literal) => literal,
            Err(row) => {
                self.refuse(row, &[("next", span)]);
                Literal {
                    value: 0.0,
                    point: false,
                }
            }
        }
    }

    /// The number after `@` or `$`.
    fn id(&self, text: &str, span: Span) -> u32 {
        text[1..].parse().unwrap_or_else(|_| {
            self.refuse("@id", &[("next", span)]);
            0
        })
    }

    /// `-a`, `√a`. A minus directly before a literal belongs to it.
    fn prefix(&self, sign: &Pair<'_, Rule>, operand: Operand) -> Operand {
        let sign_span = self.span(sign);
        let whole = Operand {
            kind: OperandKind::Other,
            span: sign_span.to(operand.span),
            ..operand
        };
        if sign.as_rule() == Rule::py_not {
            return self.negate_truth(sign_span, operand);
        }
        if sign.as_rule() == Rule::root {
            self.apply(Head::Function("sqrt", 0), 1, sign_span);
            return Operand {
                divides: Some(sign_span),
                ..whole
            };
        }
        if operand.kind == OperandKind::Number && operand.last.start == sign_span.end {
            self.negate(sign_span);
            return Operand {
                kind: OperandKind::Negative,
                ..whole
            };
        }
        self.apply(Head::Operator(precedence::minus_sign()), 1, sign_span);
        whole
    }

    /// Puts the minus into the literal read last.
    fn negate(&self, minus: Span) {
        let mut state = self.state.borrow_mut();
        if let Some(Item {
            kind: ItemKind::Number(literal),
            span,
        }) = state.items.last_mut()
        {
            literal.value = -literal.value;
            *span = minus.to(*span);
        }
    }

    fn infix(&self, left: Operand, sign: &Pair<'_, Rule>, right: Operand) -> Operand {
        let span = self.span(sign);
        let rule = sign.as_rule();
        if matches!(
            rule,
            Rule::py_and | Rule::py_or | Rule::py_if | Rule::py_else
        ) {
            return self.word_operator(left, rule, span, right);
        }
        let text = match rule {
            Rule::times => "*",
            _ => span.of(self.text),
        };
        let kind = match rule {
            Rule::comparison => OperandKind::Comparison,
            Rule::range => OperandKind::Range,
            _ => OperandKind::Other,
        };
        self.check_infix(left, rule, span, right);
        let head = precedence::infix_operator(text).map_or(Head::Range, Head::Operator);
        let place = if rule == Rule::times { left.last } else { span };
        self.apply(head, 2, place);
        let divides = rule == Rule::power || matches!(text, "/" | "%" | "÷");
        Operand {
            kind,
            span: left.span.to(right.span),
            last: right.last,
            sign: span,
            divides: right.divides.or(divides.then_some(span)),
            first: left.first,
        }
    }

    pub(super) fn operator(&self, spelling: &str, span: Span) {
        if let Some(operator) = precedence::infix_operator(spelling) {
            self.apply(Head::Operator(operator), 2, span);
        }
    }

    /// Refuses what a reader might read in another way than the grammar does.
    fn check_infix(&self, left: Operand, rule: Rule, sign: Span, right: Operand) {
        let row = match (rule, left.kind) {
            (Rule::comparison, OperandKind::Comparison) => "@comparisons",
            (Rule::range, OperandKind::Range) => "@ranges",
            (Rule::power, OperandKind::Superscript) => "@raised",
            (Rule::sum, OperandKind::Other) if right.kind == OperandKind::PerCent => {
                "@share of a sum"
            }
            (Rule::sum, _) if right.kind == OperandKind::PerCent => "@share",
            (Rule::product | Rule::sum, _) => return self.check_lists(left, sign, right),
            (Rule::times, OperandKind::Number) if self.is_short_uncertainty(left, right) => {
                "@short"
            }
            (Rule::times, _) => return self.check_factor(left, right),
            _ => return,
        };
        self.refuse_both(row, left, sign, right.span);
    }

    /// Whether it is `1.00(2)`, as tables write 1.00 ± 0.02, or `12.5(1.5)`.
    fn is_short_uncertainty(&self, number: Operand, bracket: Operand) -> bool {
        let bracket = bracket.span.of(self.text);
        let digits = bracket
            .strip_prefix('(')
            .and_then(|it| it.strip_suffix(')'));
        let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'.';
        number.span.of(self.text).contains('.') && digits.is_some_and(|it| it.bytes().all(is_digit))
    }

    /// Refuses `[0]*3` and `[a] + [b]`, and in code `[a, b]*n` and `x + [b]`: Python repeats and joins lists. Whether the
    /// `n` of `[0]*n` is a number is known only when the session builds the statement.
    fn check_lists(&self, left: Operand, sign: Span, right: Operand) {
        let in_code = self.in_code.get();
        let is_list = |end: usize| {
            let last = self.state.borrow().items[..end].last().copied();
            last.is_some_and(|last| last.kind.is_written_list())
        };
        let (is_left, is_right) = (|| is_list(right.first), || is_list(self.item_count()));
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
            _ => return,
        };
        let is_named = row == "@joined" && other.kind == OperandKind::Name;
        let row = if is_named { "@added" } else { row };
        self.refuse_both(row, list, sign, other.span);
    }

    /// Refuses a coefficient that can be misread: `1/2x`, `0xfg`, `2_x`.
    fn check_factor(&self, factor: Operand, right: Operand) {
        let next = right.span.of(self.text).chars().next();
        let next = next.unwrap_or_default();
        let digits = factor.last.of(self.text);
        let based = match digits {
            "0" => matches!(next, 'x' | 'X' | 'b' | 'B' | 'o' | 'O'),
            _ => digits.starts_with('0') && digits.contains(['x', 'X', 'b', 'B']),
        };
        if based && !matches!(next, '(' | '√') {
            let run = errors::number_run(self.text, factor.last);
            self.refuse("@half", &[("run", run)]);
        } else if let Some(sign) = factor.divides {
            let factor = Operand { sign, ..factor };
            self.refuse_both("@factor", factor, sign, right.span);
        }
    }

    fn postfix(&self, operand: Operand, pair: Pair<'_, Rule>) -> Operand {
        let span = self.span(&pair);
        let refuse = |row| self.refuse_both(row, operand, span, span);
        let rule = pair.as_rule();
        let binds_tighter = matches!(rule, Rule::factorial | Rule::superscript | Rule::member);
        if binds_tighter && operand.kind == OperandKind::Superscript {
            refuse("@raised");
        }
        let kind = match rule {
            Rule::factorial => {
                if operand.kind == OperandKind::Factorial {
                    refuse("@factorial");
                }
                self.apply(Head::Operator(precedence::factorial()), 1, span);
                OperandKind::Factorial
            }
            Rule::superscript => {
                let digits: String = span
                    .of(self.text)
                    .chars()
                    .map(number::superscript_digit)
                    .collect();
                let literal = self.literal(&digits, span);
                self.push(ItemKind::Number(literal), span);
                self.operator("^", span);
                OperandKind::Superscript
            }
            Rule::former => {
                let number = self.id(span.of(self.text), span);
                if operand.kind != OperandKind::Name || operand.last.end != span.start {
                    refuse("@operator");
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
                if !matches!(operand.kind, OperandKind::Number | OperandKind::Negative) {
                    refuse("@percent");
                } else if operand.last.end != span.start {
                    refuse("@percent apart");
                }
                let mut state = self.state.borrow_mut();
                let place = state.items.len().saturating_sub(1);
                state.per_cent.push(place);
                OperandKind::PerCent
            }
            Rule::py_missing => {
                if operand.kind != OperandKind::Name {
                    self.refuse_at(span.start);
                }
                let is_missing = pair.into_inner().next().is_none();
                let mut state = self.state.borrow_mut();
                if let Some(item) = state.items.last_mut()
                    && let ItemKind::Name(name) = item.kind
                {
                    item.kind = ItemKind::Missing(name, is_missing);
                }
                OperandKind::Truth
            }
            Rule::index => {
                self.index(operand, pair, span);
                OperandKind::Bracket
            }
            Rule::call if operand.kind == OperandKind::Name => {
                self.call(operand, pair, span);
                OperandKind::Bracket
            }
            Rule::call => {
                let primes = pair.into_inner().next();
                match primes.filter(|first| first.as_rule() == Rule::primes) {
                    Some(primes) => self.refuse("@prime", &[("next", self.span(&primes))]),
                    None => refuse("@operator"),
                }
                OperandKind::Bracket
            }
            _ => self.member(operand, pair),
        };
        let last = match kind {
            OperandKind::Bracket => span.starting_at(span.end - 1),
            _ => span,
        };
        Operand {
            kind,
            span: operand.span.to(span),
            last,
            ..operand
        }
    }

    /// `w[2]`, `W[0, 1]`, `w[1:3]`
    fn index(&self, list: Operand, pair: Pair<'_, Rule>, span: Span) {
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
        let inside: Vec<Pair<'_, Rule>> = pair.into_inner().collect();
        let comma = inside.iter().find(|part| part.as_rule() == Rule::comma);
        match (row, comma) {
            // `[[1, 2] [3, 4]]` lacks a comma.
            (row, Some(comma)) if row.is_some() || self.ends_with_list() => {
                self.refuse_at(self.span(comma).start);
            }
            (Some(row), _) => self.refuse_both(row, list, span, span),
            _ => {}
        }
        let is_colon = |part: &Pair<'_, Rule>| part.as_rule() == Rule::py_colon;
        let Some(colon) = inside.iter().position(is_colon) else {
            for position in expressions(inside.into_iter()) {
                self.operand(position.into_inner());
                self.apply(Head::Index, 2, span);
            }
            return;
        };
        let (begin, end) = (&inside[..colon], &inside[colon + 1..]);
        if let Some(comma) = comma {
            // `X[:, 0]` is a column of the rows.
            if colon > 0 || end[0] != *comma {
                self.refuse_at(self.span(comma).start);
            }
            self.apply(Head::Function("zip", 0), 1, span);
            for position in expressions(end.iter().cloned()) {
                self.operand(position.into_inner());
                self.apply(Head::Index, 2, span);
            }
            return;
        }
        if end.iter().any(is_colon) {
            self.refuse("@slice with steps", &[("all", span), ("left", list.span)]);
        }
        for (side, left_out) in [(begin, 0.0), (end, f64::INFINITY)] {
            match expressions(side.iter().cloned()).next() {
                Some(position) => drop(self.operand(position.into_inner())),
                None => self.push(Literal::plain(left_out), span),
            }
        }
        self.apply(Head::Slice, 3, span);
    }

    /// Whether the last operand is `[a, b]`.
    fn ends_with_list(&self) -> bool {
        let state = self.state.borrow();
        let last = state.items.last().map(|item| item.kind);
        matches!(last, Some(ItemKind::Apply(Head::List, _)))
    }

    /// `f(x)`, `f''(x)`: the name is the last item.
    fn call(&self, function: Operand, pair: Pair<'_, Rule>, span: Span) {
        let last = self.state.borrow_mut().items.pop();
        let Some(Item {
            kind: ItemKind::Name(name),
            span: word,
        }) = last
        else {
            return;
        };
        let mut primes = 0;
        for pair in pair.into_inner() {
            if pair.as_rule() == Rule::primes {
                primes = pair.as_str().chars().count();
                if primes > usize::from(u8::MAX) {
                    self.refuse_both("@primes", function, span, span);
                }
                continue;
            }
            let brackets = self.span(&pair);
            let count = self.operands(pair.into_inner(), brackets).len();
            match count {
                0 if primes > 0 => {
                    self.refuse_both("@arguments", function, brackets, span.behind());
                }
                count => {
                    if name == "Value" {
                        self.drop_name_of_number();
                    }
                    self.apply(Head::Function(name, primes as u8), count as u32, word);
                }
            }
            let label = self.state.borrow_mut().label.take();
            if let Some((label, place)) = label {
                if name != "Value" || count != 1 {
                    self.refuse_at(place.start);
                }
                self.apply(Head::Labelled(label), 1, word);
            }
        }
    }

    /// `.data`, `.tanh()`
    fn member(&self, owner: Operand, pair: Pair<'_, Rule>) -> OperandKind {
        let mut inner = pair.into_inner();
        let Some(method) = inner.next() else {
            return OperandKind::Other;
        };
        let span = self.span(&method);
        let word = span.starting_at(span.start + 1);
        let Some(arguments) = inner.next() else {
            let refuse = |row| self.refuse_both(row, owner, span, span);
            match Property::from_word(word.of(self.text)) {
                Some(property) => self.push(ItemKind::Property(property), span),
                // `np.pi` is a call without arguments, which the session looks up.
                None if self.is_module(owner) => {
                    self.state.borrow_mut().items.pop();
                    let path = owner.span.to(span);
                    self.apply(Head::Function(path.of(self.text), 0), 0, path);
                    return OperandKind::Bracket;
                }
                // What a line of code has no meaning for fails when it runs.
                None if matches!(owner.kind, OperandKind::Bracket | OperandKind::Name)
                    && (self.in_code.get() || NETWORK_PARTS.contains(&span.of(self.text))) =>
                {
                    self.apply(Head::Function(span.of(self.text), 0), 1, word);
                    return OperandKind::Bracket;
                }
                None if owner.kind == OperandKind::Number => refuse("@decimal"),
                None if LENGTHS.contains(&word.of(self.text)) => refuse("@length"),
                None => refuse("@member"),
            }
            return OperandKind::Property;
        };
        let arguments = arguments.into_inner();
        if let Some((body, each)) = repetition(&arguments) {
            let [body, each] = [self.span(&body), self.span(&each)];
            self.refuse("@each", &[("next", each), ("all", body.to(each))]);
        }
        let of_module = self.is_module(owner);
        if of_module {
            self.state.borrow_mut().items.pop();
        }
        // What a function of a module takes is Python's.
        let outside = self.in_code.get();
        self.in_code.set(outside || of_module);
        let count = self.operands(arguments, span).len() as u32;
        self.in_code.set(outside);
        let name = word.of(self.text);
        let axis = matches!(name, "sum" | "argmin" | "argmax") && count > 0;
        if of_module {
            let path = owner.span.to(span);
            self.apply(Head::Function(path.of(self.text), 0), count, path);
        } else if name == "std" && owner.span.of(self.text).starts_with("torch") {
            // That of a sample.
            self.apply(Head::Function("torch.std", 0), count + 1, word);
        } else if axis {
            self.refuse("@axis", &[("next", word), ("left", owner.span)]);
        } else if FOLDS.contains(&name) && count == 0 {
            self.apply(Head::Function(span.of(self.text), 0), 1, word);
        } else {
            self.apply(Head::Function(name, 0), count + 1, word);
        }
        OperandKind::Bracket
    }

    /// Whether the operand that was read last is one of the modules, or a part of one: `np.random`.
    fn is_module(&self, operand: Operand) -> bool {
        let state = self.state.borrow();
        let first = operand.span.of(self.text).split('.').next();
        state.items.len() == operand.first + 1
            && matches!(
                state.items[operand.first].kind,
                ItemKind::Name(_) | ItemKind::Apply(Head::Function(..), 0)
            )
            && first.is_some_and(|first| MODULES.contains(&first.trim_end()))
    }

    /// Reads the operands between brackets and returns their kinds. `E for x in xs` counts as one operand, a list.
    fn operands(&self, pairs: Pairs<'_, Rule>, brackets: Span) -> Vec<OperandKind> {
        if let Some((body, each)) = repetition(&pairs) {
            self.comprehension(body, each, brackets);
            return vec![OperandKind::Bracket];
        }
        let mut kinds = Vec::with_capacity(1);
        let mut has_named = false;
        for pair in pairs {
            match pair.as_rule() {
                Rule::expression if has_named => {
                    self.refuse("@unnamed", &[("next", self.span(&pair))]);
                }
                Rule::expression => kinds.push(self.operand(pair.into_inner()).kind),
                Rule::width => {
                    kinds.pop();
                    kinds.push(self.uncertainty(pair));
                }
                Rule::each => self.refuse("@round", &[("next", self.span(&pair))]),
                Rule::power_of_ten => self.apply_power_of_ten(self.span(&pair)),
                Rule::py_option | Rule::py_first_option => {
                    has_named = true;
                    kinds.extend(self.option(pair));
                }
                _ => {}
            }
        }
        kinds
    }

    /// `[1, 2]`, `[]`, `[1..n]`, `[x^2 for x in xs]`
    fn list(&self, pair: Pair<'_, Rule>, span: Span) -> OperandKind {
        let inner = pair.into_inner();
        let is_repeated = repetition(&inner).is_some();
        match self.operands(inner, span)[..] {
            _ if is_repeated => OperandKind::Bracket,
            // `[1..3]` is the range itself.
            [OperandKind::Range] => OperandKind::Bracket,
            [OperandKind::Number | OperandKind::Negative] => {
                self.apply(Head::List, 1, span);
                OperandKind::Single
            }
            ref kinds => {
                self.apply(Head::List, kinds.len() as u32, span);
                OperandKind::Bracket
            }
        }
    }

    /// `± 0.1` or `± 5%` after a part of an expression.
    fn uncertainty(&self, pair: Pair<'_, Rule>) -> OperandKind {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        inner.next();
        let per_cent = self.operand(inner).kind == OperandKind::PerCent;
        if per_cent {
            self.state.borrow_mut().per_cent.pop();
        }
        self.apply(Head::Uncertain { per_cent }, 2, span);
        OperandKind::Other
    }

    /// `(1.602 ± 0.002)e-19`: multiplies both literals by the power of ten.
    fn apply_power_of_ten(&self, power: Span) {
        let literals = match self.state.borrow().items[..] {
            [
                ..,
                Item {
                    kind: ItemKind::Number(number),
                    ..
                },
                Item {
                    kind: ItemKind::Number(width),
                    ..
                },
                Item {
                    kind: ItemKind::Apply(Head::Uncertain { per_cent: false }, _),
                    ..
                },
            ] => Some([number, width]),
            _ => None,
        };
        let Some(literals) = literals else {
            return self.refuse_at(power.start);
        };
        let first = self.item_count() - 3;
        for (place, literal) in (first..).zip(literals) {
            let text = format!("{}{}", literal.value, power.of(self.text));
            let literal = self.literal(&text, power);
            self.state.borrow_mut().items[place].kind = ItemKind::Number(literal);
        }
    }

    /// `E for x in xs`. In the tree the list comes before the body.
    fn comprehension(&self, body: Pair<'_, Rule>, each: Pair<'_, Rule>, brackets: Span) {
        let mut variables: Vec<Item<'t>> = Vec::new();
        let mut word = self.span(&each);
        for pair in each.into_inner() {
            let span = self.span(&pair);
            match pair.as_rule() {
                Rule::name => {
                    let kind = ItemKind::Variable(name_in_tree(span.of(self.text)));
                    if let Some(first) = variables.iter().find(|other| other.kind == kind) {
                        self.refuse("@item", &[("next", span), ("first", first.span)]);
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
        self.apply(Head::Collect, 2, brackets);
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

//! Applies the signs, brackets and members that follow an operand: `x!`, `x²`, `a@1`, `w[2]`, `f(x)`, `a.tanh()`.

use super::brackets::repetition;
use super::expression::{Operand, OperandKind, Parsed, TreeReader, expressions};
use super::name::kept_name;
use crate::grammar::{Pair, Pairs, Rule};
use crate::number;
use crate::precedence;
use crate::tree::{Head, Item, ItemKind, Literal, NETWORK_PARTS, Name, Property, Span};

/// Python's words for the number of items.
const LENGTHS: [&str; 5] = ["shape", "len", "length", "size", "count"];

/// Functions that take all numbers of a list, whatever its shape, as methods and in numpy.
pub const FOLDS: [&str; 9] = [
    "sum", "mean", "max", "min", "prod", "std", "median", "argmax", "argmin",
];

/// Modules of Python, whose members are read as paths: `np.pi`, `np.random.normal(0, 1)`.
const MODULES: [&str; 7] = ["math", "np", "numpy", "torch", "cmath", "F", "random"];

/// Python's class of a number: `Value(2, label='a')`.
const VALUE_CLASS: &str = "Value";

impl TreeReader<'_, '_> {
    /// Applies a postfix to the operand that was read last.
    pub(super) fn postfix(&mut self, operand: Operand, pair: Pair<'_>) -> Parsed<Operand> {
        let span = self.span(&pair);
        if let Some(row) = wrong_postfix(operand, pair.as_rule(), span) {
            return self.error_of_both(row, operand, span, span);
        }
        let kind = self.apply_postfix(operand, pair, span)?;
        let last_token = match kind {
            OperandKind::Bracket => span.starting_at(span.end - 1),
            _ => span,
        };
        Ok(Operand {
            kind,
            span: operand.span.to(span),
            last_token,
            ..operand
        })
    }

    /// Adds the items of a postfix, whose operand is pushed already. Returns the kind of both together.
    fn apply_postfix(
        &mut self,
        operand: Operand,
        pair: Pair<'_>,
        span: Span,
    ) -> Parsed<OperandKind> {
        Ok(match pair.as_rule() {
            Rule::factorial => {
                self.apply(Head::Operator(precedence::factorial()), 1, span);
                OperandKind::Factorial
            }
            // `x²` is `x^2`.
            Rule::superscript => {
                self.check_comma(operand)?;
                let signs = span.of(self.text).chars();
                let digits: String = signs.map(number::superscript_digit).collect();
                self.push(ItemKind::Number(self.literal(&digits, span)?), span);
                self.operator("^", span);
                OperandKind::Superscript
            }
            // `a@1` is one item, so it replaces the item of `a`.
            Rule::former => {
                let number = self.id(span)?;
                let (name, word) = self.take_name();
                self.push(ItemKind::Former(name, number), word.to(span));
                OperandKind::Former
            }
            // `5%`: the literal is the last item. Only the width of a measured value may have the sign: `2 ± 5%`.
            Rule::per_cent => {
                self.per_cent.push(self.items.len() - 1);
                OperandKind::PerCent
            }
            // `x is None` and `x is not None` are comparisons with the name `None`.
            Rule::py_missing => {
                if operand.kind != OperandKind::Name {
                    return Err(self.source.error_at(span.start));
                }
                let has_not = pair.into_inner().next().is_some();
                self.push(ItemKind::Name("None"), span);
                self.operator(if has_not { "!=" } else { "==" }, span);
                OperandKind::Truth
            }
            Rule::index => self.index(operand, pair, span)?,
            Rule::call => self.call(operand, pair, span)?,
            Rule::member => self.member(operand, pair)?,
            _ => unreachable!("no other rule is a postfix"),
        })
    }

    /// Removes the item of the name that was read last, and returns the name.
    fn take_name(&mut self) -> (Name, Span) {
        match self.items.pop() {
            Some(Item {
                kind: ItemKind::Name(name),
                span,
            }) => (name, span),
            _ => unreachable!("the operand is a name"),
        }
    }

    /// Applies the index of `w[2]`, `W[0, 1]` or `w[1:3]`.
    fn index(&mut self, list: Operand, pair: Pair<'_>, span: Span) -> Parsed<OperandKind> {
        let inner = pair.into_inner();
        let comma = inner.clone().find(|part| part.as_rule() == Rule::comma);
        let is_colon = |part: &Pair<'_>| part.as_rule() == Rule::py_colon;
        self.check_index(list, span, comma.as_ref())?;
        match inner.clone().filter(is_colon).count() {
            0 => self.positions(inner, span)?,
            1 | 2 if comma.is_none() => self.slice(inner, span)?,
            // `X[:, 0]` is a column: the index applies to the columns, which `zip` makes of the rows.
            1 => {
                self.apply(Head::Function("zip", 0), 1, span);
                self.positions(inner, span)?;
            }
            _ => return Err(self.source.error_at(span.start)),
        }
        Ok(OperandKind::Bracket)
    }

    /// Refuses an index after an operand that takes none.
    fn check_index(&self, list: Operand, span: Span, comma: Option<&Pair<'_>>) -> Parsed<()> {
        let row = wrong_index(list, span);
        let last = self.items.last().map(|item| item.kind);
        let is_typed_list = matches!(last, Some(ItemKind::Apply(Head::List, _)));
        // With a comma inside, the brackets are a second list: in `[[1, 2] [3, 4]]` a comma is missing before them.
        if let Some(comma) = comma
            && (row.is_some() || is_typed_list)
        {
            return Err(self.source.error_at(self.span(comma).start));
        }
        match row {
            Some(row) => self.error_of_both(row, list, span, span),
            None => Ok(()),
        }
    }

    /// Applies the positions `0, 1` of `W[0, 1]`, one after the other.
    fn positions(&mut self, inner: Pairs<'_>, span: Span) -> Parsed<()> {
        for position in expressions(inner) {
            self.operand(&mut position.into_inner())?;
            self.apply(Head::Index, 2, span);
        }
        Ok(())
    }

    /// Applies `1:5` or `1:5:2` of `w[1:5]`. A missing first position is infinitely far before the list, and a missing
    /// last one behind it.
    fn slice(&mut self, inner: Pairs<'_>, span: Span) -> Parsed<()> {
        let mut parts = inner.peekable();
        for default in [f64::NEG_INFINITY, f64::INFINITY] {
            if let Some(position) = parts.next_if(|part| part.as_rule() == Rule::expression) {
                self.operand(&mut position.into_inner())?;
            } else {
                self.push(Literal::plain(default), span);
            }
            // Skips the colon, or the closing bracket.
            parts.next();
        }
        let step = parts.next_if(|part| part.as_rule() == Rule::expression);
        let count = if step.is_some() { 4 } else { 3 };
        if let Some(step) = step {
            self.operand(&mut step.into_inner())?;
        }
        self.apply(Head::Slice, count, span);
        Ok(())
    }

    /// Applies a function to arguments: `f(x)`, `f''(x)`.
    fn call(&mut self, function: Operand, pair: Pair<'_>, span: Span) -> Parsed<OperandKind> {
        let mut inner = pair.into_inner().peekable();
        let primes = inner.next_if(|first| first.as_rule() == Rule::primes);
        let order = self.order_of_derivative(function, primes, span)?;
        let (name, word) = self.take_name();
        let arguments = inner.next().expect("a call has brackets");
        let brackets = self.span(&arguments);
        if name == "solve" && order == 0 && self.solution(arguments.clone().into_inner(), word)? {
            return Ok(OperandKind::Bracket);
        }
        let (count, _) = self.operands(arguments.into_inner(), brackets)?;
        if count == 0 && order > 0 {
            return self.error_of_both("@arguments", function, brackets, span.behind());
        }
        // `Value(data=2)` is `Value(2)`.
        let last = self.items.last().map(|item| item.kind);
        if name == VALUE_CLASS
            && let Some(ItemKind::Apply(Head::Named("data" | "value"), _)) = last
        {
            self.items.pop();
        }
        self.apply(Head::Function(name, order), count, word);
        self.apply_label(name, count, word)?;
        Ok(OperandKind::Bracket)
    }

    /// The number of primes in a call: 2 for `f''(x)`. Refuses a call of an operand that is not a name.
    fn order_of_derivative(
        &self,
        function: Operand,
        primes: Option<Pair<'_>>,
        span: Span,
    ) -> Parsed<u8> {
        if function.kind != OperandKind::Name {
            return match primes {
                Some(primes) => self.source.error("@prime", &[("next", self.span(&primes))]),
                None => self.error_of_both("@operator", function, span, span),
            };
        }
        let count = primes.map_or(0, |primes| primes.as_str().chars().count());
        match u8::try_from(count) {
            Ok(order) => Ok(order),
            Err(_) => self.error_of_both("@primes", function, span, span),
        }
    }

    /// Applies the option `label='a'` of the call that was read last. The reader of options has left it in
    /// `self.label`. Only a `Value` of one number has a label.
    fn apply_label(&mut self, function: &str, count: u32, word: Span) -> Parsed<()> {
        let Some((label, place)) = self.label.take() else {
            return Ok(());
        };
        if function != VALUE_CLASS || count != 1 {
            return Err(self.source.error_at(place.start));
        }
        self.apply(Head::Labelled(label), 1, word);
        Ok(())
    }

    /// Applies a member: `.data`, `.tanh()`.
    fn member(&mut self, owner: Operand, pair: Pair<'_>) -> Parsed<OperandKind> {
        let mut inner = pair.into_inner();
        let span = self.span(&inner.next().expect("a member has a name"));
        match inner.next() {
            Some(arguments) => self.method(owner, span, arguments.into_inner()),
            None => self.property(owner, span),
        }
    }

    /// Applies a member without brackets: `.data`, `np.pi`, `n.layers`. The span covers the point and the name.
    fn property(&mut self, owner: Operand, span: Span) -> Parsed<OperandKind> {
        let dotted_name = span.of(self.text);
        let word = span.starting_at(span.start + 1);
        if let Some(property) = Property::from_word(word.of(self.text)) {
            self.push(ItemKind::Property(property), span);
            return Ok(OperandKind::Property);
        }
        // In Python code any name may be a member: whether it exists is only known when the line runs. Elsewhere only
        // the parts of a network are members.
        let is_possible_member = self.is_python || NETWORK_PARTS.contains(&dotted_name);
        let can_have_members = matches!(
            owner.kind,
            OperandKind::Bracket | OperandKind::DecimalComma | OperandKind::Name
        );
        if self.is_module(owner) {
            // `np.pi` is a call without arguments, which the session looks up.
            let path = owner.span.to(span);
            self.items.pop();
            self.apply(Head::Function(kept_name(path.of(self.text)), 0), 0, path);
        } else if is_possible_member && can_have_members {
            self.apply(Head::Function(kept_name(dotted_name), 0), 1, word);
        } else {
            let row = match owner.kind {
                OperandKind::Number => "@decimal",
                _ if LENGTHS.contains(&word.of(self.text)) => "@length",
                _ => "@member",
            };
            return self.error_of_both(row, owner, span, span);
        }
        Ok(OperandKind::Bracket)
    }

    /// Applies a member with brackets: `.tanh()`, `np.tanh(x)`. The span covers the point and the name.
    fn method(&mut self, owner: Operand, span: Span, arguments: Pairs<'_>) -> Parsed<OperandKind> {
        if let Some((body, each)) = repetition(&arguments) {
            let [body, each] = [self.span(&body), self.span(&each)];
            let parts = [("next", each), ("all", body.to(each))];
            return self.source.error("@each", &parts);
        }
        if self.is_module(owner) {
            let path = owner.span.to(span);
            self.items.pop();
            // In the arguments of a function of a module, lists mean what they mean in Python.
            let was_python = std::mem::replace(&mut self.is_python, true);
            let (count, _) = self.operands(arguments, span)?;
            self.is_python = was_python;
            self.apply(
                Head::Function(kept_name(path.of(self.text)), 0),
                count,
                path,
            );
            return Ok(OperandKind::Bracket);
        }
        let (count, _) = self.operands(arguments, span)?;
        let word = span.starting_at(span.start + 1);
        let (function, operands) = match word.of(self.text) {
            // torch's `std` is that of a sample; numpy's is that of a population.
            "std" if owner.span.of(self.text).starts_with("torch") => ("torch.std", count + 1),
            // The argument of `W.sum(1)` is an axis, which these functions do not have.
            "sum" | "argmin" | "argmax" if count > 0 => {
                let parts = [("next", word), ("left", owner.span)];
                return self.source.error("@axis", &parts);
            }
            // A fold whose name keeps its point takes all numbers of a list, whatever the shape of the list.
            name if FOLDS.contains(&name) && count == 0 => (span.of(self.text), 1),
            name => (name, count + 1),
        };
        self.apply(Head::Function(kept_name(function), 0), operands, word);
        Ok(OperandKind::Bracket)
    }

    /// Whether the operand that was read last is one of the modules, or a part of one: `np.random`.
    fn is_module(&self, operand: Operand) -> bool {
        let [only] = &self.items[operand.first_item..] else {
            return false;
        };
        let is_path = matches!(
            only.kind,
            ItemKind::Name(_) | ItemKind::Apply(Head::Function(..), 0)
        );
        let first = operand.span.of(self.text).split('.').next();
        is_path && first.is_some_and(|first| MODULES.contains(&first.trim_end()))
    }
}

/// The row of the table of errors for a postfix that an operand cannot have.
fn wrong_postfix(operand: Operand, rule: Rule, span: Span) -> Option<&'static str> {
    // A blank stands between the operand and the postfix: `5 %`.
    let is_apart = operand.last_token.end != span.start;
    match (rule, operand.kind) {
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
    }
}

/// The row of the table of errors for an operand that cannot have an index.
fn wrong_index(list: Operand, span: Span) -> Option<&'static str> {
    match list.kind {
        OperandKind::Name
        | OperandKind::Former
        | OperandKind::Result
        | OperandKind::Bracket
        | OperandKind::DecimalComma
        | OperandKind::Truth
        | OperandKind::Single => (list.last_token.end != span.start).then_some("@index apart"),
        OperandKind::Factorial | OperandKind::Superscript => Some("@index of a power"),
        OperandKind::Property => Some("@index of a property"),
        OperandKind::Number | OperandKind::Negative => Some("@index of a number"),
        OperandKind::Id => Some("@index of a node"),
        _ => Some("@operator"),
    }
}

//! Applies the operators before and between operands, among them Python's `a if b else c` and `a and b`. Refuses
//! texts that people may read in a different way than the grammar does: `1/2x`, `a < b < c`, `[0]*3`.

use super::brackets::decimal_comma;
use super::errors;
use super::expression::{ComparedSide, Operand, OperandKind, Parsed, TreeReader};
use super::name::kept_name;
use crate::grammar::Rule;
use crate::precedence::{self, level};
use crate::tree::{Head, Item, ItemKind, Literal, Name, Span};

/// The most comparisons in a chain, `a < b < c`.
const MAX_CHAIN: usize = 100;

/// The function that `x in xs` calls.
const CONTAINED: &str = "is_in";

impl TreeReader<'_, '_> {
    /// Applies `-a`, `√a` or `not a`, which is `a == 0`. A minus directly before a literal becomes part of the literal.
    pub(super) fn prefix(&mut self, rule: Rule, sign: Span, operand: Operand) -> Parsed<Operand> {
        self.check_comma(operand)?;
        let mut kind = OperandKind::Other;
        let mut dividing_sign = operand.dividing_sign;
        match rule {
            Rule::py_not => {
                self.push(Literal::plain(0.0), sign);
                self.operator("==", sign);
                kind = OperandKind::Truth;
            }
            Rule::root => {
                self.apply(Head::Function("sqrt", 0), 1, sign);
                dividing_sign = Some(sign);
            }
            // `Rule::minus`
            _ => {
                if self.negate_literal(sign, operand) {
                    kind = OperandKind::Negative;
                } else {
                    self.apply(Head::Operator(precedence::minus_sign()), 1, sign);
                }
            }
        }
        Ok(Operand {
            kind,
            span: sign.to(operand.span),
            dividing_sign,
            ..operand
        })
    }

    /// Negates the operand if it is a literal directly after the sign. Returns whether it is.
    fn negate_literal(&mut self, sign: Span, operand: Operand) -> bool {
        match self.items.last_mut() {
            Some(Item {
                kind: ItemKind::Number(literal),
                span,
            }) if operand.kind == OperandKind::Number && span.start == sign.end => {
                literal.value = -literal.value;
                *span = sign.to(*span);
                true
            }
            _ => false,
        }
    }

    /// Applies an operator to the operands that were read last.
    pub(super) fn infix(
        &mut self,
        left: Operand,
        rule: Rule,
        sign: Span,
        right: Operand,
    ) -> Parsed<Operand> {
        let mut dividing_sign = None;
        let mut compared = ComparedSide::default();
        let kind = match rule {
            Rule::comparison | Rule::py_in | Rule::py_not_in => {
                compared = self.compare(left, rule, sign, right)?;
                OperandKind::Comparison
            }
            Rule::py_if | Rule::py_else | Rule::py_and | Rule::py_or => {
                self.word_operator(left, rule, sign, right)?
            }
            _ => {
                self.check_infix(left, rule, sign, right)?;
                dividing_sign = right.dividing_sign;
                if rule == Rule::power || matches!(sign.of(self.text), "/" | "//" | "%" | "÷") {
                    dividing_sign = dividing_sign.or(Some(sign));
                }
                self.apply_sign(left, rule, sign)
            }
        };
        Ok(Operand {
            kind,
            span: left.span.to(right.span),
            last_token: right.last_token,
            sign,
            dividing_sign,
            first_item: left.first_item,
            compared,
        })
    }

    /// Applies a comparison. `a < b < c` is `a < b and b < c`, except that `b` is computed once. Returns the items of the
    /// right side.
    fn compare(
        &mut self,
        left: Operand,
        rule: Rule,
        sign: Span,
        right: Operand,
    ) -> Parsed<ComparedSide> {
        let count = left.compared.count + 1;
        if left.kind != OperandKind::Comparison {
            let (from, to) = (right.first_item, self.items.len());
            self.apply_comparison(left, rule, sign);
            return Ok(ComparedSide { from, to, count });
        }
        // Each comparison moves the items of all earlier ones.
        if count > MAX_CHAIN {
            return self.error_of_both("@chain", left, sign, right.span);
        }
        let right_items = self.items.split_off(right.first_item);
        let mut left_items = self.items.split_off(left.first_item);
        let place = left.compared.from - left.first_item..left.compared.to - left.first_item;
        let mut middle = left_items[place.clone()].to_vec();
        let is_call = |it: &Item<Name>| matches!(it.kind, ItemKind::Apply(Head::Function(..), _));
        let has_call = middle.iter().any(is_call);
        if has_call {
            // The middle becomes the variable of a loop over a list of this one item.
            let all = left_items.iter().chain(&right_items);
            let mut names = (1..).map(|number| kept_name(&format!("v{number}")));
            let is_free = |name: &Name| all.clone().all(|it| it.kind != ItemKind::Name(*name));
            let name = names.find(is_free).unwrap_or_default();
            let (kind, span) = (ItemKind::Name(name), sign);
            let variable = Item { kind, span };
            left_items.splice(place, [variable]);
            self.items.append(&mut middle);
            self.apply(Head::List, 1, sign);
            self.push(ItemKind::Variable(name), sign);
            self.push(ItemKind::Each(1), sign);
            middle.push(variable);
        }
        self.items.append(&mut left_items);
        self.apply(Head::Then, 1, left.span);
        self.items.append(&mut middle);
        let from = self.items.len();
        self.items.extend(right_items);
        let to = self.items.len();
        self.apply_comparison(left, rule, sign);
        self.apply(Head::Else, 1, sign);
        self.push(ItemKind::Name("False"), sign);
        self.apply(Head::Choose, 3, sign);
        if has_call {
            self.apply(Head::Collect, 2, sign);
            self.push(Literal::plain(0.0), sign);
            self.apply(Head::Index, 2, sign);
        }
        Ok(ComparedSide { from, to, count })
    }

    /// Adds the items of a comparison of the two operands that were read last.
    fn apply_comparison(&mut self, left: Operand, rule: Rule, sign: Span) {
        if rule == Rule::comparison {
            self.apply_sign(left, rule, sign);
            return;
        }
        self.apply(Head::Function(CONTAINED, 0), 2, sign);
        if rule == Rule::py_not_in {
            self.push(Literal::plain(0.0), sign);
            self.operator("==", sign);
        }
    }

    /// Applies Python's `a and b`, `a or b`, or one of the two words of `a if b else c`. Returns the kind of the whole.
    fn word_operator(
        &mut self,
        left: Operand,
        rule: Rule,
        sign: Span,
        right: Operand,
    ) -> Parsed<OperandKind> {
        match (rule, left.kind) {
            (Rule::py_if, OperandKind::Chosen) => Err(self.source.error_at(sign.start)),
            (Rule::py_if, _) => {
                self.apply(Head::Then, 1, right.span);
                // In the tree, the condition comes before the value of the choice.
                let value_length = right.first_item - left.first_item;
                self.items[left.first_item..].rotate_left(value_length);
                self.apply(Head::Else, 1, sign);
                Ok(OperandKind::Chosen)
            }
            (Rule::py_else, OperandKind::Chosen) => {
                self.apply(Head::Choose, 3, left.sign);
                Ok(OperandKind::Other)
            }
            (Rule::py_else, _) => Err(self.source.error_at(sign.start)),
            _ => self.connect(left, rule, sign, right),
        }
    }

    /// Applies `a and b` or `a or b`. They become a choice, which evaluates its right side only if needed: `a and b` becomes
    /// `b if a else decided`, and `a or b` becomes `decided if a else b`. The number `decided` is the result if the left
    /// side decides.
    fn connect(
        &mut self,
        left: Operand,
        rule: Rule,
        sign: Span,
        right: Operand,
    ) -> Parsed<OperandKind> {
        let is_and = rule == Rule::py_and;
        let is_left_truth = self.is_truth(left, right.first_item);
        let are_truths = is_left_truth && self.is_truth(right, self.items.len());
        let item = |kind, span| Item { kind, span };
        let decided = match self.items[left.first_item..right.first_item] {
            _ if is_left_truth => item(ItemKind::Name(if is_and { "False" } else { "True" }), sign),
            [only] => only,
            // The tree would need the left side twice, and a session would evaluate it twice.
            _ => return Err(self.source.error_at(sign.start)),
        };
        let then = item(ItemKind::Apply(Head::Then, 1), left.span);
        let otherwise = item(ItemKind::Apply(Head::Else, 1), sign);
        let before_right = right.first_item..right.first_item;
        if is_and {
            self.items.splice(before_right, [then]);
            self.items.extend([otherwise, decided]);
        } else {
            self.items.splice(before_right, [then, decided, otherwise]);
        }
        self.apply(Head::Choose, 3, sign);
        let truth = are_truths.then_some(OperandKind::Truth);
        Ok(truth.unwrap_or(OperandKind::Other))
    }

    /// Whether an operand, whose items end before `end`, is a condition: always 1 or 0.
    fn is_truth(&self, operand: Operand, end: usize) -> bool {
        let is_comparison = match self.items[end - 1].kind {
            ItemKind::Apply(Head::Operator(operator), 2) => operator.level == level::COMPARISON,
            _ => false,
        };
        matches!(operand.kind, OperandKind::Truth | OperandKind::Comparison) || is_comparison
    }

    /// Adds the item of an infix operator. Returns the kind of the whole.
    fn apply_sign(&mut self, left: Operand, rule: Rule, sign: Span) -> OperandKind {
        let (text, place) = match rule {
            // A coefficient has no sign of its own.
            Rule::times => ("*", left.last_token),
            _ => (sign.of(self.text), sign),
        };
        // `..` is the only sign that is not in the table of operators.
        let head = precedence::infix_operator(text).map_or(Head::Range, Head::Operator);
        self.apply(head, 2, place);
        match rule {
            Rule::range => OperandKind::Open,
            _ => OperandKind::Other,
        }
    }

    /// Adds the item of an infix operator with this spelling.
    pub(super) fn operator(&mut self, spelling: &str, span: Span) {
        if let Some(operator) = precedence::infix_operator(spelling) {
            self.apply(Head::Operator(operator), 2, span);
        }
    }

    /// Refuses an infix operator between operands if there is another way to read them.
    fn check_infix(&self, left: Operand, rule: Rule, sign: Span, right: Operand) -> Parsed<()> {
        if let Some(error_key) = self.infix_error_key(left, rule, sign, right) {
            return self.error_of_both(error_key, left, sign, right.span);
        }
        if rule != Rule::range {
            self.check_comma(left)?;
            self.check_comma(right)?;
        }
        match rule {
            Rule::product | Rule::sum => self.check_lists(left, sign, right),
            Rule::times => self.check_coefficient(left, right),
            _ => Ok(()),
        }
    }

    /// The key of the sentence in `errors.txt` that refuses an infix operator between operands of these kinds.
    fn infix_error_key(
        &self,
        left: Operand,
        rule: Rule,
        sign: Span,
        right: Operand,
    ) -> Option<&'static str> {
        let is_share = right.kind == OperandKind::PerCent;
        let has_plus_minus = sign.to(right.span).of(self.text).starts_with("+-");
        Some(match (rule, left.kind) {
            (Rule::range, OperandKind::Open) => "@ranges",
            (Rule::power, OperandKind::Superscript) => "@raised",
            (Rule::sum, OperandKind::Other) if is_share => "@share of a sum",
            (Rule::sum, _) if is_share => "@share",
            // `5 +- 0.1` may be meant as `5 ± 0.1`.
            (Rule::sum, _) if has_plus_minus && !self.is_python => "@plus and minus",
            (Rule::times, _) if self.is_short_uncertainty(left.last_token, right) => "@short",
            _ => return None,
        })
    }

    /// Whether a number and a bracket are `1.00(2)` or `12.5(1.5)`, as tables write 1.00 ± 0.02 and 12.5 ± 1.5.
    fn is_short_uncertainty(&self, number: Span, bracket: Operand) -> bool {
        let is_digit_or_point = |c: char| c.is_ascii_digit() || c == '.';
        let value = number.of(self.text);
        let width = bracket.span.of(self.text);
        let mut digits = width.trim_matches(['(', ')']).chars();
        value.starts_with(is_digit_or_point)
            && value.contains('.')
            && width.starts_with('(')
            && digits.all(is_digit_or_point)
    }

    /// Refuses an operand such as `(x - 0,5)`.
    pub(super) fn check_comma(&self, operand: Operand) -> Parsed<()> {
        if operand.kind != OperandKind::DecimalComma {
            return Ok(());
        }
        let comma = decimal_comma(operand.span, self.text).unwrap_or(operand.span);
        let run = errors::number_run(self.text, comma);
        self.source.error("@decimal comma", &[("run", run)])
    }

    /// Refuses `[0]*3`, and in Python `[a, b]*n` and `x + [b]`: Python repeats and joins lists. Only the session knows
    /// whether the `n` of `[0]*n` is a number, when it builds the statement.
    fn check_lists(&self, left: Operand, sign: Span, right: Operand) -> Parsed<()> {
        let is_python = self.is_python;
        // The last item of an operand says what the whole operand is.
        let is_list = |end: usize| self.items[end - 1].kind.is_written_list();
        let is_left_list = is_list(right.first_item);
        let is_right_list = is_list(self.items.len());
        // A name outside of Python may stand for a list.
        let is_right_count = !is_right_list && (is_python || right.kind != OperandKind::Name);
        match sign.of(self.text) {
            "*" if left.kind == OperandKind::Single && is_right_count => {
                self.error_of_both("@repeated item", left, sign, right.span)
            }
            "*" if is_python && is_left_list && is_right_count => {
                self.error_of_both("@repeated", left, sign, right.span)
            }
            "*" if is_python && is_right_list && !is_left_list => {
                self.error_of_both("@repeated", right, sign, left.span)
            }
            "+" if is_python && (is_left_list || is_right_list) => {
                self.error_of_both("@joined", left, sign, right.span)
            }
            _ => Ok(()),
        }
    }

    /// Refuses a coefficient that can be misread: `1/2x`, `0xfg`, `2_x`.
    fn check_coefficient(&self, factor: Operand, right: Operand) -> Parsed<()> {
        let digits = factor.last_token.of(self.text);
        let next = right.span.of(self.text).chars().next().unwrap_or_default();
        // `0x` and `0b1z` begin like numbers with another base.
        let has_base = match digits {
            "0" => matches!(next, 'x' | 'X' | 'b' | 'B' | 'o' | 'O'),
            _ => digits.starts_with('0') && digits.contains(['x', 'X', 'b', 'B', 'o', 'O']),
        };
        if has_base && !matches!(next, '(' | '√') {
            let run = errors::number_run(self.text, factor.last_token);
            return self.source.error("@half", &[("run", run)]);
        }
        match factor.dividing_sign {
            Some(sign) => {
                let divided = Operand { sign, ..factor };
                self.error_of_both("@factor", divided, sign, right.span)
            }
            None => Ok(()),
        }
    }
}

//! Makes the page of `:help` about an operation: puts its row in the table of operations into words.
//!
//! The values of the example are computed when the page is made. If the operation has one operand, `:plot` draws the
//! operation and its derivative.

use super::gap;
use crate::command::prelude::*;
use crate::commands::look::plot;
use chainrule_engine::ops::{Domain, OPERAND_NAMES, Op, Shape};
use chainrule_language::StatementSpan;
use chainrule_report::{Plot, PlotSize, Prose, join, markdown_line};

/// The column in which the text of a row begins.
const COLUMN: usize = 15;

/// The columns and rows of the drawing below the text: small, so that page and drawing fit a screen.
const PLOT_SIZE: PlotSize = PlotSize {
    width: 60.0,
    height: 9.0,
    is_for_print: false,
};

/// Makes the page with the plot.
pub(super) fn blocks(op: &'static Op) -> Vec<Block> {
    let mut blocks = text_blocks(op);
    if let Some(plot) = small_plot(op) {
        blocks.extend([gap(), Block::Plot(plot)]);
    }
    blocks
}

/// Makes the page without the plot.
pub(super) fn text_blocks(op: &'static Op) -> Vec<Block> {
    let summary = markdown_line(op.summary);
    let heading = say!("{:formula}   {}", general_form(op), summary);
    let mut blocks = vec![Block::Prose(Prose::paragraph(heading)), gap()];
    add_derivatives(&mut blocks, op);
    add_rows(&mut blocks, "defined", [domain_line(op)]);
    for kink in op.kinks {
        let term = format!("at {}", kink.at);
        add_rows(&mut blocks, &term, [markdown_line(kink.convention)]);
    }
    for flat in op.flats {
        let line = say!("where it {}, the slope is 0 or nearly 0", flat.phrase);
        add_rows(&mut blocks, "flat", [line]);
    }
    if !op.aliases.is_empty() {
        let aliases = say!("{:formula}", op.aliases.join(" "));
        add_rows(&mut blocks, "also", [aliases]);
    }
    add_rows(&mut blocks, "typed", [markdown_line(&typed_text(op))]);
    add_rows(&mut blocks, "example", example_lines(op));
    blocks
}

/// Adds rows, of which only the first one shows the term.
fn add_rows(blocks: &mut Vec<Block>, term: &str, lines: impl IntoIterator<Item = Line>) {
    let mut shown_term = say!("{:dim}", term);
    for line in lines {
        blocks.push(Block::Prose(Prose {
            term: std::mem::take(&mut shown_term),
            column: COLUMN,
            line,
        }));
    }
}

/// Adds the derivative by each operand. For an operation with any number of operands, adds the derivative by one of them,
/// and what `x` and `y` mean in it.
fn add_derivatives(blocks: &mut Vec<Block>, op: &Op) {
    let form = general_form(op);
    // After `d/dx` an operator needs brackets, a call does not.
    let inner = match op.shape {
        Shape::Call => form.clone(),
        _ => format!("({form})"),
    };
    let (least, most) = op.arity();
    let count = if most.is_none() { 1 } else { least };
    let is_sign = |c: char| !c.is_alphanumeric() && c != '_';
    let (mut lines, mut has_out) = (Vec::new(), false);
    for (position, operand) in OPERAND_NAMES.iter().enumerate().take(count) {
        let derivative = format!("d/d{operand} {inner}");
        let formula = op.learned_text(position);
        has_out |= formula.split(is_sign).any(|word| word == "out");
        lines.push(say!("{:formula} = {:formula}", derivative, formula));
    }
    if has_out {
        let out = format!("where `out` is the value, `{form}`");
        lines.push(markdown_line(&out));
    }
    let plural = if count == 1 { "" } else { "s" };
    add_rows(blocks, &format!("derivative{plural}"), lines);
    if most.is_none() {
        let list = format!(
            "one list or several numbers: `{0}(w)`, `{1}`; `:help list-functions`",
            op.spelling, op.example
        );
        let operands =
            "`x` is any of the operands, one or more; `y` is the other one, or all the others";
        add_rows(blocks, "takes", [&list, operands].map(markdown_line));
    }
}

fn domain_line(op: &Op) -> Line {
    let Domain::Where { text, hint, .. } = op.domain else {
        return say!("everywhere");
    };
    let mut line = say!(
        "for {:formula}; elsewhere value and derivative are NaN",
        text
    );
    if let Some(hint) = hint {
        line.extend(say!("; {}", markdown_line(hint)));
    }
    line
}

/// The ways to type the operation and its derivative, in Markdown.
fn typed_text(op: &Op) -> String {
    if op.shape == Shape::Call && op.arity() == (1, Some(1)) {
        let name = op.spelling;
        return format!(
            "`{name}(x)`, `x.{name}()`; the derivative `{name}'(x)`, the second `{name}''(x)`"
        );
    }
    let form = general_form(op).replace(", …", "");
    format!("the derivative: `grad({form}, x)`, for a name `x`")
}

/// The example with its value, and the derivatives at its operands.
fn example_lines(op: &'static Op) -> Vec<Line> {
    let text = op.example;
    let mut session = Session::new();
    let expression = language::as_expression(text);
    let evaluated = expression.map(|it| session.evaluate_number(text, &it));
    let Some(Ok((node, _))) = evaluated else {
        return vec![say!("{:typed}", text)];
    };
    let mut lines = vec![say!("{:typed} = {}", text, node.data())];
    let locals = node.locals();
    if node.op() == Some(op) && locals.len() <= OPERAND_NAMES.len() {
        let slope = |(name, local)| say!("{:formula} = {}", format!("d/d{name}"), local);
        let named = OPERAND_NAMES.iter().zip(locals);
        lines.push(say!("there {}", join(named.map(slope), ", ")));
    }
    lines
}

/// Draws the operation and its derivative as `:plot` does, if it has one operand.
fn small_plot(op: &'static Op) -> Option<Plot> {
    if op.arity() != (1, Some(1)) {
        return None;
    }
    let form = general_form(op);
    let derivative = match op.shape {
        Shape::Call => format!("{}'(x)", op.spelling),
        _ => format!("grad({form}, x)"),
    };
    let range = match op.domain {
        Domain::Everywhere => "-4..4",
        Domain::Where { .. } => "0..2",
    };
    let text = format!("{form}, {derivative} x={range}");
    let (name_span, cut) = (Span::default(), StatementSpan::whole(&text));
    let arguments = Arguments::parse(&plot::COMMAND, &text, &cut, name_span, cut.span).ok()?;
    let reply = (plot::COMMAND.run)(&mut Session::new(), &arguments).ok()?;
    let Block::Plot(plot) = reply.report?.blocks.into_iter().next()? else {
        return None;
    };
    let size = Some(PLOT_SIZE);
    Some(Plot { size, ..plot })
}

/// Whether this word is the spelling, the name or an alias of the operation.
pub(super) fn has_name(op: &Op, word: &str) -> bool {
    op.spelling == word || op.name == word || op.aliases.contains(&word)
}

/// An operation of the operands x, y and z: `x*y`, `tanh(x)`, `max(x, y, …)`.
pub fn general_form(op: &Op) -> String {
    let spaced = language::precedence::infix_operator(op.spelling)
        .is_some_and(|operator| operator.has_spaces);
    match op.shape {
        Shape::Infix if spaced => format!("x {} y", op.spelling),
        Shape::Infix => format!("x{}y", op.spelling),
        Shape::Prefix => format!("{}x", op.spelling),
        Shape::Postfix => format!("x{}", op.spelling),
        Shape::Call => format!("{}({})", op.spelling, operand_list(op)),
    }
}

/// The operands of a function: `x, y, …`
pub fn operand_list(op: &Op) -> String {
    match op.arity().1 {
        Some(most) => OPERAND_NAMES[..most].join(", "),
        None => "x, y, …".to_owned(),
    }
}

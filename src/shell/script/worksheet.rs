//! `--gaps`: a page to hand out, on which each grad and each answer to a `:guess` is a line to fill in, and `--key`: the
//! statements that it asks about, with the answers.
//!
//! A report marks what it asks for. This file puts gaps there, and in what the statement itself asks for: the number of a
//! guess, the numbers that a statement such as `a.grad` has read, and everything in the answer to a line with `# ?`.

use std::borrow::Cow;

use crate::command::CommandTrait;
use crate::commands::find;
use crate::interpret::Meaning;
use chainrule_program::Environment as _;
use chainrule_report::{
    Audience, Block, Cell, Diagram, Line, Picture, Piece, Report, ReportKind, Role, Table,
};
use chainrule_session::Session;
use chainrule_view::{GAP, Worksheet};

/// What a document shows of a part, and whether a worksheet asks for something in it. `put_gaps` returns the part with
/// gaps, or `None` if it has none.
pub(super) fn part_to_show<T: ToOwned + ?Sized>(
    worksheet: Option<Worksheet>,
    part: &T,
    put_gaps: impl FnOnce(&T) -> Option<T::Owned>,
) -> (Cow<'_, T>, bool) {
    let with_gaps = worksheet.and_then(|_| put_gaps(part));
    let is_asked = with_gaps.is_some();
    let on_sheet = with_gaps.filter(|_| worksheet.is_some_and(|it| !it.is_key));
    (on_sheet.map_or(Cow::Borrowed(part), Cow::Owned), is_asked)
}

/// A line of statements with gaps for the numbers of guesses.
pub(super) fn statements_with_gaps(text: &str) -> Option<String> {
    let mut shown = String::new();
    let mut done = 0;
    for asked in Meaning::all_in(text).filter_map(|it| it.asked) {
        shown += &text[done..asked.place.start as usize];
        shown += GAP;
        done = asked.place.end as usize;
    }
    (done > 0).then(|| shown + &text[done..])
}

/// The report of a statement with gaps. `asks_all`: the statement asks for all its numbers and formulas, by `# ?`.
pub(super) fn report_with_gaps(it: &Report, session: &Session, asks_all: bool) -> Option<Report> {
    let mut report = it.clone();
    if it.is_verdict && !asks_all {
        report.blocks.clear();
        return Some(report);
    }
    let asks_numbers = asks_all || shows_typed_numbers(it.kind) && session.program().has_read_grad;
    let gaps = &mut Gaps {
        asks_all,
        asks_numbers,
        count: 0,
    };
    for block in &mut report.blocks {
        gaps.put_into(block);
    }
    (gaps.count > 0).then_some(report)
}

/// Whether a report shows the numbers that its statement computes, and not those of the work of a command: `:step a.grad`
/// has gaps of its own.
fn shows_typed_numbers(kind: ReportKind) -> bool {
    match kind {
        ReportKind::Command(name) => find(name).is_ok_and(|it| it.has(CommandTrait::SetsLeaves)),
        _ => true,
    }
}

/// A picture in a file with gaps.
pub(super) fn picture_with_gaps(picture: &Picture) -> Option<Picture> {
    let mut picture = picture.clone();
    let gaps = &mut Gaps::default();
    match &mut picture {
        Picture::Graph(diagram) => gaps.put_into_diagram(diagram),
        Picture::Plot(plot) => gaps.put_into_lines(&mut plot.remarks),
    }
    (gaps.count > 0).then_some(picture)
}

/// Puts gaps in place of what is asked for, and counts them.
#[derive(Default)]
struct Gaps {
    /// All numbers, formulas and computed data are asked for.
    asks_all: bool,
    asks_numbers: bool,
    count: usize,
}

impl Gaps {
    fn gap(&mut self) -> &'static str {
        self.count += 1;
        GAP
    }

    fn put_into(&mut self, block: &mut Block) {
        match block {
            Block::Line(line) | Block::OpenLine(line) => self.put_into_lines([line]),
            Block::Values(values) if !values.is_hidden => {
                let has_formula = values.values.iter().any(|it| it.formula.is_some());
                if self.asks_numbers || has_formula {
                    let mut line = values.line();
                    self.put_into_lines([&mut line]);
                    *block = Block::Line(line);
                }
            }
            Block::Table(table) => self.put_into_table(table),
            Block::Graph(diagram) => self.put_into_diagram(diagram),
            Block::Plot(plot) => self.put_into_lines(&mut plot.remarks),
            _ => {}
        }
    }

    /// Of several formulas in a line the first stays: it stands to the left of `=`.
    fn put_into_lines<'l>(&mut self, lines: impl IntoIterator<Item = &'l mut Line>) {
        let is_formula = |piece: &&Piece| matches!(piece, Piece::Words(Role::Math, _));
        for line in lines {
            let mut has_left = line.iter().filter(is_formula).count() > 1;
            for piece in line {
                let is_asked = match piece {
                    Piece::Asked(_) => true,
                    Piece::Words(Role::Math, _) => !std::mem::take(&mut has_left) && self.asks_all,
                    Piece::Words(role, _) => self.asks_numbers && *role == Role::Number,
                    _ => self.asks_numbers,
                };
                if is_asked {
                    *piece = Piece::plain(self.gap());
                }
            }
        }
    }

    fn put_into_table(&mut self, table: &mut Table) {
        let mut rows: Vec<Vec<Cell>> = table.rows.each().collect();
        for (column, cell) in (rows.iter_mut()).flat_map(|row| table.columns.iter().zip(row)) {
            let is_asked = column.is_asked || self.asks_numbers;
            let has_number = cell.as_number().is_some() || matches!(cell, Cell::Range(..));
            if is_asked && column.audience != Audience::Machines && has_number {
                *cell = Cell::Text(self.gap().to_owned());
            }
        }
        table.rows = rows.into();
    }

    fn put_into_diagram(&mut self, diagram: &mut Diagram) {
        self.count += usize::from(diagram.has_grads());
        for vertex in &mut diagram.vertices {
            vertex.grad_words = Some(GAP);
            if self.asks_all && vertex.operation.is_some() {
                vertex.data_words = Some(self.gap());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{GAP, statements_with_gaps};

    #[test]
    fn guesses_and_claims_have_gaps() {
        crate::commands::tell_lexer();
        for (line, with_underscores) in [
            (":guess a 2", ":guess a _"),
            (":guess a 2 of L", ":guess a _ of L"),
            ("a = 1; a.grad += 6 # why?", "a = 1; a.grad += _ # why?"),
            ("a.grad = 6;", "a.grad = _;"),
            ("a.grad = 0", "a.grad = 0"),
            ("a.grad = None", "a.grad = None"),
            ("a.grad -= 6", "a.grad -= _"),
            ("dL/da = 6", "dL/da = _"),
            ("dL/d(a^2) = 6", "dL/d(a^2) = _"),
            ("f(a/b, k=6)", "f(a/b, k=6)"),
            (":data d/a.csv x=3", ":data d/a.csv x=3"),
            ("a.grad == 6", "a.grad == 6"),
            ("print(\"a.grad = 6\")", "print(\"a.grad = 6\")"),
            ("grad = 6", "grad = 6"),
            (":gu a 2 of L", ":gu a _ of L"),
            (":guess a = 2", ":guess a = _"),
            (":ans no, it can't; never", ":ans _"),
            ("(a*b).grad = 6", "(a*b).grad = _"),
            ("a.grad = f(x=3)", "a.grad = _"),
            ("f'(x) = 2x", "f'(x) = _"),
            ("f'' = 2 cos x  # why?", "f'' = _  # why?"),
            ("f'(3) = 0", "f'(3) = _"),
            ("f'(x) = 0", "f'(x) = 0"),
            ("f'(x) == 2x", "f'(x) == 2x"),
            ("f(x) = 2x", "f(x) = 2x"),
            (":guess f' 2x", ":guess f' _"),
            ("L = a^2; :gu a 2a", "L = a^2; :gu a _"),
            ("print(a, sep=\"=\")", "print(a, sep=\"=\")"),
        ] {
            let expected = with_underscores.replace('_', GAP);
            let shown = statements_with_gaps(line).unwrap_or_else(|| line.to_owned());
            assert_eq!(shown, expected, "{line}");
        }
    }
}

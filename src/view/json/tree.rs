//! A tree as nested JSON objects, with the keys used in the blog posts about the lecture (`value`, `children`,
//! `operation`) and operands in order. A shared node is written in full at its first occurrence and only referred to
//! afterwards.
//!
//! Written from the flat list of branches with an explicit stack, because a tree may be as deep as a graph.

use std::fmt::Write;

use super::{push_number, push_text};
use crate::report::{Branch, Tree};
use crate::stop;

/// Deeper levels are written on one line even in the indented form, as the indentation itself would fill a disk
/// otherwise.
const INDENTED: usize = 64;

/// Writes the root: indented as an object of its own for people, otherwise as fields into an object that is already open.
pub(crate) fn write(tree: &Tree, indented: bool, out: &mut String) {
    TreeWriter {
        out,
        first: tree.first.and_then(|first| tree.branches.get(first)),
        indented,
    }
    .tree(tree);
}

struct TreeWriter<'o> {
    out: &'o mut String,
    /// The branch where the first non-finite number arose.
    first: Option<&'o Branch>,
    /// Write an indented object for people; otherwise write fields into an object that is already open.
    indented: bool,
}

impl TreeWriter<'_> {
    fn tree(&mut self, tree: &Tree) {
        // The branches whose objects are open, each with whether its list of children has entries.
        let mut open: Vec<(&Branch, bool)> = Vec::new();
        for branch in stop::asking(tree.branches.iter()) {
            while let Some((last, filled)) = open.pop_if(|(last, _)| last.depth >= branch.depth) {
                self.close(last, filled);
            }
            if let Some((_, filled)) = open.last_mut()
                && std::mem::replace(filled, true)
            {
                self.out.push(',');
            }
            self.open(branch);
            open.push((branch, false));
        }
        while let Some((last, filled)) = open.pop() {
            stop::ask(open.len());
            self.close(last, filled);
        }
    }

    fn open(&mut self, branch: &Branch) {
        let depth = branch.depth;
        if depth > 0 {
            self.new_line(depth, 2 * depth);
        }
        let bare = depth == 0 && !self.indented;
        self.out.push(if bare { ',' } else { '{' });
        self.new_line(depth, 2 * depth + 1);
        self.key("value", depth);
        push_number(branch.data, self.out);
        self.next("children", depth);
        self.out.push('[');
    }

    fn close(&mut self, branch: &Branch, filled: bool) {
        let depth = branch.depth;
        if filled {
            self.new_line(depth + 1, 2 * depth + 1);
        }
        self.out.push(']');
        self.next("operation", depth);
        push_text(branch.operation.unwrap_or("none"), self.out);
        if branch.shared {
            self.next("node", depth);
            push_text(&branch.label, self.out);
            self.next("id", depth);
            let _ = write!(self.out, "{}", branch.id);
        }
        let first = self.first.is_some_and(|first| std::ptr::eq(first, branch));
        for (key, holds) in [
            ("shared", branch.again),
            ("cut", branch.cut),
            ("first", first),
        ] {
            if holds {
                self.next(key, depth);
                self.out.push_str("true");
            }
        }
        if depth > 0 || self.indented {
            self.new_line(depth, 2 * depth);
            self.out.push('}');
        }
    }

    fn next(&mut self, key: &str, depth: usize) {
        self.out.push(',');
        self.new_line(depth, 2 * depth + 1);
        self.key(key, depth);
    }

    fn key(&mut self, key: &str, depth: usize) {
        push_text(key, self.out);
        self.out.push(':');
        if self.indents(depth) {
            self.out.push(' ');
        }
    }

    fn new_line(&mut self, depth: usize, indent: usize) {
        if self.indents(depth) {
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n("  ", indent));
        }
    }

    fn indents(&self, depth: usize) -> bool {
        self.indented && depth <= INDENTED
    }
}

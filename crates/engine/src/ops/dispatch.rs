//! Finds the functions of a single node by the row of its operation.

use super::single::Single;
use super::{Shape, TABLE};

const PLUS: u8 = row_of(b'+');
const MINUS: u8 = row_of(b'-');
const TIMES: u8 = row_of(b'*');

/// The row of an operator between two operands.
const fn row_of(sign: u8) -> u8 {
    let mut row = 0;
    while !matches!(TABLE[row].shape, Shape::Infix)
        || !matches!(TABLE[row].spelling.as_bytes(), [it] if *it == sign)
    {
        row += 1;
    }
    row as u8
}

impl Single {
    /// Computes the value. The rows of `+`, `-` and `*` are constants here, so the compiler calls none of their functions
    /// through a pointer, which processors often predict wrongly: a chain takes half of the time, a random graph of a
    /// thousand nodes two thirds.
    #[inline]
    pub fn forward(&self, data: &mut [f64]) {
        match self.row {
            PLUS => self.forward_as(PLUS, data),
            MINUS => self.forward_as(MINUS, data),
            TIMES => self.forward_as(TIMES, data),
            row => self.forward_as(row, data),
        }
    }

    /// Adds the contributions. A slot beyond the grads is that of a constant, which has no grad.
    #[inline]
    pub fn backward(&self, data: &[f64], grads: &mut [f64]) {
        match self.row {
            PLUS => self.backward_as(PLUS, data, grads),
            MINUS => self.backward_as(MINUS, data, grads),
            TIMES => self.backward_as(TIMES, data, grads),
            row => self.backward_as(row, data, grads),
        }
    }

    #[inline]
    fn forward_as(&self, row: u8, data: &mut [f64]) {
        let op = &TABLE[usize::from(row)];
        if let Some(loops) = op.loops() {
            (loops.one_forward)(op, self, data);
        }
    }

    #[inline]
    fn backward_as(&self, row: u8, data: &[f64], grads: &mut [f64]) {
        let op = &TABLE[usize::from(row)];
        if let Some(loops) = op.loops() {
            (loops.one_backward)(op, self, data, grads);
        }
    }
}

//! The rates of `:step`: one for all steps, or one for each.
//!
//! `descent` takes the steps; the command works the rates out.

use std::rc::Rc;

/// How far the steps of a descent go.
#[derive(Clone, Debug)]
pub enum Rates {
    /// The same for this many steps.
    Same(f64, u64),
    /// One for each step, of which there is at least one.
    Each(Rc<Vec<f64>>),
}

impl Rates {
    /// How many steps there are.
    pub fn steps(&self) -> u64 {
        match self {
            Rates::Same(_, steps) => *steps,
            Rates::Each(rates) => rates.len() as u64,
        }
    }

    /// The rate of a step, counted from 0.
    pub fn of(&self, step: u64) -> f64 {
        match self {
            Rates::Same(rate, _) => *rate,
            Rates::Each(rates) => rates[step as usize],
        }
    }
}

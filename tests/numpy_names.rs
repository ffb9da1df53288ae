//! The members of `NumPy` that the calculator takes, compared with `NumPy` itself.

use std::collections::BTreeSet;
use std::process::Command;

use chainrule_engine::ops;
use chainrule_program::functions::{LIBRARY, NUMPY_NAMES};

use crate::common::browser::say_skipped;
use crate::common::{Desk, close};
use crate::export_jax::python_with;

/// Prints, for each name that `NumPy` has, its value at two numbers.
const MEMBERS: &str = "import sys, numpy as np
def value(member, number):
    try: return float(member(number))
    except Exception: return 'nan'
names = [name for name in sys.argv[1:] if hasattr(np, name)]
for name in names if int(np.__version__.split('.')[0]) > 1 else []:
    print(name, value(getattr(np, name), 0.3), value(getattr(np, name), 1.5))";

/// The names of the calculator that are in `NumPy` are those that `np.` may stand before, and they mean the same.
#[test]
fn members_of_numpy_mean_the_same() {
    let test = "members of NumPy";
    let Some(python) = python_with("numpy", test) else {
        return;
    };
    let own = ops::function_names().chain(LIBRARY.iter().map(|it| it.name));
    let names: BTreeSet<&str> = NUMPY_NAMES.split(' ').chain(own).collect();
    let mut command = Command::new(python);
    let ran = command.args(["-c", MEMBERS]).args(names).output();
    let printed = String::from_utf8(ran.expect("Python runs").stdout).expect("it is text");
    if printed.is_empty() {
        return say_skipped(test, "NumPy 2");
    }
    let mut found = Vec::new();
    for line in printed.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        found.push(words[0]);
        let is_of_one = ops::function(words[0], 1).is_some_and(|op| op.arity().1 == Some(1));
        for (number, want) in [(0.3, words[1]), (1.5, words[2])] {
            let want: f64 = want.parse().expect("a number");
            if is_of_one && !want.is_nan() {
                let got = Desk::default().value(&format!("np.{}({number})", words[0]));
                assert!(close(got, want, 1e-14, 0.0), "{line}: {got}");
            }
        }
    }
    assert_eq!(found.join(" "), NUMPY_NAMES);
}

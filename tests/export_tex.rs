//! `:export` to LaTeX: a small reader computes the formulas again, and value and gradient are those of the session.

use std::collections::HashMap;

use chainrule_engine::ops;

use crate::export_random::program;

const PROGRAMS: usize = 100;

/// Reads formulas and computes them.
struct Reader<'t> {
    /// The formulas of all symbols, and the numbers of those that are known.
    formulas: &'t HashMap<String, String>,
    numbers: &'t mut HashMap<String, f64>,
    rest: String,
}

/// The value of a formula.
fn value(
    formula: &str,
    formulas: &HashMap<String, String>,
    numbers: &mut HashMap<String, f64>,
) -> f64 {
    let mut reader = Reader {
        formulas,
        numbers,
        // Blanks stand between letters only.
        rest: formula.replace(r"\, ", " ").replace(r"\cdot ", " "),
    };
    let value = reader.sum();
    assert_eq!(reader.rest.trim(), "", "{formula}");
    value
}

impl Reader<'_> {
    fn takes(&mut self, text: &str) -> bool {
        let rest = self.rest.trim_start();
        let found = rest.strip_prefix(text).map(str::to_string);
        let is_found = found.is_some();
        self.rest = found.unwrap_or_else(|| rest.to_string());
        is_found
    }

    fn needs(&mut self, text: &str) {
        assert!(self.takes(text), "`{text}` is expected at `{}`", self.rest);
    }

    /// The text up to the closing `}`.
    fn group(&mut self) -> String {
        self.needs("{");
        let mut depth = 1;
        let is_end = |c: char| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            depth == 0
        };
        let end = self.rest.find(is_end).expect("a group is closed");
        let group = self.rest[..end].to_string();
        self.rest.drain(..=end);
        group
    }

    fn value_of(&mut self, formula: &str) -> f64 {
        value(formula, self.formulas, self.numbers)
    }

    fn sum(&mut self) -> f64 {
        let mut sum = self.signed_number();
        loop {
            if self.takes("+") {
                sum += self.signed_number();
            } else if self.takes("-") {
                sum -= self.product();
            } else {
                return sum;
            }
        }
    }

    fn signed_number(&mut self) -> f64 {
        if self.takes("-") {
            -self.product()
        } else {
            self.product()
        }
    }

    fn product(&mut self) -> f64 {
        let mut product = self.power().expect("a factor");
        while let Some(factor) = self.power() {
            product *= factor;
        }
        product
    }

    fn power(&mut self) -> Option<f64> {
        let base = self.atom()?;
        let factorials = self.takes("!");
        assert!(!factorials);
        if !self.takes("^") {
            return Some(base);
        }
        let exponent = self.group();
        Some(match exponent.split_once('/') {
            Some((halves, "2")) => base.powf(halves.parse::<f64>().expect("a number") / 2.0),
            _ => base.powf(self.value_of(&exponent)),
        })
    }

    /// The items between commas in brackets of this kind.
    fn list(&mut self, opened: &str, closed: &str) -> Vec<f64> {
        self.needs(opened);
        let mut items = vec![self.sum()];
        while self.takes(",") {
            items.push(self.sum());
        }
        self.needs(closed);
        items
    }

    fn comparison(&mut self) -> bool {
        let left = self.sum();
        for (sign, holds) in [
            (r"\le", f64::le as fn(&f64, &f64) -> bool),
            (r"\ge", f64::ge),
            (r"\ne", f64::ne),
            ("<", f64::lt),
            (">", f64::gt),
            ("=", f64::eq),
        ] {
            if self.takes(sign) {
                return holds(&left, &self.sum());
            }
        }
        panic!("a comparison is expected at `{}`", self.rest);
    }

    fn atom(&mut self) -> Option<f64> {
        let start = self.rest.trim_start().to_string();
        if start.starts_with(|c: char| c.is_ascii_digit()) {
            let end = start.find(|c: char| !c.is_ascii_digit() && c != '.');
            let (number, rest) = start.split_at(end.unwrap_or(start.len()));
            self.rest = rest.to_string();
            return Some(number.parse().expect("a number"));
        }
        if self.takes(r"\frac") {
            let (over, under) = (self.group(), self.group());
            return Some(self.value_of(&over) / self.value_of(&under));
        }
        if self.takes(r"\sqrt") {
            let inside = self.group();
            return Some(self.value_of(&inside).sqrt());
        }
        if start.starts_with(r"\left(") {
            return Some(self.list(r"\left(", r"\right)")[0]);
        }
        if start.starts_with(r"\left|") {
            return Some(self.list(r"\left|", r"\right|")[0].abs());
        }
        if self.takes(r"\left[") {
            let holds = self.comparison();
            self.needs(r"\right]");
            return Some(f64::from(u8::from(holds)));
        }
        if self.takes(r"\begin{cases}") {
            let yes = self.sum();
            self.needs("&");
            let holds = self.comparison();
            self.needs(r"\\");
            let no = self.sum();
            self.needs(r"& \text{otherwise} \end{cases}");
            return Some(if holds { yes } else { no });
        }
        if start.starts_with("e^") {
            self.needs("e");
            return Some(std::f64::consts::E);
        }
        if self.takes(r"\operatorname") {
            let name = self.group().replace(' ', "_");
            return Some(self.call(&name));
        }
        for name in [
            "sinh", "cosh", "tanh", "sin", "cos", "tan", "ln", "min", "max",
        ] {
            if self.takes(&format!(r"\{name}")) {
                return Some(self.call(name));
            }
        }
        self.symbol()
    }

    /// A function: `\tanh^{2} n`, `\max\left(a, b\right)`.
    fn call(&mut self, name: &str) -> f64 {
        let exponent = if self.takes("^") {
            self.group()
        } else {
            "1".to_string()
        };
        let arguments = match self.rest.trim_start().starts_with(r"\left(") {
            true => self.list(r"\left(", r"\right)"),
            false => vec![self.symbol().expect("an argument")],
        };
        let name = match name {
            "sgn" => "sign",
            name => name,
        };
        let op = ops::function(name, arguments.len());
        let value = op.unwrap_or_else(|| panic!("`{name}`")).value(&arguments);
        value.powf(exponent.parse().expect("a number"))
    }

    /// A letter or a word, with its subscript.
    fn symbol(&mut self) -> Option<f64> {
        let rest = self.rest.trim_start().to_string();
        let is_word = rest.starts_with(r"\mathit{") || rest.starts_with(r"\tilde{");
        let mut end = match rest.chars().next()? {
            _ if is_word => rest.find('}')? + 1,
            letter if letter.is_ascii_alphabetic() => 1,
            _ => return None,
        };
        if rest[end..].starts_with("_{") {
            end += rest[end..].find('}')? + 1;
        }
        let (symbol, rest) = rest.split_at(end);
        self.rest = rest.to_string();
        if !self.numbers.contains_key(symbol) {
            let formula = self
                .formulas
                .get(symbol)
                .unwrap_or_else(|| panic!("`{symbol}`"));
            let value = self.value_of(&formula.clone());
            self.numbers.insert(symbol.to_string(), value);
        }
        Some(self.numbers[symbol])
    }
}

/// `W[1][2]` as it is written in mathematics.
fn symbol(name: &str) -> String {
    match name.split_once('[') {
        Some((name, places)) => {
            let places = places.trim_end_matches(']').replace("][", ",");
            format!("{name}_{{{places}}}")
        }
        None => name.to_string(),
    }
}

#[test]
fn formulas_of_random_programs_compute_the_same() {
    for seed in 0..PROGRAMS {
        let program = program(seed, "tex");
        let mut formulas = HashMap::new();
        for line in program.text.lines() {
            if let Some((symbol, formula)) = line.trim().split_once(" &= ") {
                let formula = formula.trim_end_matches(r" \\");
                formulas.insert(symbol.to_string(), formula.to_string());
            }
        }
        for (point, leaves) in program.points.iter().zip(program.at.iter()) {
            let known = leaves.iter().map(|(name, number)| (symbol(name), *number));
            let mut numbers: HashMap<String, f64> = known.collect();
            let size: f64 = point.iter().map(|number| number.abs()).sum();
            let slopes = program.leaves.iter().map(|leaf| {
                let leaf = symbol(leaf);
                format!(r"\frac{{\partial L}}{{\partial {leaf}}}")
            });
            let wanted = std::iter::once("L".to_string()).chain(slopes).zip(point);
            for (of, want) in wanted {
                let got = value(&formulas[&of], &formulas, &mut numbers);
                assert!(
                    (got - want).abs() <= 1e-9 * size || got.is_nan() && want.is_nan(),
                    "{}: {of} is {got}, not {want}",
                    program.typed
                );
            }
        }
    }
}

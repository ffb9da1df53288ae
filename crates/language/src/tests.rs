//! Tests of the whole layer through a single entry point: a line goes in, S-expressions or an error come out.
//!
//! First come lists of pairs, one rule of the language after another; then random trees that are printed and read back,
//! and lines of a million words on a thread with a small stack.
#![allow(clippy::unwrap_used)]

use super::*;

/// A tree as an S-expression, every bracket shown: `(+ (* a b) c)`.
fn sexpr(items: &[Item<Name>]) -> String {
    let mut stack: Vec<String> = Vec::new();
    for item in items {
        let (head, operands) = match item.kind {
            ItemKind::Apply(head, operands) => (head_of(head), operands),
            ItemKind::Property(Property::Data) => (".data".into(), 1),
            ItemKind::Property(Property::Grad) => (".grad".into(), 1),
            ItemKind::Property(Property::Sigma) => (".sigma".into(), 1),
            ItemKind::Each(variables) => ("in".into(), variables + 1),
            ItemKind::Unknown(numbers) => ("from".into(), numbers + 1),
            _ => {
                stack.push(infix(std::slice::from_ref(item)));
                continue;
            }
        };
        let operands = stack.split_off(stack.len() - operands as usize);
        stack.push(format!("({head} {})", operands.join(" ")));
    }
    stack.pop().unwrap()
}

fn head_of(head: Head<Name>) -> String {
    match head {
        Head::Operator(operator) => operator.spelling.to_string(),
        Head::Function(name, primes) => format!("{name}{}", "'".repeat(primes.into())),
        Head::Named(name) => format!("{name}="),
        Head::Spread => "*".into(),
        Head::Labelled(label) => format!("label={label}"),
        Head::Choose => "if".into(),
        Head::Then => "then".into(),
        Head::Else => "else".into(),
        Head::List => "[]".into(),
        Head::Index => ".[]".into(),
        Head::Slice => ".[:]".into(),
        Head::Range => "..".into(),
        Head::Uncertain {
            is_per_cent: per_cent,
        } => format!("±{}", if per_cent { "%" } else { "" }),
        Head::Collect => "for".into(),
        Head::Solve => "solve".into(),
    }
}

/// The statements of a chunk as S-expressions.
fn read(text: &str) -> Result<String, SyntaxError> {
    let mut out = Vec::new();
    for cut in statements(text) {
        let cut = cut?;
        let mut line = match statement(text, &cut)? {
            Statement::Empty => "empty".to_owned(),
            Statement::Expression(expression) => sexpr(&expression.items),
            Statement::Binding(binding) => {
                let names: Vec<&str> = binding.targets.iter().map(|target| target.name).collect();
                let values = binding.values.iter().map(|typed| {
                    let value = sexpr(&typed.expression.items);
                    match &typed.width {
                        Some(width) => {
                            let per_cent = "%".repeat(width.per_cent.len());
                            format!("{value} ± {}{per_cent}", sexpr(&width.operand.items))
                        }
                        None => value,
                    }
                });
                let values: Vec<String> = values.collect();
                let frozen = if binding.is_frozen { "const " } else { "" };
                let bounds = binding.bounds.map_or(String::new(), |bounds| {
                    let [from, to] = bounds.ends.map(|end| sexpr(&end.items));
                    let step = bounds
                        .step
                        .map(|step| format!(" by {}", sexpr(&step.items)));
                    format!(" in {from}..{to}{}", step.unwrap_or_default())
                });
                format!(
                    "{frozen}{} = {}{bounds}",
                    names.join(", "),
                    values.join(", ")
                )
            }
            Statement::Block(ref steps)
                if let [
                    Step {
                        kind: StepKind::Define(definition),
                        ..
                    },
                ] = steps.as_slice()
                    && let Some(value) = definition.formula() =>
            {
                assert_eq!(definition.span, cut.span);
                let names: Vec<&str> = definition
                    .parameters
                    .iter()
                    .map(|it| it.target.name)
                    .collect();
                format!(
                    "{}({}) = {}",
                    definition.name.name,
                    names.join(", "),
                    sexpr(&value.items)
                )
            }
            Statement::Step(step) => python_line(text, step),
            Statement::Block(steps) => format!("block of {}", steps.len()),
            Statement::Command(command) => {
                let words: Vec<&str> = words(text, command.rest)
                    .iter()
                    .map(|word| word.of(text))
                    .collect();
                format!(":{} {}", command.word, words.join("|"))
            }
        };
        line.push_str(if cut.is_silenced { ";" } else { "" });
        out.push(line);
    }
    Ok(out.join(" "))
}

/// A line of Python, its parts between bars.
fn python_line(text: &str, step: StepKind) -> String {
    match step {
        StepKind::Label { node, label } => format!("label|{}|{label}", node.span.of(text)),
        StepKind::Data { leaf, value } => {
            format!("data|{}|{}", leaf.span.of(text), sexpr(&value.items))
        }
        StepKind::Backward(root) => format!("backward|{}", root.span.of(text)),
        StepKind::ChangeList {
            list,
            items,
            change,
        } => {
            format!("{change:?}|{}|{}", list.name, sexpr(&items.items))
        }
        StepKind::Print { printing, values } => {
            let mut values = values.iter().map(|value| sexpr(&value.items));
            let parts = printing.arguments.iter().flatten().map(|part| match part {
                PrintPiece::Text(words) => format!("|{words:?}"),
                PrintPiece::Items => format!("|*{}", values.next().unwrap()),
                PrintPiece::Repeated(words) => format!("|{words:?}*{}", values.next().unwrap()),
                PrintPiece::Value(format) => {
                    let format = format
                        .as_ref()
                        .map_or(String::new(), |it| format!(":{}", it.0));
                    format!("|{}{format}", values.next().unwrap())
                }
            });
            let parts = parts.collect::<String>();
            match (&*printing.separator, &*printing.end) {
                (" ", "\n") => format!("print{parts}"),
                (separator, end) => format!("print{parts}|{separator:?}{end:?}"),
            }
        }
        step => format!("{step:?}"),
    }
}

/// Asserts what a line reads as.
fn reads(text: &str, expected: &str) {
    match read(text) {
        Ok(found) => assert_eq!(found, expected, "{text}"),
        Err(error) => panic!("{text}: {}", error.message),
    }
}

/// `line → what it reads as`
fn reads_all(list: &str) {
    for line in list.trim().lines() {
        let (text, expected) = line.trim().split_once(" → ").unwrap();
        reads(text, expected);
    }
}

/// Asserts how a line fails: `«…»` stands around the place (`«` alone where the place is empty).
fn fails(marked: &str, message: &str, help: &str) {
    let text = marked.replace(['«', '»'], "");
    let error = match read(&text) {
        Ok(found) => panic!("{text} reads as {found}"),
        Err(error) => error,
    };
    assert_eq!(error.message, message, "{text}");
    assert_eq!(error.help, help, "{text}");
    let span = error.span;
    let mut place = text;
    if span.start < span.end {
        place.insert(span.end as usize, '»');
    }
    place.insert(span.start as usize, '«');
    assert_eq!(place, marked);
}

/// `line → message → help`; `〃` is the help of the line above.
fn fails_all(list: &str) {
    let mut above = "";
    for line in list.trim().lines() {
        let mut cells = line.trim().split(" → ");
        let (text, message) = (cells.next().unwrap(), cells.next().unwrap());
        above = cells
            .next()
            .filter(|help| *help != "〃")
            .unwrap_or(if line.ends_with('〃') { above } else { "" });
        fails(text, message, above);
    }
}

#[test]
fn numbers() {
    reads_all(
        r"
        2 → 2
        2. → 2.0
        .5 → 0.5
        007 → 7
        1_000 → 1000
        1_000.000_1 → 1000.0001
        1e-3 → 0.001
        1.5E-3 → 0.0015
        1e−3 → 0.001
        2e+3 → 2000
        1.e5 → 100000.0
        1e1_0 → 10000000000
        0xff → 255
        0XfF → 255
        0xdead_beef → 3735928559
        0b101 → 5
        0xe+3 → (+ 14 3)
        2.tanh() → (tanh 2)
        3.5.tanh() → (tanh 3.5)
        2e → (* 2 e)
        2e-x → (- (* 2 e) x)
        2e3 → 2000
        2e3x → (* 2000 x)
        2e3e → (* 2000 e)
        2exp(x) → (* 2 (exp x))
        10xff → (* 10 xff)
        0x10(3) → (* 16 3)
        6.8813735870195432 → 6.881373587019543
        1e-7 → 1e-7
        1e20 → 1e20
        5e-324 → 5e-324
        1e-999 → 0
        0e999999999999 → 0
        ",
    );
    fails_all(
        r"
        «1e999» → `1e999` is beyond the largest number → infinity is written `inf`
        ",
    );
    fails_all(
        r"
        «0b12» → `0b12` is not a number → hexadecimal digits are 0 to 9 and a to f, as in `0xff`, octal ones 0 to 7, as in `0o17`, binary ones 0 and 1, as in `0b101`
        a + «0xfg» * 2 → `0xfg` is not a number → 〃
        «0x» → `0x` is not a number → 〃
        «0x_1» → `0x_1` is not a number → 〃
        «0o18» → `0o18` is not a number → 〃
        «0x1.5» → `0x1.5` is not a number → 〃
        «1_» → `_` belongs between two digits, unlike in `1_` → write `1_000`
        «1__0» → `_` belongs between two digits, unlike in `1__0` → 〃
        «2_x» → `_` belongs between two digits, unlike in `2_x` → 〃
        «1_.5» → `_` belongs between two digits, unlike in `1_.5` → 〃
        «1.2.3» → `1.2.3` is not a number → a number has one point, and it stands before the exponent
        «1e5.5» → `1e5.5` is not a number → 〃
        «2.x» → `2.x` is not a number → to multiply, write `2*x`; to call, write `2.x()`
        a + «.» → `.` means nothing here → a number has a digit beside its point: `0.5`
        ",
    );
}

#[test]
fn minus() {
    reads_all(
        r"
        b = -3 → b = -3
        b = −3 → b = -3
        -3 → -3
        - 3 → (- 3)
        -x → (- x)
        -2^2 → (- (^ 2 2))
        -2 ^2 → (- (^ 2 2))
        -2**2 → (- (^ 2 2))
        -2² → (- (^ 2 2))
        -3! → (- (! 3))
        -3 != 2 → (!= -3 2)
        -3!=2 → (!= -3 2)
        -3.tanh() → (- (tanh 3))
        -3 .tanh() → (- (tanh 3))
        -3.data → (- (.data 3))
        -2x^2 → (* -2 (^ x 2))
        -2(x) → (* -2 x)
        2^-3 → (^ 2 -3)
        2^-3^2 → (^ 2 (- (^ 3 2)))
        2^-x*y → (* (^ 2 (- x)) y)
        a -3 → (- a 3)
        a-3 → (- a 3)
        a--3 → (- a -3)
        a - -3 → (- a -3)
        a*-3 → (* a -3)
        --3 → (- -3)
        +3 → 3
        +a → a
        -+3 → (- 3)
        +-3 → -3
        -a^2 → (- (^ a 2))
        -a*b → (* (- a) b)
        1 + -yi*s → (+ 1 (* (- yi) s))
        f(-3, -x) → (f -3 (- x))
        -0 → -0
        -0x10 → -16
        -1e-999 → -0
        ",
    );
}

#[test]
fn precedence() {
    reads_all(
        r"
        a + b*c → (+ a (* b c))
        a - b - c → (- (- a b) c)
        a/b*c%d → (% (* (/ a b) c) d)
        2^3^2 → (^ 2 (^ 3 2))
        2**3**2 → (^ 2 (^ 3 2))
        a < b + 1 → (< a (+ b 1))
        (a < b) < c → (< (< a b) c)
        a ≤ b → (<= a b)
        a ≥ b → (>= a b)
        a ≠ b → (!= a b)
        a == b → (== a b)
        a × b · c ⋅ d ∙ e ÷ f − g → (- (/ (* (* (* (* a b) c) d) e) f) g)
        3! → (! 3)
        (3!)! → (! (! 3))
        2^3! → (^ 2 (! 3))
        a! + b! → (+ (! a) (! b))
        5!=x → (!= 5 x)
        √2 → (sqrt 2)
        √x^2 → (^ (sqrt x) 2)
        √x! → (sqrt (! x))
        √x.tanh() → (sqrt (tanh x))
        √√x → (sqrt (sqrt x))
        √(a + b)*c → (* (sqrt (+ a b)) c)
        √-2 → (sqrt -2)
        -√2 → (- (sqrt 2))
        x² → (^ x 2)
        x⁻¹ → (^ x -1)
        x¹⁰⁰ → (^ x 100)
        -x² → (- (^ x 2))
        2x² → (* 2 (^ x 2))
        2^x² → (^ 2 (^ x 2))
        √x² → (^ (sqrt x) 2)
        (x²)^3 → (^ (^ x 2) 3)
        (a + b)² → (^ (+ a b) 2)
        L = (a*b + c) * f → L = (* (+ (* a b) c) f)
        ",
    );
}

#[test]
fn uncertainties() {
    reads_all(
        r"
        a = 2 in 0..10 by 0.5 → a = 2 in 0..10 by 0.5
        const a = -2 ± 0.1 in -pi .. 2pi → const a = -2 ± 0.1 in (- pi)..(* 2 pi)
        in, by = 1, 2 → in, by = 1, 2
        in = by in in..by by in → in = by in in..by by in
        x = 5 ± 0.1 → x = 5 ± 0.1
        x = 5 +/- 0.1 → x = 5 ± 0.1
        x=5±0.1 → x = 5 ± 0.1
        x=5+/-0.1 → x = 5 ± 0.1
        x = 5 ± 2% → x = 5 ± 2%
        x = (5 ± 2%) → x = 5 ± 2%
        x = (1.602 ± 0.002)e-19 → x = 1.602e-19 ± 2e-22
        const x, y = 1, (-2.83 +/- 0.21)e+10 → const x, y = 1, -28300000000.0 ± 2100000000.0
        x += (5 ± 0.1)e2 → x = (+ x (± 500 10.0))
        [(5 ± 0.1)e2, 6]*2 → (* ([] (± 500 10.0) 6) 2)
        x = 7 % 5 ± 2% → x = (% 7 5) ± 2%
        const x = a + 1 ± b → const x = (+ a 1) ± b
        a, b, c = 1, 2 ± f(x, y), 3 → a, b, c = 1, 2 ± (f x y), 3
        a, b = 1 ± w[2], 2 ± (a + 1) → a, b = 1 ± (.[] w 2), 2 ± (+ a 1)
        x = 1..3 ± [1%, 0.2, 3% ] → x = (.. 1 3) ± ([] 1 0.2 3)%%
        x += 1 ± 0.1 → x = (+ x 1) ± 0.1
        (1 ± 0.1)*(2 ± 5%) → (* (± 1 0.1) (±% 2 5))
        [1 ± a, 2, -3 +/- f(x),] → ([] (± 1 a) 2 (± -3 (f x)))
        max(1 + 2 ± (0.1), 2) → (max (± (+ 1 2) 0.1) 2)
        ",
    );
}

#[test]
fn names_calls_and_properties() {
    reads_all(
        r"
        x1w1 → x1w1
        _ → _
        α₁ + β_2 → (+ α₁ β_2)
        π → pi
        π = 3 → pi = 3
        2τ → (* 2 tau)
        πr → πr
        a@1 → a@1
        a@1 + @9*$3 → (+ a@1 (* @9 $3))
        tanh(x) → (tanh x)
        tanh (x) → (tanh x)
        max(a, b, c) → (max a b c)
        if(a > 0, b, c) → (if (> a 0) b c)
        f'(3) → (f' 3)
        f' (3) → (f' 3)
        f''(x) + f’(y) → (+ (f'' x) (f' y))
        n.tanh() → (tanh n)
        n.tanh( ) → (tanh n)
        n .tanh () → (tanh n)
        (b + a).relu() → (relu (+ b a))
        a.max(b, c) → (max a b c)
        a.max(b).relu().data → (.data (relu (max a b)))
        2^x.max(y) → (^ 2 (max x y))
        a.data → (.data a)
        a.grad*2 → (* (.grad a) 2)
        a + 2*a.sigma → (+ a (* 2 (.sigma a)))
        a.data() → (data a)
        sin(x).data^2 → (^ (.data (sin x)) 2)
        ((((a)))) → a
        f(g(x), (y)) → (f (g x) y)
        ",
    );
    // One name in all its Unicode forms.
    reads("e\u{301}x", "\u{e9}x");
    reads("e\u{301}(a)", "(\u{e9} a)");
}

#[test]
fn coefficients() {
    reads_all(
        r"
        3x^2 - 4x + 5 → (+ (- (* 3 (^ x 2)) (* 4 x)) 5)
        2(a)^2 → (* 2 (^ a 2))
        3x.tanh() → (* 3 (tanh x))
        2f(3) → (* 2 (f 3))
        2f'(3) → (* 2 (f' 3))
        2(3) → (* 2 3)
        2(a+b) → (* 2 (+ a b))
        2pi → (* 2 pi)
        2π → (* 2 pi)
        2√3 → (* 2 (sqrt 3))
        3x! → (* 3 (! x))
        a*2x → (* (* a 2) x)
        a/b*2x → (* (* (/ a b) 2) x)
        2x/y → (/ (* 2 x) y)
        2x*3y → (* (* (* 2 x) 3) y)
        -2x → (* -2 x)
        - 2x → (* (- 2) x)
        2.5x → (* 2.5 x)
        2.(x) → (* 2.0 x)
        f(2x, 3y) → (f (* 2 x) (* 3 y))
        ",
    );
    fails_all(
        r"
        x = «1.25(3.5)» → `1.25(3.5)` can be read in two ways → write the product as `1.25*(3.5)`, an uncertainty as in `1.00 ± 0.02`
        x = «1.25(3)» ± 0.1 → `1.25(3)` can be read in two ways → write the product as `1.25*(3)`, an uncertainty as in `1.00 ± 0.02`
        «1.00(2)» → `1.00(2)` can be read in two ways → write the product as `1.00*(2)`, an uncertainty as in `1.00 ± 0.02`
        1«/2x» → `1/2x` can be read in two ways → write `1/(2*x)` or `1/2*x`
        y + a*b«/2x^2» + 1 → `a*b/2x^2` can be read in two ways → write `a*b/(2*x^2)` or `a*b/2*x^2`
        (a+b)«/2(x+1)» → `(a+b)/2(x+1)` can be read in two ways → write `(a+b)/(2*(x+1))` or `(a+b)/2*(x+1)`
        1«/-2x» → `1/-2x` can be read in two ways → write `1/(-2*x)` or `1/-2*x`
        a «% 2b» → `a % 2b` can be read in two ways → write `a%(2*b)` or `a%2*b`
        2«^3x» → `2^3x` can be read in two ways → write `2^(3*x)` or `2^3*x`
        2«^-3x» → `2^-3x` can be read in two ways → write `2^(-3*x)` or `2^-3*x`
        x^2«^3f(y)!» → `x^2^3f(y)!` can be read in two ways → write `x^2^(3*f(y)!)` or `x^2^3*f(y)!`
        «√2x» → `√2x` can be read in two ways → write `√(2*x)` or `√2*x`
        f(1«÷2x», 3) → `1÷2x` can be read in two ways → write `1÷(2*x)` or `1÷2*x`
        ",
    );
}

#[test]
fn nothing_else_multiplies_silently() {
    fails_all(
        r"
        2 «pi» → expected an operator between `2` and `pi` → to multiply, write `2*pi`
        a «b» → expected an operator between `a` and `b` → to multiply, write `a*b`
        (a)«(b)» → expected an operator between `(a)` and `(b)` → to multiply, write `(a)*(b)`
        (a+b)«3» → expected an operator between `(a+b)` and `3` → to multiply, write `(a+b)*3`
        a «3» → expected an operator between `a` and `3` → to multiply, write `a*3`
        5!«x» → expected an operator between `5!` and `x` → to multiply, write `5!*x`
        sin «x» → expected an operator between `sin` and `x` → to multiply, write `sin*x`
        1 + sin «2x^2» + 1 → expected an operator between `sin` and `2x^2` → to multiply, write `sin*2x^2`
        f(x)«(y)» → expected an operator between `f(x)` and `(y)` → to multiply, write `f(x)*(y)`
        a.data «b» → expected an operator between `a.data` and `b` → to multiply, write `a.data*b`
        a@1 «@2» → expected an operator between `a@1` and `@2` → to multiply, write `a@1*@2`
        2x²«y» → expected an operator between `x²` and `y` → to multiply, write `x²*y`
        x«√2» → expected an operator between `x` and `√2` → to multiply, write `x*√2`
        1 «2» → expected an operator between `1` and `2` → to multiply, write `1*2`
        2 «(3)» → expected an operator between `2` and `(3)` → to multiply, write `2*(3)`
        2«@9» → expected an operator between `2` and `@9` → to multiply, write `2*@9`
        2«$3» → expected an operator between `2` and `$3` → to multiply, write `2*$3`
        const «x» → expected an operator between `const` and `x` → a frozen leaf is made by `const x = 2`
        x «y» = 3 → expected an operator between `x` and `y` → to multiply, write `x*y`
        2*@1 «b» → expected an operator between `@1` and `b` → to multiply, write `@1*b`
        @1 «b» → expected an operator between `@1` and `b` → to multiply, write `@1*b`
        a «b@2» → expected an operator between `a` and `b@2` → to multiply, write `a*b@2`
        2 «@1»² → expected an operator between `2` and `@1` → to multiply, write `2*@1`
        x*(a + 1) «b» → expected an operator between `(a + 1)` and `b` → to multiply, write `(a + 1)*b`
        x*((a) + (1)) «b» → expected an operator between `((a) + (1))` and `b` → to multiply, write `((a) + (1))*b`
        2 «(b)»(c) → expected an operator between `2` and `(b)` → to multiply, write `2*(b)`
        2 «f'(x)!» + 1 → expected an operator between `2` and `f'(x)!` → to multiply, write `2*f'(x)!`
        ",
    );
}

#[test]
fn chains_of_comparisons() {
    reads_all(
        r"
        1 < x < 3 → (if (then (< 1 x)) (else (< x 3)) False)
        a < b <= c != 2 → (if (then (if (then (< a b)) (else (<= b c)) False)) (else (!= c 2)) False)
        (1 < x) < 3 → (< (< 1 x) 3)
        x in xs == y → (if (then (is_in x xs)) (else (== xs y)) False)
        1 < f(x) < 3 → (.[] (for (in ([] (f x)) v1) (if (then (< 1 v1)) (else (< v1 3)) False)) 0)
        v1 < f(x) < 3 → (.[] (for (in ([] (f x)) v2) (if (then (< v1 v2)) (else (< v2 3)) False)) 0)
        x not in xs → (== (is_in x xs) 0)
        a = 2 in xs → a = (is_in 2 xs)
        a = 2 in 0..10 → a = 2 in 0..10
        ",
    );
}

#[test]
fn two_readings_are_refused() {
    fails_all(
        r"
        √a«/2x» → `√a/2x` can be read in two ways → write `√a/(2*x)` or `√a/2*x`
        -a«/2x» → `-a/2x` can be read in two ways → write `-a/(2*x)` or `-a/2*x`
        b - a«/2x» → `a/2x` can be read in two ways → write `a/(2*x)` or `a/2*x`
        b*-a«/2x» → `b*-a/2x` can be read in two ways → write `b*-a/(2*x)` or `b*-a/2*x`
        f(c, -a«/2x») → `-a/2x` can be read in two ways → write `-a/(2*x)` or `-a/2*x`
        (-a«/2x») → `-a/2x` can be read in two ways → write `-a/(2*x)` or `-a/2*x`
        b = -a«/2x» → `-a/2x` can be read in two ways → write `-a/(2*x)` or `-a/2*x`
        3a«/2x» → `3a/2x` can be read in two ways → write `3a/(2*x)` or `3a/2*x`
        3a«^2x» → `3a^2x` can be read in two ways → write `3a^(2*x)` or `3a^2*x`
        2«^3x²» → `2^3x²` can be read in two ways → write `2^(3*x²)` or `2^3*x²`
        a«/2f'(x)» → `a/2f'(x)` can be read in two ways → write `a/(2*f'(x))` or `a/2*f'(x)`
        1«/2√x» → `1/2√x` can be read in two ways → write `1/(2*√x)` or `1/2*√x`
        x²«.tanh()»! → `x².tanh()` can be read in two ways → write `(x²).tanh()`
        x²«^-3»*2 → `x²^-3` can be read in two ways → write `(x²)^-3`
        f(x)!«!» → `f(x)!!` can be read in two ways → the factorial of the factorial is `(f(x)!)!`; the double factorial is written out: `5*3*1`
        x⁻⁴⁵«^3» → `x⁻⁴⁵^3` can be read in two ways → write `(x⁻⁴⁵)^3`
        x¹⁶⁷«^3» → `x¹⁶⁷^3` can be read in two ways → write `(x¹⁶⁷)^3`
        x³⁸⁹⁰«.tanh()» → `x³⁸⁹⁰.tanh()` can be read in two ways → write `(x³⁸⁹⁰).tanh()`
        x²«^3» → `x²^3` can be read in two ways → write `(x²)^3`
        (a+b)⁻¹«!» → `(a+b)⁻¹!` can be read in two ways → write `((a+b)⁻¹)!`
        x²«.tanh()» + 1 → `x².tanh()` can be read in two ways → write `(x²).tanh()`
        ",
    );
}

#[test]
fn bindings() {
    reads_all(
        r"
        a, b, c = 2, -3, 10 → a, b, c = 2, -3, 10
        a=2 → a = 2
        a ,b= 1,f(2,3) → a, b = 1, (f 2 3)
        c += 1 → c = (+ c 1)
        c -= 1 → c = (- c 1)
        c *= 2 → c = (* c 2)
        c /= 2 → c = (/ c 2)
        c %= 2 → c = (% c 2)
        c ^= 2 → c = (^ c 2)
        c **= 2 → c = (^ c 2)
        c ×= 2 → c = (* c 2)
        c −= 2 → c = (- c 2)
        c=-3 → c = -3
        a = b == c → a = (== b c)
        a == b → (== a b)
        const x1 = 2 → const x1 = 2
        const a, b = 1, 2 → const a, b = 1, 2
        const = 3 → const = 3
        const + 1 → (+ const 1)
        constx = 3 → constx = 3
        ",
    );
    reads("const\ta = 1", "const a = 1");
    reads("a\u{A0}=\u{A0}1\t+ 2", "a = (+ 1 2)");
    fails_all(
        r"
        «2» = a → expected a name to the left of `=`, found `2` → a name is bound by `NAME = 2`; to compare, write `2 == a`
        «a.grad» = 3 → expected a name to the left of `=`, found `a.grad` → a name is bound by `NAME = 2`; to compare, write `a.grad == 3`
        «a@1» = 3 → expected a name to the left of `=`, found `a@1` → a name is bound by `NAME = 2`; to compare, write `a@1 == 3`
        «$3» = 3 → expected a name to the left of `=`, found `$3` → a name is bound by `NAME = 2`; to compare, write `$3 == 3`
        «2a» += 3 → expected a name to the left of `+=`, found `2a` → a name is rebound by `NAME += 1`
        (a «=» b) → `=` is not allowed inside an expression → to compare, use `==`
        c = (a «=» b) → `=` is not allowed inside an expression → 〃
        max(a = 1, «2») → an argument without a name comes before those with one → to compare, use `==`
        a, b += «[1, 2]» → there are not as many values as names → each name takes one value: `NAME, NAME = 1, 2`
        a += 1 «+=» 2 → `+=` is not allowed inside an expression → `NAME += 1` is a statement of its own
        a, b = «1, 2, 3» → there are not as many values as names → each name takes one value: `NAME, NAME = 1, 2`
        a = «1, 2» → `a` takes one value → a list has brackets: `a = [1, 2]`; a decimal point is `.`
        a, b, «a» = 1, 2, 3 → `a` is bound twice → a statement binds each of its names once
        a =« → expected an expression after `=`, found the end → a value comes after `=`: `… = 2`
        a, b = 1,« → expected an expression after `,`, found the end
        «=» 3 → expected an expression, found `=` → a name is bound by `NAME = 2`
        ",
    );
}

#[test]
fn what_is_missing_or_too_much() {
    fails_all(
        r"
        a +« → expected an expression after `+`, found the end → `+` needs an operand on both sides: `… + …`
        a * «/» b → expected an expression after `*`, found `/` → `*` needs an operand on both sides: `… * …`
        a * «*» b → expected an expression after `*`, found `*` → a power is `…^…` or, without a blank, `…**…`
        a < «=» b → expected an expression after `<`, found `=` → comparisons are `<`, `<=`, `>`, `>=`, `==`, `!=`, without a blank inside
        a = «=» b → expected an expression after `=`, found `=` → 〃
        «*» a → expected an expression, found `*` → `*` needs an operand on both sides: `… * …`
        f(a,«)» → expected an expression after `,`, found `)`
        f(1,«,»2) → expected an expression after `,`, found `,` → a comma separates two operands: `[…, …]`
        (a +«)» → expected an expression after `+`, found `)` → `+` needs an operand on both sides: `… + …`
        «()» → expected an expression between the brackets → write `(…)`, or delete the brackets
        f'«()» → `f` is called without arguments → a function takes at least one argument: `f(…)`
        «(»a → `(` was never closed → add the `)` that matches it
        L = «(»a*b + c * f → `(` was never closed → 〃
        f«(»(a) + → `(` was never closed → 〃
        a = 1; b = «(»; c → `(` was never closed → 〃
        (a + b)«)» → one `)` too many: no bracket is open here → delete it, or open the bracket
        «)» → one `)` too many: no bracket is open here → 〃
        a«]» → one `]` too many: no bracket is open here → 〃
        a «:» b → `:` is allowed only at the beginning of a command → a command is a statement of its own: `:grad ROOT`
        «!»x → `!` comes after its operand → a factorial is `…!`; unequal is `… != …`; not so is `… == 0`
        a«.foo» → expected `.data`, `.grad` or a call, found `.foo` → a value has `.data`, `.grad` and `.sigma`; a function is called with brackets: `….foo()`
        a + «.foo» → expected an expression after `+`, found `.foo` → `+` needs an operand on both sides: `… + …`
        a «?» b → `?` means nothing here → a choice is `if(…, …, …)`; help is `:help`
        a «–» b → `–` means nothing here → did you mean `-`?
        «{»a} → `{` means nothing here → a list is `[1, 2]`, and brackets are round: `(…)`
        a «\» b → `\` means nothing here → a line goes on in the next one if `\` is its last character
        a«#»b → `#` means nothing here → a comment begins after a blank: `a # so`; a path with `#` is quoted
        «@99999999999» → `@99999999999` is larger than any number in use → `:vars` lists all names
        ",
    );
    fails(
        "a «\u{2003}»b",
        "this blank means nothing here",
        "write a space",
    );
    fails_all(
        r"
        x«'» → a prime differentiates a function, and `x` is not called → the derivative of a function is `…'(3)`, that of a value `grad(x, LEAF)`
        x«’» + 1 → a prime differentiates a function, and `x` is not called → the derivative of a function is `…'(3)`, that of a value `grad(x, LEAF)`
        (a)«'» → a prime stands between a function's name and its bracket → the derivative of a function is `…'(3)`, that of a value `grad(ROOT, LEAF)`
        f(x)«'»(y) → a prime stands between a function's name and its bracket → the derivative of a function is `…'(3)`, that of a value `grad(ROOT, LEAF)`
        2«'»(x) → a prime stands between a function's name and its bracket → the derivative of a function is `…'(3)`, that of a value `grad(ROOT, LEAF)`
        ",
    );
    // What looks like one of the language's own signs is told which.
    for (strangers, own) in [
        ("–—‐‑‒﹣－", "-"),
        ("∗⁎＊•⨯✕", "*"),
        ("⁄∕／", "/"),
        ("＋", "+"),
        ("＝", "="),
        ("′`´‘", "'"),
        ("（", "("),
        ("）", ")"),
        ("，", ","),
    ] {
        for stranger in strangers.chars() {
            fails(
                &format!("a «{stranger}» b"),
                &format!("`{stranger}` means nothing here"),
                &format!("did you mean `{own}`?"),
            );
        }
    }
    fails_all(
        r"
        a «&» b → `&` means nothing here → both of two conditions: `… and …`
        «|»a| → `|` means nothing here → an absolute value is `abs(a)`
        «|»*a → `|` means nothing here
        p = 2, q «=» 3 → `,` does not separate statements → write `p = 2; q = 3`
        a «~»= b → `~` means nothing here → unequal is `… != …`; not so is `… == 0`
        a + «∞» → `∞` means nothing here → write `inf`
        a «§» b → `§` means nothing here → an expression has numbers, names, operators and brackets: `2*(3 + 4)`
        ",
    );
    let limit = "'".repeat(255);
    assert!(read(&format!("f{limit}(x)")).is_ok());
    let error = read(&format!("f{limit}'(x)")).unwrap_err();
    assert_eq!(error.message, "a function has at most 255 primes");
}

#[test]
fn errors_point_to_more_than_one_place() {
    for (text, label, others) in [
        ("[1)", "", vec![("[", "opened here")]),
        ("1..2..3", "", vec![("..", "the range")]),
        ("[x for x, x in w]", "again here", vec![("x", "first here")]),
        ("a, a = 1, 2", "again here", vec![("a", "first here")]),
        ("f(x, x) = 2x", "again here", vec![("x", "first here")]),
        ("1e999", "more than 1.7976931348623157e308", vec![]),
        ("(a", "opened here", vec![]),
        ("a b", "an operator is missing before this", vec![]),
        ("a +", "an expression is missing", vec![]),
    ] {
        let error = read(text).unwrap_err();
        assert_eq!(error.label, label, "{text}");
        let found = error.other;
        let found: Vec<_> = found
            .iter()
            .map(|(span, label)| (span.of(text), label.as_str()))
            .collect();
        assert_eq!(found, others, "{text}");
    }
    let error = read("1 + 2sin x^2 - 3").unwrap_err();
    let beside = error.juxtaposed.unwrap();
    assert_eq!(beside.left, "sin");
    assert_eq!(beside.right, Juxtaposition::Operand("x^2".to_string()));
}

#[test]
fn commands() {
    reads_all(
        r#"
        :grad L wrt a b → :grad L|wrt|a|b
        :g L; → :g L;
        :grad(L) → :grad (L)
        :set a 3, b a/2 → :set a|3|,|b|a/2
        :set a = -3 → :set a|=|-3
        :guess (a*b + c) -2 → :guess (a*b + c)|-2
        :step -0.01 3 # down → :step -0.01|3
        :plot x^2 x=-5..5 "my file.svg" → :plot x^2|x=-5..5|"my file.svg"
        :load 'a;b #1.calc'; a → :load 'a;b #1.calc'; a
        :explain a@1 of @9 → :explain a@1|of|@9
        :grad f'(x) + max(a, b) → :grad f'(x)|+|max(a, b)
        :help don't → :help don't
        a = 1; :grad a → a = 1; :grad a
        "#,
    );
    reads(":grad", ":grad ");
    reads(":grad (a +\n b) # c\n wrt a", ":grad (a +\n b)|wrt|a");
    fails_all(
        r#"
        «:» grad → expected a command right after `:` → `:help all` lists the commands
        «:»1 → expected a command right after `:` → 〃
        «:» → expected a command right after `:` → 〃
        :grad «(»a + b → `(` was never closed → add the `)` that matches it
        :load «"»a b → `"` was never closed → a text in quotes ends with `"` on the same line
        "#,
    );
}

#[test]
fn several_lines() {
    reads_all(
        r"
        a \ → a
        a # b → a
        a = 1;# b → a = 1;
        a = 1; ; b → a = 1; empty; b
        ; → empty;
        ",
    );
    reads("a + (b\n + c # comment (\n)", "(+ a (+ b c))");
    reads("a + \\\n b", "(+ a b)");
    reads("a = \\\n\\\n 2", "a = 2");
    reads("f(\n  a, # first\n  b\n)", "(f a b)");
    reads("# a", "");
    reads("", "");
    reads("  \t\u{A0}", "");
}

#[test]
fn definitions() {
    reads_all(
        r"
        f(x) = 3x^2 - 4x + 5 → f(x) = (+ (- (* 3 (^ x 2)) (* 4 x)) 5)
        g(x, y) = f(x)*y → g(x, y) = (* (f x) y)
        f(x)=x → f(x) = x
        f ( x , y ) = x*y → f(x, y) = (* x y)
        f(f) = f → f(f) = f
        if(x) = x → if(x) = x
        const(x) = x → const(x) = x
        h(π) = 2π → h(pi) = (* 2 pi)
        c(x) = x == 1 → c(x) = (== x 1)
        c(x) == 1 → (== (c x) 1)
        f(x) = 2x; f(3); g(x) = f'(x); → f(x) = (* 2 x); (f 3); g(x) = (f' x);
        ",
    );
    reads("f(x, # first\n  y # second\n) = x*y", "f(x, y) = (* x y)");
    reads("f(\tx,\u{A0}y)\t=\tx*y # so", "f(x, y) = (* x y)");
    reads("  f(x) = \\\n x^2  ", "f(x) = (^ x 2)");
    fails_all(
        r"
        f«()» = 3 → `f` is defined without a parameter → a value is bound by `f = …`, a function defined by `f(x) = …`
        f«( )» = 3 → `f` is defined without a parameter → 〃
        f(«2») = 3 → expected the name of a parameter, found `2` → parameters are names: `f(x) = …`; a function is called by itself: `…(2)`
        f(«x+1») = 2x → expected the name of a parameter, found `x+1` → 〃
        f(x, «a@1») = 2x → expected the name of a parameter, found `a@1` → 〃
        f(x, «x = 2») = 2x → expected the name of a parameter, found `x = 2` → 〃
        f(«(x, y)») = x*y → expected the name of a parameter, found `(x, y)` → 〃
        f(x,«)» = 2x → expected the name of a parameter after `,`, found `)` → write it, or delete the comma: `f(x, y) = …`
        f(«,» x) = 2x → expected the name of a parameter after `(`, found `,` → 〃
        f(x,«)» → expected an expression after `,`, found `)`
        f(x, «x») = 2x → two parameters are called `x` → give each parameter a name of its own
        f(x, y, «x», y) = 2x → two parameters are called `x` → 〃
        f«'»(x) = 2x → a derivative follows from its function: `f` itself is to be defined → write `f(x) = …`, then `f'(3)` is its derivative at 3
        f«''»(x) = 2x → a derivative follows from its function: `f` itself is to be defined → 〃
        f(x) «+=» 1 → a function is defined with `=`, `+=` changes a value → `f(x) = …` defines it anew
        «const» f(x) = 2x → `const` stands before a number's name, and `f(x)` is a function → write `f(x) = …`
        «f(x), g(x)» = 2x, 3x → expected a name to the left of `=`, found `f(x), g(x)` → a name is bound by `NAME = 2`; to compare, write `f(x), g(x) == 2x`
        «a, f(x)» = 2, 3x → expected a name to the left of `=`, found `a, f(x)` → a name is bound by `NAME = 2`; to compare, write `a, f(x) == 2`
        f(x) = «2x, 3x» → a function has one body → a list has brackets: `NAME(x) = [x, x^2]`
        f(x) =« → expected an expression after `=`, found the end → a value comes after `=`: `… = 2`
        f(x) = «*» 2 → expected an expression after `=`, found `*` → a value comes after `=`: `… = 2`
        f(x) = 2 «pi» → expected an operator between `2` and `pi` → to multiply, write `2*pi`
        f(x) = y «=» 2 → `=` is not allowed inside an expression → to compare, use `==`
        f(x) = g(y) «=» 2 → `=` is not allowed inside an expression → 〃
        «f(x)(y)» = 2 → expected a name to the left of `=`, found `f(x)(y)` → a name is bound by `NAME = 2`
        «a.f(x)» = 2 → expected a name to the left of `=`, found `a.f(x)` → a name is bound by `NAME = 2`; to compare, write `a.f(x) == 2`
        «2f(x)» = 2 → expected a name to the left of `=`, found `2f(x)` → a name is bound by `NAME = 2`; to compare, write `2f(x) == 2`
        ",
    );
}

#[test]
fn lines_of_the_lecture() {
    reads_all(
        r#"
        a = Value(2.0, label='a') → a = (label=a (Value 2.0))
        x1w1 = Value(2, label="x1*w1") → x1w1 = (label=x1*w1 (Value 2))
        a=Value( data = -3.0 , label = '' ) → a = (label= (Value -3.0))
        a = Value(value=2.0) → a = (Value 2.0)
        a = Value(max(1, 2)*(3 + b), label='(c, label=)',) → a = (label=(c, label=) (Value (* (max 1 2) (+ 3 b))))
        a = Value(2.0) → a = (Value 2.0)
        n.label = 'n' → label|n|n
        x1w1.label='x1*w1 + b' → label|x1w1|x1*w1 + b
        a@1.label = "old"; @9.label = ''; $3.label = "it's" → label|a@1|old; label|@9|; label|$3|it's
        e = a*b; e.label = 'e' → e = (* a b); label|e|e
        a.data = 3 → data|a|3
        a.data -= 0.01*a.grad → data|a|(- a (* 0.01 (.grad a)))
        a.data **= 2 → data|a|(^ a 2)
        @9.data = b == c → data|@9|(== b c)
        a.data == 3 → (== (.data a) 3)
        w[1].data = 3 → data|w[1]|3
        W[1][2].data += 1 → data|W[1][2]|(+ (.[] (.[] W 1) 2) 1)
        w[v[1].data].data = v[2].data → data|w[v[1].data]|(.data (.[] v 2))
        a@1[2].label = 'old'; $3[1].label = 'q' → label|a@1[2]|old; label|$3[1]|q
        w[2].data == 3 → (== (.data (.[] w 2)) 3)
        a = Value([1, 2], label='a') → a = (label=a (Value ([] 1 2)))
        print('L', [a, b], w[2]) → (print 'L' ([] a b) (.[] w 2))
        L.backward() → (backward L)
        print(a*b) → (print (* a b))
        print('d1', d1) → (print 'd1' d1)
        print( "max" , max(a, b), a ) → (print 'max' (max a b) a)
        print('a, (b', a) → (print 'a, (b' a)
        print('hello') → (print 'hello')
        print('a', b, ) → print|"a"|b
        "#,
    );
    fails_all(
        r"
        a.data =« → expected an expression after `=`, found the end → a value comes after `=`: `… = 2`
        a.data = 2 «pi» → expected an operator between `2` and `pi` → to multiply, write `2*pi`
        a = Value(2 «pi», label='a') → expected an operator between `2` and `pi` → to multiply, write `2*pi`
        a = Value(label «=» 'a') → `=` is not allowed inside an expression → to compare, use `==`
        a = Value(2, '+', label «=» 'a') → `=` is not allowed inside an expression → an argument has no name here: write `'a'` alone; to compare, use `==`
        n.label = «n» → expected a text in quotes, found `n` → as in `NODE.label = 'n'`
        print('a', a «b») → expected an operator between `a` and `b` → to multiply, write `a*b`
        ",
    );
    let text = "x = 1; (a*b + c).backward()";
    let cut = statements(text).nth(1).unwrap().unwrap();
    let Statement::Expression(expression) = statement(text, &cut).unwrap() else {
        panic!("no expression")
    };
    let line = called_step(text, &expression).unwrap().unwrap();
    assert_eq!(python_line(text, line), "backward|(a*b + c)");
    let text = "print(f(a, b), -c)";
    let printed = expression_of(text);
    assert_eq!(
        python_line(text, called_step(text, &printed).unwrap().unwrap()),
        "print|(f a b)|-c".replace("-c", "(- c)")
    );
    let line = |text| called_step(text, &expression_of(text));
    for (text, expected) in [
        ("x.append(2a + f(b))", "Append|x|(+ (* 2 a) (f b))"),
        (
            "x.extend([k*a for k in ys])",
            "Extend|x|(for (in ys k) (* k a))",
        ),
        ("x.append([])", "Append|x|([] )"),
        ("random.shuffle(x)", "Replace|x|(random.shuffled x)"),
    ] {
        assert_eq!(python_line(text, line(text).unwrap().unwrap()), expected);
    }
    for text in [
        "w[1].append(2)",
        "f(x).append(2)",
        "(-x).extend(y)",
        "[1].append(2)",
    ] {
        assert!(line(text).unwrap().is_err(), "{text}");
    }
    assert!(line("x.append(1, 2)").is_none() && line("tanh(a)").is_none());
}

fn expression_of(text: &str) -> Expression {
    expression(text, Span::new(0, text.len())).unwrap()
}

/// Whatever is repeated in them, lines of the lecture are read in a time that grows with their length.
#[test]
fn long_lines_of_the_lecture_take_no_longer() {
    let many = 40_000;
    for text in [
        format!("print('a',{}1)", " ".repeat(many)),
        format!("print('a'{})", ", 1".repeat(many)),
        format!("print('a', 1\n{})", " , # , # , #".repeat(many)),
        format!("a = Value({}1, label='a')", "1 + ".repeat(many)),
        format!("a = Value(1{}, label='a')", ",".repeat(many)),
        format!("print('a'{}", ", (".repeat(many / 100)),
        format!("a.data = {}", ".backward ".repeat(many)),
        format!("f({}) = 1", "x, ".repeat(many)),
        format!("f({}x) = x", "x , ".repeat(many)),
        format!("f{} = x", "(".repeat(499)),
    ] {
        let start = std::time::Instant::now();
        let _ = read(&text);
        assert!(start.elapsed().as_secs() < 10, "{}", &text[..30]);
    }
}

#[test]
fn lists_and_indices() {
    reads_all(
        r"
        [a, b] → ([] a b)
        [x] → ([] x)
        [ ] → ([] )
        [[], [1], []] → ([] ([] ) ([] 1) ([] ))
        [1, 2,] → ([] 1 2)
        [1, 2 , ] → ([] 1 2)
        [ 1,2 ] → ([] 1 2)
        [[1, 2], [3, 4]] → ([] ([] 1 2) ([] 3 4))
        [-1, -x, √y, (a + b)*c] → ([] -1 (- x) (sqrt y) (* (+ a b) c))
        [@9, $3, a@1] → ([] @9 $3 a@1)
        w[2] → (.[] w 2)
        W[2][1] → (.[] (.[] W 2) 1)
        w[2..3] → (.[] w (.. 2 3))
        w[[3, 1]] → (.[] w ([] 3 1))
        w[ i + 1 ] → (.[] w (+ i 1))
        a@1[2] → (.[] a@1 2)
        $3[2] → (.[] $3 2)
        ans[2] + _[1] → (+ (.[] ans 2) (.[] _ 1))
        3w[2] → (* 3 (.[] w 2))
        √w[1] → (sqrt (.[] w 1))
        w[1]!=2 → (!= (.[] w 1) 2)
        -w[2] → (- (.[] w 2))
        w[1]! → (! (.[] w 1))
        w[1].tanh() → (tanh (.[] w 1))
        w.tanh()[1] → (.[] (tanh w) 1)
        w[2].data → (.data (.[] w 2))
        w[1]^2 → (^ (.[] w 1) 2)
        2^w[1] → (^ 2 (.[] w 1))
        w[1]² → (^ (.[] w 1) 2)
        f(w)[1] → (.[] (f w) 1)
        (u)[1] → (.[] u 1)
        2(u)[1] → (* 2 (.[] u 1))
        [1, 2][1] → (.[] ([] 1 2) 1)
        grad(y, w)[2] → (.[] (grad y w) 2)
        f'(x)[1] → (.[] (f' x) 1)
        w[v[1]] → (.[] w (.[] v 1))
        w[len(w)] → (.[] w (len w))
        w[0] → (.[] w 0)
        w[-1] → (.[] w -1)
        w[-len(w)] → (.[] w (- (len w)))
        f(w)[-3] → (.[] (f w) -3)
        W[0, -1] → (.[] (.[] W 0) -1)
        T[i + 1, j, k] → (.[] (.[] (.[] T (+ i 1)) j) k)
        w[1:3] → (.[:] w 1 3)
        w[:-1] → (.[:] w -inf -1)
        w[ k : ] → (.[:] w k inf)
        w[:] → (.[:] w -inf inf)
        w[::2] → (.[:] w -inf inf 2)
        w[5:1:-1] → (.[:] w 5 1 -1)
        w[1:2:] → (.[:] w 1 2)
        W[1:][0] → (.[] (.[:] W 1 inf) 0)
        w[1..2:n].data → (.data (.[:] w (.. 1 2) n))
        2w[1] + w → (+ (* 2 (.[] w 1)) w)
        ",
    );
}

#[test]
fn ranges() {
    reads_all(
        r"
        1..n → (.. 1 n)
        1..n + 1 → (.. 1 (+ n 1))
        -1..1 → (.. -1 1)
        2..n == 3 → (.. 2 (== n 3))
        (0..10)/10 → (/ (.. 0 10) 10)
        xs = 1..5 → xs = (.. 1 5)
        f(1..3) → (f (.. 1 3))
        f(a, 1 .. 3) → (f a (.. 1 3))
        [1..3] → (.. 1 3)
        [1..3][2] → (.[] (.. 1 3) 2)
        [(1..3)] → ([] (.. 1 3))
        [1..3,] → (.. 1 3)
        [1..3, 4] → ([] (.. 1 3) 4)
        [4, 1..3] → ([] 4 (.. 1 3))
        [[1..3]] → ([] (.. 1 3))
        0...5 → (.. 0 0.5)
        1.5..2.5 → (.. 1.5 2.5)
        a.data..b → (.. (.data a) b)
        -a..-b → (.. (- a) (- b))
        2a..3b! → (.. (* 2 a) (* 3 (! b)))
        ",
    );
}

#[test]
fn comprehensions() {
    reads_all(
        r"
        [x^2 for x in xs] → (for (in xs x) (^ x 2))
        [x for x in xs if x > 0] → (join (for (in xs x) (if (then (> x 0)) (else ([] x)) ([] ))))
        [x*y for x in xs for y in ys] → (join (for (in xs x) (for (in ys y) (* x y))))
        [a*b for a, b in zip(u, v)] → (for (in (zip u v) a b) (* a b))
        [a*b for (a, b) in zip(u, v)] → (for (in (zip u v) a b) (* a b))
        [a*b for(a ,b)in(zip(u, v))] → (for (in (zip u v) a b) (* a b))
        [1 for k in 1..10] → (for (in (.. 1 10) k) 1)
        [k for k in -1..1] → (for (in (.. -1 1) k) k)
        [1..k for k in 1..3] → (for (in (.. 1 3) k) (.. 1 k))
        [x < 2 for x in [1, 2, 3]] → (for (in ([] 1 2 3) x) (< x 2))
        [[i*j for j in 1..i] for i in 1..3] → (for (in (.. 1 3) i) (for (in (.. 1 i) j) (* i j)))
        [x for x in [y for y in z]] → (for (in (for (in z y) y) x) x)
        [-x for x in [y for y in z]] → (for (in (for (in z y) y) x) (- x))
        sum(k^2 for k in 1..10) → (sum (for (in (.. 1 10) k) (^ k 2)))
        1 + 2sum(k for k in w)/3 → (+ 1 (/ (* 2 (sum (for (in w k) k))) 3))
        f(a, sum(k + a for k in w), [x for x in a]) → (f a (sum (for (in w k) (+ k a))) (for (in a x) x))
        (x for x in xs)[2] → (.[] (for (in xs x) x) 2)
        f(g(x) for x in xs)[2] → (.[] (f (for (in xs x) (g x))) 2)
        f'(x for x in xs) → (f' (for (in xs x) x))
        [x for x in @9] → (for (in @9 x) x)
        [x for x in $3] → (for (in $3 x) x)
        [w for w in W][1][2] → (.[] (.[] (for (in W w) w) 1) 2)
        [2π for π in xs] → (for (in xs pi) (* 2 pi))
        for = 2; 2for → for = 2; (* 2 for)
        in = 3; in + for → in = 3; (+ in for)
        [for for for in for] → (for (in for for) for)
        [in for in in in] → (for (in in in) in)
        for[in] → (.[] for in)
        [2for for x in w] → (for (in w x) (* 2 for))
        ypred = [n(x) for x in xs] → ypred = (for (in xs x) (n x))
        loss = sum((yout - ygt)**2 for ygt, yout in zip(ys, ypred)) → loss = (sum (for (in (zip ys ypred) ygt yout) (^ (- yout ygt) 2)))
        neuron(n) = [[uniform(-1, 1) for i in 1..n], uniform(-1, 1)] → neuron(n) = ([] (for (in (.. 1 n) i) (uniform -1 1)) (uniform -1 1))
        out(layer, x) = [tanh(dot(w, x) + b) for w, b in layer] → out(layer, x) = (for (in layer w b) (tanh (+ (dot w x) b)))
        c = [x == 1 for x in w] → c = (for (in w x) (== x 1))
        a, b = [1, 2], 3 → a, b = ([] 1 2), 3
        a, b = f(x) → a, b = (f x)
        const x = [1, 2] → const x = ([] 1 2)
        w += 1..3 → w = (+ w (.. 1 3))
        ",
    );
    reads("[\n  1, # one\n  2,\n]", "([] 1 2)");
    reads(
        "[x^2\n for x\n in\n [1,\n 2]\n]",
        "(for (in ([] 1 2) x) (^ x 2))",
    );
    reads("[x\u{A0}for\tx # so\n , y in xs]", "(for (in xs x y) x)");
}

#[test]
fn what_is_wrong_with_lists() {
    fails_all(
        r"
        w«[]» → expected a position between the brackets → the first item is `w[0]`
        [1, «,» 2] → expected an expression after `,`, found `,` → a comma separates two operands: `[…, …]`
        [«,» 1] → expected an expression after `[`, found `,` → a comma separates two operands: `[…, …]`
        «[»1, 2 → `[` was never closed → add the `]` that matches it
        w«[»1 → `[` was never closed → add the `]` that matches it
        a = [1, f(2«]» → `(` is closed by `)`, not by `]` → close it by `)`, or put a `)` before the `]`
        «[»a; b] → `[` was never closed → `;` ends a statement: items are separated by `,`, and rows are lists: `[[1, 2], [3, 4]]`
        m = «[»1, 2; 3, 4] → `[` was never closed → `;` ends a statement: items are separated by `,`, and rows are lists: `[[1, 2], [3, 4]]`
        a = [b «=» 2] → `=` is not allowed inside an expression → to compare, use `==`
        «]» → one `]` too many: no bracket is open here → delete it, or open the bracket
        a«]» → one `]` too many: no bracket is open here → delete it, or open the bracket
        (1«]» → `(` is closed by `)`, not by `]` → close it by `)`, or put a `)` before the `]`
        [1«)» → `[` is closed by `]`, not by `)` → close it by `]`, or put a `]` before the `)`
        [(1«]» → `(` is closed by `)`, not by `]` → close it by `)`, or put a `)` before the `]`
        f(w«]» → `(` is closed by `)`, not by `]` → close it by `)`, or put a `)` before the `]`
        w[1«)» → `[` is closed by `]`, not by `)` → close it by `]`, or put a `]` before the `)`
        sum(k for k in w«]» → `(` is closed by `)`, not by `]` → close it by `)`, or put a `)` before the `]`
        [k for k in w«)» → `[` is closed by `]`, not by `)` → close it by `]`, or put a `]` before the `)`
        [1 «2»] → expected a comma or an operator between `1` and `2` → separate items by a comma, `[1, 2]`; to multiply, write `1*2`
        [1, a «b»] → expected a comma or an operator between `a` and `b` → separate items by a comma, `[a, b]`; to multiply, write `a*b`
        [[1, 2] «[3, 4]»] → expected a comma or an operator between `[1, 2]` and `[3, 4]` → separate items by a comma, `[[1, 2], [3, 4]]`; to multiply, write `[1, 2]*[3, 4]`
        [[1, 2]«[3, 4]»] → expected a comma or an operator between `[1, 2]` and `[3, 4]` → separate items by a comma, `[[1, 2], [3, 4]]`; to multiply, write `[1, 2]*[3, 4]`
        [1 «[2, 3]»] → expected a comma or an operator between `1` and `[2, 3]` → separate items by a comma, `[1, [2, 3]]`; to multiply, write `1*[2, 3]`
        a = «1, 2» → `a` takes one value → a list has brackets: `a = [1, 2]`; a decimal point is `.`
        f(x) = «2x, 3x» → a function has one body → a list has brackets: `NAME(x) = [x, x^2]`
        «[a, b]» = f(x) → expected a name to the left of `=`, found `[a, b]` → a list is taken apart by names without brackets: `a, b = …`
        ",
    );
}

#[test]
fn what_is_wrong_with_indices() {
    fails_all(
        r"
        w «[1]» → an index comes directly after `w`, without a blank → write `w[1]`
        f(w) «[1]» → an index comes directly after `f(w)`, without a blank → write `f(w)[1]`
        W[1] «[2]» → an index comes directly after `W[1]`, without a blank → write `W[1][2]`
        [w «[1]»] → an index comes directly after `w`, without a blank → write `w[1]`
        2«[1, 2]» → expected a comma or an operator between `2` and `[1, 2]` → separate items by a comma, `[2, [1, 2]]`; to multiply, write `2*[1, 2]`
        3 «[1, 2]» → expected a comma or an operator between `3` and `[1, 2]` → separate items by a comma, `[3, [1, 2]]`; to multiply, write `3*[1, 2]`
        -«2[1]» → `2` is a number and has no items → to multiply, write `2*[1]`
        w^«2[1]» → `2` is a number and has no items → to multiply, write `2*[1]`
        2*f(w)^«2[1]» + 1 → `2` is a number and has no items → to multiply, write `2*[1]`
        w²«[1]» → `w²[1]` can be read in two ways → write `w[1]²` or `(w²)[1]`
        (a + b)⁻¹«[2]» → `(a + b)⁻¹[2]` can be read in two ways → write `(a + b)[2]⁻¹` or `((a + b)⁻¹)[2]`
        w!«[1]» → `w![1]` can be read in two ways → write `w[1]!` or `(w!)[1]`
        w.data«[2]» → an index comes directly after its list, `.data` after both → write `w[2].data`
        «@9[1]» → `@9` is a number and has no items → an index comes after the name of a list: `LIST[0]`
        w[1]«(x)» → expected an operator between `w[1]` and `(x)` → to multiply, write `w[1]*(x)`
        w[1]«x» → expected an operator between `w[1]` and `x` → to multiply, write `w[1]*x`
        x[1]«'» → a prime stands between a function's name and its bracket → the derivative of a function is `…'(3)`, that of a value `grad(ROOT, LEAF)`
        x[1]«'»(3) → a prime stands between a function's name and its bracket → the derivative of a function is `…'(3)`, that of a value `grad(ROOT, LEAF)`
        [1, 2]«'» → a prime stands between a function's name and its bracket → the derivative of a function is `…'(3)`, that of a value `grad(ROOT, LEAF)`
        w[1]!«!» → `w[1]!!` can be read in two ways → the factorial of the factorial is `(w[1]!)!`; the double factorial is written out: `5*3*1`
        1«/2w[1]» → `1/2w[1]` can be read in two ways → write `1/(2*w[1])` or `1/2*w[1]`
        w[a «=» 2] → `=` is not allowed inside an expression → to compare, use `==`
        «w[2]» = 5 → an item is changed in place, not by a binding → `:set w[2] 5`; in a block `w[2].data = 5`, which moves the number in every list that holds it
        «w[2]» += 1 → an item is changed in place, not by a binding → write `w[2].data += 1`, which moves the number in every list that holds it
        «w[2]» -= a + b → an item is changed in place, not by a binding → write `w[2].data -= a + b`, which moves the number in every list that holds it
        «w[2]» **= 2 → an item is changed in place, not by a binding → write `w[2].data **= 2`, which moves the number in every list that holds it
        «w[2]»= → an item is changed in place, not by a binding → `:set w[2] `
        «W[1]» = [1, 2] → an item is changed in place, not by a binding → `:set W[1] [1, 2]`; in a block `W[1].data = [1, 2]`, which moves the number in every list that holds it
        «w[1..2]» = 0 → an item is changed in place, not by a binding → `:set w[1..2] 0`; in a block `w[1..2].data = 0`, which moves the number in every list that holds it
        «a@1[2]» = 3 → an item is changed in place, not by a binding → `:set a@1[2] 3`; in a block `a@1[2].data = 3`, which moves the number in every list that holds it
        «f(w)[1]» = 3 → expected a name to the left of `=`, found `f(w)[1]` → a name is bound by `NAME = 2`; to compare, write `f(w)[1] == 3`
        «a + w[1]» = 2 → expected a name to the left of `=`, found `a + w[1]` → a name is bound by `NAME = 2`; to compare, write `a + w[1] == 2`
        const «w[2]» = 5 → expected an operator between `const` and `w[2]` → an item is frozen by `:freeze w[2]`
        «w[1].data + v[2].data» = 3 → expected a name to the left of `=`, found `w[1].data + v[2].data` → a name is bound by `NAME = 2`; to compare, write `w[1].data + v[2].data == 3`
        w[1 «2»].data = 3 → expected an operator between `1` and `2` → to multiply, write `1*2`
        ",
    );
}

#[test]
fn what_is_wrong_with_ranges() {
    fails_all(
        r"
        1..2«..»3 → a range has two ends → write `1..3`; other steps are computed: `(0..10)/10`
        f(a, 1..2n«..»x + 1, 3) → a range has two ends → write `1..x + 1`; other steps are computed: `(0..10)/10`
        «..»5 → expected an expression, found `..` → a range has both its ends: `1..5`
        1..« → expected an expression after `..`, found the end → a range has both its ends: `1..5`
        w[2..«]» → expected an expression after `..`, found `]` → a range has both its ends: `w[2..len(w) - 1]`
        w[«..»3] → expected an expression after `[`, found `..` → a range has both its ends: `w[0..3]`
        [1..«]» → expected an expression after `..`, found `]` → a range has both its ends: `1..5`
        [1«:»3] → a range is written with `..`, and both its ends are included → write `1..3`
        ",
    );
}

#[test]
fn what_is_wrong_with_for() {
    fails_all(
        r"
        x^2 «for x in» w → a `for` belongs in brackets → write `[x^2 for x in LIST]`
        y = x*a «for x, a in» zip(w, v) → a `for` belongs in brackets → write `[x^2 for x in LIST]`
        «for» k in 1..3 → `for` comes after what it repeats → write `[k^2 for k in 1..3]`
        y = «for» k in 1..3: 2k → `for` comes after what it repeats → write `[k^2 for k in 1..3]`
        [«for» i, j in zip(u, v)] → `for` comes after what it repeats → write `[k^2 for k in 1..3]`
        sum(«for» k in (1..n): print(k + é)) → `for` comes after what it repeats → write `[k^2 for k in 1..3]`
        w[k «for k in» v] → a `for` needs brackets of its own → write `LIST[[k + 1 for k in 1..3]]`
        [1, x «for x in» w] → a `for` repeats one expression, and there are several → write `[[x, x^2] for x in LIST]`
        [1, x*a «for x, a in» zip(w, v)] → a `for` repeats one expression, and there are several → write `[[x, x^2] for x in LIST]`
        f(1, x «for x in» w) → a `for` without brackets is the only argument of its call → write `…([x^2 for x in LIST], …)`
        (a + b).f(x «for x in w») → a `for` without brackets is the only argument of its call → write `[x for x in w]`
        [x for x in w«,» 1] → a `for` without brackets of its own stands alone → write `…([x^2 for x in LIST], …)`
        [x for x in w«,» ] → a `for` without brackets of its own stands alone → write `…([x^2 for x in LIST], …)`
        sum(x for x in xs«,» 2) → a `for` without brackets of its own stands alone → write `…([x^2 for x in LIST], …)`
        f(a*b for a, b in zip(x, y)«,» 2) → a `for` without brackets of its own stands alone → write `…([x^2 for x in LIST], …)`
        [«for» x in w] → `for` comes after what it repeats → write `[k^2 for k in 1..3]`
        sum(«for» k in w) → `for` comes after what it repeats → write `[k^2 for k in 1..3]`
        [k, «for» k in w] → `for` comes after what it repeats → write `[k^2 for k in 1..3]`
        [k, 2, «for» k in w] → `for` comes after what it repeats → write `[k^2 for k in 1..3]`
        sum(k^2, «for» k in w) → `for` comes after what it repeats → write `[k^2 for k in 1..3]`
        [x «for 2 in w»] → expected names and `in` after `for` → write `[k^2 for k in 1..3]`
        [x «for in w»] → expected names and `in` after `for` → write `[k^2 for k in 1..3]`
        [x «for x»] → expected names and `in` after `for` → write `[k^2 for k in 1..3]`
        sum(k^2 «for k = 1..10») → expected names and `in` after `for` → write `[k^2 for k in 1..3]`
        [x «for (x, y in w]» → expected names and `in` after `for` → write `[k^2 for k in 1..3]`
        [x for x in«]» → expected an expression after `in`, found `]`
        [x for a, «a» in w] → two items are called `a` → give each item a name of its own
        a «for» b → expected an operator between `a` and `for` → to multiply, write `a*for`
        [2«for x in w»] → expected names and `in` after `for` → write `[k^2 for k in 1..3]`
        [x for x in«'»(3)] → expected an expression after `in`, found `'`
        [x for x in xs] «y» → expected an operator between `[x for x in xs]` and `y` → to multiply, write `[x for x in xs]*y`
        ",
    );
}

#[test]
fn the_arguments_of_commands_are_expressions() {
    let text = "  :set a  b + 1 # so";
    let parsed = expression(text, Span::new(8, 15)).unwrap();
    assert_eq!(sexpr(&parsed.items), "(+ b 1)");
    assert_eq!(parsed.span, Span::new(10, 15));
    let nothing = expression(text, Span::new(8, 9)).unwrap_err();
    assert_eq!(nothing.message, "expected an expression, found nothing");
    let binding = expression("a = 1", Span::new(0, 5)).unwrap_err();
    assert_eq!(
        binding.message,
        "expected a name to the left of `=`, found `a`"
    );
}

#[test]
fn a_long_text_is_quoted_by_its_ends() {
    let quoted = |text: &str| Span::new(0, text.len()).quote(text);
    let letters = |count: usize| "ab".repeat(count / 2);
    assert_eq!(quoted(&letters(60)), letters(60));
    let ends = format!("{}…{}", letters(30), letters(30));
    for count in [62, 240, 480, 482, 100_000] {
        assert_eq!(quoted(&letters(count)), ends, "{count}");
    }
    // Blanks count for one.
    assert_eq!(quoted(&format!("a{}b", " ".repeat(100))), "a b");
    let blanks = format!("x{}{}", " ".repeat(1_000), letters(1_000));
    assert!(quoted(&blanks).starts_with('x') && quoted(&blanks).ends_with(&letters(30)));
}

#[test]
fn places_are_bytes_of_the_chunk() {
    let text = "x = 1; µ, b = -3, tanh(2a)";
    let cut = statements(text).nth(1).unwrap().unwrap();
    let Statement::Binding(binding) = statement(text, &cut).unwrap() else {
        panic!("no binding")
    };
    assert_eq!(binding.targets[0].span.of(text), "µ");
    assert_eq!(binding.values[0].expression.span.of(text), "-3");
    assert_eq!(binding.values[1].expression.span.of(text), "tanh(2a)");
    let spans: Vec<&str> = binding.values[1]
        .expression
        .items
        .iter()
        .map(|item| item.span.of(text))
        .collect();
    assert_eq!(spans, ["2", "a", "2", "tanh"]);
}

#[test]
fn no_line_breaks_the_parser() {
    let pieces = [
        "a",
        "b",
        "π",
        "é",
        "\u{301}",
        "f(",
        "(",
        "(",
        ")",
        ")",
        "[",
        "]",
        "2",
        "2.",
        ".5",
        "0",
        "0x",
        "1e",
        "1e9",
        "_",
        " ",
        " ",
        "+",
        "-",
        "-",
        "*",
        "**",
        "/",
        "^",
        "%",
        "=",
        "==",
        "!=",
        "!",
        "<",
        "<=",
        ",",
        ";",
        "'",
        "’",
        "\"",
        "#",
        " #",
        "\\",
        "\n",
        "\\\n",
        "²",
        "⁻¹",
        "√",
        "@1",
        "$2",
        "@",
        "$",
        ".",
        "..",
        "[",
        "]",
        "w[",
        " for x in ",
        " for a, b in ",
        " for ",
        " in ",
        ".tanh()",
        ".data",
        ".foo",
        "const ",
        "−",
        "×",
        "≤",
        ":",
        "?",
        "\t",
        "\u{A0}",
        "\u{7}",
        "1_0",
        "1e999",
    ];
    let mut random = Splitmix(7);
    for _ in 0..30_000 {
        let length = 1 + random.below(9);
        let text: String = (0..length)
            .map(|_| pieces[random.below(pieces.len() as u64) as usize])
            .collect();
        for cut in statements(&text) {
            let error = match cut {
                Err(error) => error,
                Ok(cut) => {
                    assert!(cut.span.of(&text).len() <= text.len());
                    let parsed = statement(&text, &cut);
                    let Err(error) = parsed else { continue };
                    error
                }
            };
            let places = error
                .other
                .into_iter()
                .map(|(span, _)| span)
                .chain([error.span]);
            for place in places {
                assert!(
                    text.get(std::ops::Range::from(place)).is_some(),
                    "{text:?}: {place:?}"
                );
            }
            assert!(!error.message.is_empty());
            let _ = (error.label, error.help);
        }
    }
}

/// Numbers that look random and are the same in every run.
struct Splitmix(u64);

impl Splitmix {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// A random tree: operands are put down until there are enough for what is applied to them.
fn random_tree(random: &mut Splitmix) -> Vec<Item<Name>> {
    let mut items = Vec::new();
    // The operands there are, and those outside of the bodies of `for` that have begun.
    let mut operands = 0;
    let mut outside = Vec::new();
    let size = 1 + random.below(16);
    let span = Span::default();
    while items.len() < size as usize || operands > 1 || !outside.is_empty() {
        let grows = items.len() < size as usize;
        if !grows && operands == 0 {
            operands += 1;
            let kind = ItemKind::Name("x");
            items.push(Item { kind, span });
        }
        if operands == 1 && !outside.is_empty() && (!grows || random.below(3) == 0) {
            operands = outside.pop().unwrap();
            let kind = ItemKind::Apply(Head::Collect, 2);
            items.push(Item { kind, span });
            continue;
        }
        let kind = match random.below(if grows { 24 } else { 9 }) {
            0..=5 if operands > 1 => {
                let infix: Vec<_> = crate::precedence::OPERATORS
                    .iter()
                    .filter(|operator| {
                        crate::precedence::infix_operator(operator.spelling) == Some(operator)
                    })
                    .collect();
                let operator = infix[random.below(infix.len() as u64) as usize];
                ItemKind::Apply(Head::Operator(operator), 2)
            }
            6 if operands > 0 => {
                ItemKind::Apply(Head::Operator(crate::precedence::minus_sign()), 1)
            }
            7 if operands > 0 => ItemKind::Apply(Head::Operator(crate::precedence::factorial()), 1),
            8 if operands > 0 => {
                let count = 1 + random.below(operands) as u32;
                ItemKind::Apply(
                    Head::Function(
                        ["f", "tanh"][random.below(2) as usize],
                        random.below(3) as u8,
                    ),
                    count,
                )
            }
            9 if operands > 0 => {
                ItemKind::Property([Property::Data, Property::Grad][random.below(2) as usize])
            }
            10 => {
                let names = ["a", "x1", "e", "pi", "_", "for", "in"];
                ItemKind::Name(names[random.below(7) as usize])
            }
            11 => ItemKind::Former("a", random.below(3) as u32),
            12 => ItemKind::Id(random.below(30) as u32),
            13 => ItemKind::Result(random.below(30) as u32),
            14 => ItemKind::Number(Literal {
                value: f64::from(random.below(100) as u32),
                has_point: random.below(2) == 0,
            }),
            15 => ItemKind::Number(Literal {
                value: -0.25 - random.below(9) as f64,
                has_point: false,
            }),
            16 => ItemKind::Number(Literal {
                value: -(random.below(9) as f64),
                has_point: false,
            }),
            17 => {
                let value = f64::from_bits(random.below(u64::MAX / 2));
                if !value.is_finite() {
                    continue;
                }
                ItemKind::Number(Literal {
                    value,
                    has_point: false,
                })
            }
            18 | 19 if operands > 0 => {
                ItemKind::Apply(Head::List, 1 + random.below(operands) as u32)
            }
            20 if operands > 1 => ItemKind::Apply(Head::Index, 2),
            21 if operands > 1 => ItemKind::Apply(Head::Range, 2),
            23 if operands > 2 => ItemKind::Apply(Head::Slice, 3),
            22 if operands > 0 => {
                let variables = &["x", "in", "for"][..=random.below(3) as usize];
                for name in variables {
                    let kind = ItemKind::Variable(*name);
                    items.push(Item { kind, span });
                }
                outside.push(operands);
                ItemKind::Each(variables.len() as u32)
            }
            _ => continue,
        };
        operands = match kind {
            ItemKind::Apply(_, count) => operands + 1 - u64::from(count),
            ItemKind::Each(_) => 0,
            ItemKind::Property(_) => operands,
            _ => operands + 1,
        };
        items.push(Item { kind, span });
    }
    items
}

#[test]
fn what_is_printed_reads_back() {
    let mut random = Splitmix(1);
    for _ in 0..20_000 {
        let tree = random_tree(&mut random);
        let text = infix(&tree);
        let back = expression(&text, Span::new(0, text.len()));
        let back = back.unwrap_or_else(|error| panic!("{text}: {}", error.message));
        let same = |item: &Item<Name>| match item.kind {
            // Whether a number is shown with a point is only kept where that makes a difference.
            ItemKind::Number(literal) => format!("{:?}", literal.value),
            kind => format!("{kind:?}"),
        };
        let (tree, back): (Vec<_>, Vec<_>) = (
            tree.iter().map(same).collect(),
            back.items.iter().map(same).collect(),
        );
        assert_eq!(tree, back, "{text}");
        // No pair of brackets can be left out, except around a minus after another sign: `a*(-b)`.
        for (open, _) in text
            .match_indices('(')
            .filter(|(open, _)| !is_call(&text, *open))
            // `([0])` keeps its own, whatever follows.
            .filter(|(open, _)| !text[open + 1..].starts_with('['))
            .filter(|(open, _)| !(*open > 0 && text[open + 1..].starts_with('-')))
        {
            let close = closing(&text, open);
            let fewer = format!(
                "{}{}{}",
                &text[..open],
                &text[open + 1..close],
                &text[close + 1..]
            );
            let other = expression(&fewer, Span::new(0, fewer.len()))
                .map(|other| other.items.iter().map(same).collect::<Vec<_>>());
            assert_ne!(other.ok().as_ref(), Some(&tree), "{text} could be {fewer}");
        }
    }
}

fn is_call(text: &str, open: usize) -> bool {
    text[..open].ends_with(|before: char| before.is_alphanumeric() || before == '\'')
}

fn closing(text: &str, open: usize) -> usize {
    let mut depth = 0;
    let mut found = open;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        depth += i32::from(byte == b'(') - i32::from(byte == b')');
        if depth == 0 {
            found = at;
            break;
        }
    }
    found
}

#[test]
fn every_operator_has_a_token() {
    for operator in &crate::precedence::OPERATORS {
        for spelling in operator.aliases.iter().chain([&operator.spelling]) {
            let (text, expected) = match operator.grouping {
                crate::precedence::Grouping::Prefix => {
                    (format!("{spelling}x"), format!("({} x)", operator.spelling))
                }
                crate::precedence::Grouping::Postfix => {
                    (format!("x{spelling}"), format!("({} x)", operator.spelling))
                }
                _ => (
                    format!("x {spelling} y"),
                    format!("({} x y)", operator.spelling),
                ),
            };
            assert_eq!(read(&text).unwrap(), expected);
        }
    }
}

/// On a thread that has as much stack as a test thread usually has, whatever the environment says.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(work)
        .unwrap();
    thread.join().unwrap();
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("x{number}")).collect()
}

/// What other languages write otherwise is read as Python has it.
#[test]
fn lines_of_python() {
    for (line, expected) in [
        ("a if b > 0 else c", "if(b > 0, a, c)"),
        ("a if b else c if d else f", "if(b, a, if(d, c, f))"),
        ("(a if b else c) + 1", "if(b, a, c) + 1"),
        ("a > 0 and b < 2", "if(a > 0, b < 2, False)"),
        (
            "a > 0 and not b == 2 or c < 1",
            "if(if(a > 0, (b == 2) == 0, False), True, c < 1)",
        ),
        ("not (a > 1)", "(a > 1) == 0"),
        ("not(a > 1)", "(a > 1) == 0"),
        ("not [a, b][0] <= 2", "([a, b][0] <= 2) == 0"),
        ("not -a", "-a == 0"),
        ("a if not b < c else d", "if((b < c) == 0, a, d)"),
        ("a and not b", "if(a, b == 0, a)"),
        ("a or b > 1", "if(a, a, b > 1)"),
        ("a > 1 or b", "if(a > 1, True, b)"),
        ("(a, b + 1)", "[a, b + 1]"),
        ("(a,)", "[a]"),
        ("w[0] + w[len(w) - 1]", "w[0] + w[len(w) - 1]"),
        ("w[-1]*w[-k]", "w[-1]*w[-k]"),
        ("W[0, -1]", "W[0][-1]"),
        ("w[1:3]*w[:-1]", "w[1:3]*w[:-1]"),
        ("w[k:] + w[:]", "w[k:] + w[:]"),
        ("np.array(w, dtype=float)", "np.array(w)"),
        ("np.pi*2", "np.pi*2"),
        ("W.sum() + w.len()", "W.sum() + len(w)"),
        ("n.layers[0].neurons[1].w", "n.layers[0].neurons[1].w"),
        ("f = lambda x, y: x*y", "f(x, y) = x*y"),
    ] {
        let found = match statement(line, &StatementSpan::whole(line)) {
            Ok(Statement::Expression(expression)) => infix(&expression.items),
            Ok(Statement::Block(ref steps))
                if let [
                    Step {
                        kind: StepKind::Define(it),
                        ..
                    },
                ] = steps.as_slice() =>
            {
                let names: Vec<&str> = it.parameters.iter().map(|it| it.target.name).collect();
                format!(
                    "{}({}) = {}",
                    it.name.name,
                    names.join(", "),
                    infix(&it.formula().expect("a formula").items)
                )
            }
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(found, expected, "{line}");
    }
    // Marks stand behind what decides and what is chosen.
    for (line, expected) in [
        (
            "a + 1 if b < c else d",
            "(if (then (< b c)) (else (+ a 1)) d)",
        ),
        ("a > 1 or b + 2", "(if (then (> a 1)) (else True) (+ b 2))"),
        (
            "a > 1 and b + 2",
            "(if (then (> a 1)) (else (+ b 2)) False)",
        ),
    ] {
        assert_eq!(read(line).as_deref(), Ok(expected));
    }
    for (line, message) in [
        ("2*a and b", "`and` stands between two sides"),
        ("a if b if c else d", "a choice has both `if` and `else`"),
        ("[0]*3", "Python repeats a list by `*`"),
        ("W.sum(1)", "rows and columns are folded one by one"),
        ("f(a, b=2, 3)", "an argument without a name"),
    ] {
        let error = read(line).expect_err(line).message;
        assert!(error.starts_with(message), "{line}: {error}");
    }
}

/// Brackets and chains that are never closed are read once, not once more at each level.
#[test]
fn what_stays_open_is_read_once() {
    let start = std::time::Instant::now();
    for (unit, count) in [
        ("(", MAX_NESTING),
        ("f(", MAX_NESTING),
        ("2(", MAX_NESTING),
        ("2f(", MAX_NESTING),
        ("f''(", MAX_NESTING),
        ("[", MAX_NESTING),
        ("w[", MAX_NESTING),
        ("1 + [a, ", MAX_NESTING),
        ("a.f(", MAX_NESTING),
        ("a.f(a, ", MAX_NESTING),
        ("-(", MAX_NESTING),
        ("√2(", MAX_NESTING),
        ("2^(", MAX_NESTING),
        ("[x for x in ", MAX_NESTING),
        ("f(x for x in ", MAX_NESTING),
        ("x = (", MAX_NESTING),
        ("print(", MAX_NESTING),
        ("a = Value(", MAX_NESTING),
        ("(1, ", MAX_NESTING),
        ("w[1:", MAX_NESTING),
        ("w[1, ", MAX_NESTING),
        ("f(a, b=", MAX_NESTING),
        ("print(f'{", MAX_NESTING),
        ("a if (", MAX_NESTING),
        ("a if b else ", 100_000),
        ("a and not b or ", 100_000),
        ("2√", 100_000),
        ("a^", 100_000),
        ("a < ", 100_000),
        ("a.f().", 100_000),
        ("w[1]", 100_000),
        ("a % ", 100_000),
        ("a!", 100_000),
        ("5 ± ", 100_000),
        ("a, ", 100_000),
    ] {
        let text = unit.repeat(count);
        assert!(read(&text).is_err(), "{unit}");
    }
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

#[test]
fn nesting_has_a_limit_in_every_text() {
    let at_limit = "(".repeat(MAX_NESTING) + "x" + &")".repeat(MAX_NESTING);
    let wide = "(a)[b] + ".repeat(MAX_NESTING) + "1";
    let quoted = format!("print({})", vec!["':('"; MAX_NESTING + 1].join(", "));
    for text in [&at_limit, &wide, &quoted] {
        assert!(statement(text, &StatementSpan::whole(text)).is_ok());
    }
    for open in ["(", "[", "sin(", "w[", "2("] {
        let close = if open.ends_with('[') { "]" } else { ")" };
        for close in [close.repeat(100_000), String::new()] {
            let deep = open.repeat(100_000) + "1" + &close;
            for text in [
                deep.clone(),
                format!("a = {deep}"),
                format!("f(x) = {deep}"),
                format!("print(f\"{{{deep}}}\")"),
                format!("print(f\"{{zeros(1, dtype=')')}} {{{deep}}}\")"),
                format!("a = 1 ± {deep}"),
                format!("a.data = {deep}"),
                format!(":set a {deep}"),
            ] {
                let whole = Span::new(0, text.len());
                let read = [
                    statement(&text, &StatementSpan::whole(&text)).err(),
                    expression(&text, whole).err(),
                    measured_expression(&text, whole).err(),
                    check_nesting(&text, whole).err(),
                ];
                for error in read {
                    let error = error.expect("it is too deep");
                    let message = "brackets can be nested at most 500 deep";
                    assert_eq!(error.message, message);
                    assert_eq!(error.label, "one too many");
                    assert!("([".contains(error.span.of(&text)));
                }
                assert!(as_expression(&text).is_none());
            }
        }
    }
}

#[test]
fn functions_in_functions_have_a_limit() {
    let nested = |count: usize| format!("f = {}1", "lambda t, u: ".repeat(count));
    let wide = format!("x = [{}]", ["sum(map(lambda t: t, w))"; 100].join(", "));
    let quoted = format!("print({})", ["'lambda '"; 100].join(", "));
    let lines = format!(
        "def f(t):\n{}",
        "    g = lambda u: u; h = lambda u: u\n".repeat(100)
    );
    for text in [&nested(MAX_FUNCTIONS), &wide, &quoted, &lines] {
        assert!(statement(text, &StatementSpan::whole(text)).is_ok());
    }
    for text in [
        nested(MAX_FUNCTIONS + 1),
        nested(3_000),
        "map(lambda t: ".repeat(3_000),
    ] {
        let error = statement(&text, &StatementSpan::whole(&text)).expect_err("it is too deep");
        assert_eq!(error.message, "`lambda` can be nested at most 50 deep");
    }
}

#[test]
fn a_line_may_be_long() {
    on_a_small_stack(|| {
        for text in [
            vec!["a"; 40_000].join("+"),
            "+".repeat(40_000) + "x",
            "-".repeat(100_000) + "x",
            "-√x^".repeat(30_000) + "x",
            vec!["x"; 100_000].join("^"),
            vec!["x"; 40_000].join("*-"),
            "f(".repeat(MAX_NESTING) + "x" + &")".repeat(MAX_NESTING),
            "√".repeat(100_000) + "x",
            "x".to_owned() + &".tanh()".repeat(20_000),
            "[".repeat(MAX_NESTING) + "x" + &"]".repeat(MAX_NESTING),
            format!("[{}]", vec!["1"; 40_000].join(", ")),
            format!("[{}]", vec!["[1, x]"; 12_000].join(",")),
            "W".to_owned() + &"[1]".repeat(20_000),
            "x if x else ".repeat(100_000) + "x",
            "x>0 or ".repeat(100_000) + "x>0",
            "w[".repeat(MAX_NESTING) + "1" + &"]".repeat(MAX_NESTING),
            "w[1..".repeat(MAX_NESTING) + "1" + &"]".repeat(MAX_NESTING),
            vec!["[k for k in v]"; 20_000].join("*"),
            "[".repeat(MAX_NESTING) + &"x".repeat(9) + &" for x in x]".repeat(MAX_NESTING),
            format!("[{} for x in w]", vec!["x"; 20_000].join("+")),
            format!("[x for x in {}]", vec!["x"; 20_000].join("+")),
            format!("[1 for {} in w]", names(20_000).join(", ")),
        ] {
            let parsed = expression(&text, Span::new(0, text.len())).unwrap();
            let printed = infix(&parsed.items);
            assert!(printed.len() >= parsed.items.len());
        }
        let digits = "1".repeat(100_000);
        assert_eq!(read(&format!("0.{digits}")).unwrap(), "0.1111111111111111");
        assert!(
            read(&digits)
                .unwrap_err()
                .message
                .ends_with("is beyond the largest number")
        );
        assert!(
            read(&format!("0x{digits}"))
                .unwrap_err()
                .message
                .ends_with("has more than 64 bits")
        );
        let nested = "(".repeat(MAX_NESTING) + "x" + &")".repeat(MAX_NESTING);
        assert_eq!(read(&nested).unwrap(), "x");
    });
}

#[test]
fn a_long_line_with_an_error_is_told_so() {
    on_a_small_stack(|| {
        for (text, message) in [
            (
                vec!["x"; 100_000].join(" "),
                "expected an operator between `x` and `x`",
            ),
            (
                vec!["x"; 100_000].join("<"),
                "a chain has at most 100 comparisons",
            ),
            ("(".repeat(MAX_NESTING), "`(` was never closed"),
            ("[".repeat(MAX_NESTING), "`[` was never closed"),
            (
                "]".repeat(100_000),
                "one `]` too many: no bracket is open here",
            ),
            ("w[1, ".repeat(MAX_NESTING), "`[` was never closed"),
            (
                format!("[{} for", vec!["x"; 100_000].join("+")),
                "expected names and `in` after `for`",
            ),
            (
                format!("[{}x for x in w]", "x, ".repeat(100_000)),
                "a `for` repeats one expression, and there are several",
            ),
            (
                format!("[x for {} x]", names(100).join(", ")),
                "expected names and `in` after `for`",
            ),
            ("1..".repeat(100_000) + "1", "a range has two ends"),
            ("2√".repeat(100_000) + "x", "can be read in two ways"),
            ("x for x in ".repeat(50_000), "a `for` belongs in brackets"),
            (
                ")".repeat(100_000),
                "one `)` too many: no bracket is open here",
            ),
            (
                "x!".to_owned() + &"!".repeat(100_000),
                "`x!!` can be read in two ways",
            ),
            (vec!["x"; 100_000].join("*") + "/2x", "two ways"),
            (
                "-".repeat(100_000),
                "expected an expression after `-`, found the end",
            ),
        ] {
            let found = read(&text).unwrap_err().message;
            assert!(found.ends_with(message), "{found}");
            assert!(found.chars().count() < 300, "{found}");
        }
    });
}

//! Guesses of formulas: right ones in any shape are never blamed, and of wrong ones the slip is named that was made.

use crate::common::{Desk, Random};

/// A function, a wrong derivative, the word for the slip in JSON, and words of the answer.
const SLIPS: &[[&str; 4]] = &[
    // The rule at the root comes first, and then the inside.
    [
        "x/(x+1)",
        "1/(x+1)",
        "quotient",
        "the divisor is not squared",
    ],
    ["3x^2", "2x", "constant", "the factor 3 is missing"],
    [
        "(1-x)^3",
        "3(1-x)^2",
        "inside",
        "the derivative of the inside is missing: (1 - x)'",
    ],
    [
        "e^(-x)",
        "e^(-x)",
        "inside",
        "the derivative of the inside is missing: (-x)'",
    ],
    [
        "exp(exp(x))",
        "exp(x)",
        "outside",
        "the derivative of the outside is missing",
    ],
    [
        "x^2*x^3",
        "2x^4",
        "product",
        "the second term of the product rule is missing",
    ],
    [
        "x^2*sin(x)",
        "2x*cos(x)",
        "product",
        "differentiated factor by factor",
    ],
    ["x + x^2", "2x", "term", "the derivative of x is missing"],
    // The derivative of the inside is forgotten.
    [
        "(3x^2+1)^5",
        "5(3x^2+1)^4",
        "inside",
        "is missing: (3*x^2 + 1)'",
    ],
    ["sin(x)^2", "2sin(x)", "inside", "is missing: (sin(x))'"],
    [
        "sin(x^2)^3",
        "3sin(x^2)^2",
        "inside",
        "is missing: (sin(x^2))'",
    ],
    [
        "sin(x^2)^3",
        "3sin(x^2)^2*cos(x^2)",
        "inside",
        "is missing: (x^2)'",
    ],
    ["ln(x^2)", "1/(x^2)", "inside", "is missing: (x^2)'"],
    ["sin(5x)/5", "cos(5x)/5", "inside", "is missing: (5*x)'"],
    ["e^(2x)", "e^(2x)", "inside", "is missing: (2*x)'"],
    [
        "x*e^(3x)",
        "e^(3x) + x*e^(3x)",
        "inside",
        "is missing: (3*x)'",
    ],
    [
        "sqrt(x^2+1)",
        "1/(2sqrt(x^2+1))",
        "inside",
        "is missing: (x^2 + 1)'",
    ],
    [
        "sqrt(x^2+1)",
        "1/sqrt(x^2+1)",
        "inside",
        "the factor 1/2 of the square root",
    ],
    [
        "1/(3x+1)",
        "-1/(3x+1)^2",
        "inside",
        "is missing: (3*x + 1)'",
    ],
    ["cos(3x)", "-sin(3x)", "inside", "is missing: (3*x)'"],
    ["tan(2x)", "1/cos(2x)^2", "inside", "is missing: (2*x)'"],
    ["2^(3x)", "2^(3x)*ln(2)", "inside", "is missing: (3*x)'"],
    [
        "5x + sin(x^3)",
        "5 + cos(x^3)",
        "inside",
        "is missing: (x^3)'",
    ],
    // It is there twice, or in the place of the inside.
    [
        "(3x+1)^5",
        "45(3x+1)^4",
        "inside",
        "is there twice: (3*x + 1)'",
    ],
    ["e^(4x)", "16e^(4x)", "inside", "is there twice: (4*x)'"],
    [
        "sin(x^2)",
        "4x^2*cos(x^2)",
        "inside",
        "is there twice: (x^2)'",
    ],
    // The outside is forgotten.
    [
        "sin(x^2)",
        "sin(2x)",
        "outside",
        "only the inside is differentiated",
    ],
    [
        "ln(x^3)",
        "ln(3x^2)",
        "outside",
        "only the inside is differentiated",
    ],
    [
        "cos(x^2)",
        "2x*cos(x^2)",
        "outside",
        "the outside is not differentiated: cos(x^2)",
    ],
    [
        "sin(x)",
        "sin(x)",
        "outside",
        "the outside is not differentiated",
    ],
    // Powers and exponentials.
    ["x^3", "x^2", "power", "the factor 3 is missing"],
    ["x^3", "3x^3", "power", "the power is not lowered"],
    ["x^-2", "-2x^-1", "power", "the power is raised"],
    [
        "(3x^2+1)^5",
        "30(3x^2+1)^4",
        "power",
        "x is missing in (x^2)'",
    ],
    ["x^4", "x^5/5", "power", "that is an integral"],
    ["5 + x^4", "x^3", "power", "the factor 4 is missing"],
    [
        "e^x",
        "x*e^(x-1)",
        "exponential",
        "e^x is differentiated as a power",
    ],
    [
        "exp(x)",
        "x*exp(x-1)",
        "exponential",
        "exp(x) is differentiated as a power",
    ],
    [
        "2^x",
        "x*2^(x-1)",
        "exponential",
        "2^x is differentiated as a power",
    ],
    ["2^x", "2^x", "outside", "the factor ln(2) is missing"],
    // Products and quotients.
    [
        "x*sin(x)",
        "cos(x)",
        "product",
        "differentiated factor by factor",
    ],
    [
        "x*sin(x)",
        "sin(x)",
        "product",
        "the second term of the product rule is missing",
    ],
    [
        "x*sin(x)",
        "x*cos(x)",
        "product",
        "the first term of the product rule is missing",
    ],
    [
        "sin(x)*e^x",
        "cos(x) + e^x",
        "product",
        "the derivatives of the factors are added",
    ],
    [
        "x*sin(x)",
        "sin(x) - x*cos(x)",
        "sign",
        "a sign is wrong: at (sin(x))'",
    ],
    [
        "sin(x)/x",
        "cos(x)/1",
        "quotient",
        "differentiated above and below the line",
    ],
    [
        "sin(x)/x",
        "(sin(x) - x*cos(x))/x^2",
        "quotient",
        "in the other order",
    ],
    [
        "sin(x)/x",
        "x*cos(x) - sin(x)",
        "quotient",
        "the divisor of the quotient rule is missing",
    ],
    [
        "sin(x)/x",
        "(x*cos(x) - sin(x))/x",
        "quotient",
        "the divisor is not squared",
    ],
    [
        "sin(x)/x",
        "(x*cos(x) + sin(x))/x^2",
        "sign",
        "a sign is wrong: at (x)'",
    ],
    [
        "sin(x)/x",
        "cos(x)/x",
        "quotient",
        "the second term of the quotient rule is missing",
    ],
    [
        "3/(x^2+1)",
        "3/(2x)",
        "outside",
        "only the inside is differentiated",
    ],
    // Constants, signs, and single functions.
    ["x^2/2", "2x", "constant", "the division by 2 is missing"],
    [
        "x^2 + 3",
        "2x + 3",
        "constant",
        "the derivative of the constant 3 is 0",
    ],
    [
        "x^2 - 7",
        "2x - 1",
        "constant",
        "the derivative of the constant 7 is 0",
    ],
    [
        "x*ln(x) - x",
        "1 + ln(x)",
        "term",
        "the derivative of x is missing",
    ],
    ["x^2 - x", "2x + 1", "sign", "a sign is wrong"],
    ["cos(x)", "sin(x)", "sign", "a sign is wrong"],
    ["1/x", "1/x^2", "sign", "a sign is wrong"],
    ["e^(-2x)", "2e^(-2x)", "sign", "a sign is wrong"],
    [
        "tan(x)",
        "1/cos(x)",
        "function",
        "the cosine is not squared",
    ],
    [
        "asin(x)",
        "1/(1-x^2)",
        "function",
        "the square root is missing",
    ],
    ["atan(x)", "1/(1+x)", "function", "the square is missing"],
    [
        "sqrt(x)",
        "1/sqrt(x)",
        "factor",
        "the factor 1/2 is missing",
    ],
];

/// Wrong derivatives that nobody can explain, or that have several explanations.
const NO_CLAIMS: &[[&str; 2]] = &[
    ["x^2", "0"],
    ["sin(x^2)", "cos(2x)"],
    ["(x^2+1)^3", "3*(2x)^2"],
    ["x^2", "2y"],
    ["5", "x"],
    ["sin(x)", "x^7 + 3"],
    ["x^2", "17"],
];

fn judged(function: &str, guess: &str) -> (serde_json::Value, String) {
    let mut desk = Desk::with(&[format!("f(x) = {function}")]);
    let line = format!(":guess f' {guess}");
    let screen = desk.screen(&line);
    (desk.answer(&line), screen)
}

#[test]
fn slips_are_named() {
    let mut failed = Vec::new();
    for [function, guess, slip, words] in SLIPS {
        let (answer, screen) = judged(function, guess);
        let screen = screen.replace("\n  ", " ");
        let is_named =
            answer["right"] == false && answer["slip"] == *slip && screen.contains(words);
        // The last line is the score.
        if !is_named || screen.lines().count() > 3 {
            failed.push(format!("{function}, {guess}: {}\n{screen}", answer["slip"]));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(SLIPS.len() >= 50);
}

#[test]
fn slips_are_found_in_larger_functions() {
    // The same slips in `11*(…) + x^7`, whose derivative has them as parts.
    for [function, guess, slip, words] in SLIPS {
        let (answer, screen) = judged(
            &format!("11*({function}) + x^7"),
            &format!("11*({guess}) + 7x^6"),
        );
        assert_eq!(answer["right"], false, "{function}, {guess}");
        // A factor or a sign of a part is none of the whole.
        let is_of_whole = ["factor", "sign", "constant", "value"].contains(slip);
        let screen = screen.replace("\n  ", " ");
        let is_named = answer["slip"] == *slip && screen.contains(words);
        assert!(is_named || is_of_whole, "{function}, {guess}: {screen}");
    }
}

#[test]
fn no_slip_is_claimed_without_a_reason() {
    for [function, guess] in NO_CLAIMS {
        let (answer, screen) = judged(function, guess);
        assert_eq!(answer["right"], false, "{function}, {guess}");
        assert!(answer["slip"].is_null(), "{function}, {guess}: {screen}");
    }
}

/// A formula and its derivative by x, as the rules give it.
#[derive(Clone)]
struct Differentiated {
    text: String,
    slope: String,
}

fn random_function(random: &mut Random, depth: usize) -> Differentiated {
    let of = |text: String, slope: String| Differentiated { text, slope };
    if depth == 0 {
        let number = random.below(5) + 2;
        return match random.below(3) {
            0 => of(format!("{number}*x"), number.to_string()),
            1 => of(format!("(x + {number})"), "1".to_string()),
            _ => of("x".to_string(), "1".to_string()),
        };
    }
    let u = random_function(random, depth - 1);
    let Differentiated { text: a, slope: da } = &u;
    match random.below(9) {
        0 => of(format!("sin({a})"), format!("cos({a})*({da})")),
        1 => of(format!("cos({a})"), format!("-sin({a})*({da})")),
        2 => of(
            format!("exp(-({a})^2)"),
            format!("-2*({a})*({da})*exp(-({a})^2)"),
        ),
        3 => of(format!("({a})^3"), format!("3*({a})^2*({da})")),
        4 => of(
            format!("ln(({a})^2 + 1)"),
            format!("2*({a})*({da})/(({a})^2 + 1)"),
        ),
        5 => of(
            format!("sqrt(({a})^2 + 2)"),
            format!("({a})*({da})/sqrt(({a})^2 + 2)"),
        ),
        choice => {
            let Differentiated { text: b, slope: db } = random_function(random, depth - 1);
            match choice {
                6 => of(format!("({a}) - ({b})"), format!("({da}) - ({db})")),
                7 => of(
                    format!("({a})*({b})"),
                    format!("({da})*({b}) + ({a})*({db})"),
                ),
                _ => of(
                    format!("({a})/(({b})^2 + 1)"),
                    format!("(({da})*(({b})^2 + 1) - ({a})*2*({b})*({db}))/(({b})^2 + 1)^2"),
                ),
            }
        }
    }
}

/// The formula in another shape.
fn rewritten(random: &mut Random, formula: &str) -> String {
    match random.below(8) {
        0 => format!("({formula})*(sin(x)^2 + cos(x)^2)"),
        1 => format!("(({formula})*(x^2 + 1))/(x^2 + 1)"),
        2 => format!("x^2 + ({formula}) - x*x"),
        3 => format!("-(-({formula}))"),
        4 => format!("({formula})*3*(x + 4) - ({formula})*(3x + 11)"),
        5 => format!("1/(1/(({formula}) + 1000)) - 1000"),
        6 => format!("({formula})/2 + ({formula})*exp(x)/(2exp(x))"),
        _ => format!("({formula})*(x - 1)^2 - ({formula})*(x^2 - 2x)"),
    }
}

#[test]
fn right_formulas_in_other_shapes_are_right() {
    let mut random = Random(51);
    for _ in 0..200 {
        let depth = 1 + random.below(3);
        let Differentiated { text, slope } = random_function(&mut random, depth);
        let mut guess = slope;
        for _ in 0..random.below(3) {
            guess = rewritten(&mut random, &guess);
        }
        let (answer, screen) = judged(&text, &guess);
        assert_eq!(answer["right"], true, "{text}, {guess}: {screen}");
    }
}

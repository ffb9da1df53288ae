//! Lists all operations in a table. To add an operation, add a row.
//!
//! A row reads like a line in a calculus book: the spelling, a description, the value, the derivative with respect to each
//! operand as a number and as text, then the domain and the convention at kinks. Formulas of more than a line are in the
//! folder `functions`.
//!
//! Rows are laid out by hand, like a table: first the texts, and below them the rule, on one line if it fits. The macros
//! `unary!` and `binary!` compile the functions of a row into loops of their own, for operations that large graphs often
//! use. The functions `unary` and `binary` use the general loops.

use super::Shape::{Infix, Postfix, Prefix};
use super::functions::{
    choice, elementary, gamma, gauss, plane, polygamma, power, reductions, source, tanh_and_sigmoid,
};
use super::loops::{binary, unary};
use super::row::{
    binary, call, comparison, flat, kink, many, number_rows, operator, slope, slopes, step,
    step_of_many, unary,
};
use super::{Domain, Kink, Op, Rule};
use std::f64::consts::{LOG2_E, LOG10_E};

/// Counts the rows of the table, and numbers them.
macro_rules! table {
    ($($row:expr),* $(,)?) => {
        /// All operations. An array and no slice of one: a crate that names a row would get a copy of the whole slice.
        pub static TABLE: [Op; [$(stringify!($row)),*].len()] = number_rows([$($row),*]);
    };
}

table! {
    // ---- Operators -------------------------------------------------------------------------------------------
    operator("+", "addition", Infix, "2 + 3", "the sum", "x + y",
        binary!(|x, y| x + y, slope(|_, _, _| 1.0, "1"), slope(|_, _, _| 1.0, "1")),
    ),
    operator("-", "subtraction", Infix, "2 - 3", "the difference", "x - y",
        binary!(|x, y| x - y, slope(|_, _, _| 1.0, "1"), slope(|_, _, _| -1.0, "-1")),
    ),
    operator("*", "multiplication", Infix, "2*3", "the product", "x * y",
        binary!(|x, y| x * y, slope(|_, y, _| y, "y"), slope(|x, _, _| x, "x")),
    ),
    operator("/", "division", Infix, "2/3", "the quotient", "x / y",
        binary!(
            |x, y| x / y,
            slope(|_, y, _| 1.0 / y, "1/y"),
            // In x/(y*y) the square would overflow or vanish earlier.
            slope(power::division_dy, "-out/y"),
        ),
    )
    .needs("y != 0", |a| a[1] != 0.0),
    operator("%", "modulo", Infix, "-5 % 3", "the remainder with the sign of the divisor", "modulo(x, y)",
        binary(
            power::modulo,
            slope(|_, _, out| power::remainder_dx(out), "1"),
            slopes(power::remainder_dy, "-floor(x/y)", "if(out == y, 1, round((out - x)/y))"),
        ),
    )
    .alias(&["mod"])
    .needs("y != 0", |a| a[1] != 0.0)
    .kinks(&[WHOLE_QUOTIENT]),
    operator("//", "floor_division", Infix, "-5//2", "the quotient rounded down to a whole number", "round((x - modulo(x, y)) / y)",
        binary(
            |x, y| ((x - power::modulo(x, y)) / y).round(),
            slope(|_, _, out| choice::step_dx(out), "0"),
            slope(|_, _, out| choice::step_dx(out), "0"),
        ),
    )
    .needs("y != 0", |a| a[1] != 0.0)
    .kinks(&[kink("x a multiple of y", "the derivatives are taken as 0", |a| a[0] % a[1] == 0.0)]),
    operator("^", "power", Infix, "2^10", "`x` to the power of `y`", "pow(x, y)",
        binary!(
            source::pow,
            // If y is 0, the derivative by x is 0, but at x = 0 the other factor is infinite.
            slopes(power::power_dx, "y*x^(y - 1)", "chain(y, x^(y - 1))"),
            slopes(power::power_dy, "out*ln(x)", "chain_ln(out, x)"),
        ),
    )
    .alias(&["pow"])
    .domain(Domain::Where {
        text: "x >= 0 or a whole y, and no negative power of 0",
        holds: |a| a[0] > 0.0 || (a[0] == 0.0 && a[1] >= 0.0) || (a[0] < 0.0 && a[1].fract() == 0.0),
        hint: Some("`cbrt(x)` takes the real cube root of a negative `x`"),
    })
    .kinks(&[kink("x = 0 and y = 0", "both derivatives are taken as 0", |a| a[0] == 0.0 && a[1] == 0.0)]),
    operator("-", "negation", Prefix, "-(2 + 3)", "the number with its sign changed", "-x",
        unary!(|x| -x, slope(|_, _| -1.0, "-1")),
    )
    .alias(&["neg"]),
    operator("!", "factorial", Postfix, "5!", "the product `1*2*...*x`, and `gamma(x + 1)` between whole numbers", "gammaOf(x + 1)",
        unary(
            gamma::factorial,
            slopes(polygamma::factorial_dx, "out*digamma(x + 1)", "if(x == min(floor(x), -1), nan, out*digamma(x + 1))"),
        ),
    )
    .needs("x not a negative whole number", |a| !gamma::is_factorial_pole(a[0])),
    comparison("<", "less", "1 < 2", "1 if `x` is less than `y`, else 0", "(x < y) * 1.0", |x, y| choice::truth(x < y)),
    comparison("<=", "less_or_equal", "2 <= 2", "1 if `x` is at most `y`, else 0", "(x <= y) * 1.0", |x, y| choice::truth(x <= y)),
    comparison(">", "greater", "2 > 1", "1 if `x` is greater than `y`, else 0", "(x > y) * 1.0", |x, y| choice::truth(x > y)),
    comparison(">=", "greater_or_equal", "2 >= 2", "1 if `x` is at least `y`, else 0", "(x >= y) * 1.0", |x, y| choice::truth(x >= y)),
    comparison("==", "equal", "2 == 2", "1 if `x` and `y` are equal, else 0", "(x == y) * 1.0", |x, y| choice::truth(x == y)),
    comparison("!=", "not_equal", "2 != 3", "0 if `x` and `y` are equal, else 1", "(x != y) * 1.0", |x, y| choice::truth(x != y)),
    // ---- Roots and small powers ------------------------------------------------------------------------------
    call("abs", "the absolute value", "abs(-3)",
        unary!(f64::abs, slope(|x, _| choice::sign(x), "sign(x)")),
    )
    .kinks(&[FLAT_AT_ZERO]),
    call("sqrt", "the square root", "sqrt(2)",
        // The root of -0 is -0, but the slope there is the limit from inside the domain.
        unary!(f64::sqrt, slope(|_, out| 0.5 / out.abs(), "1/(2*out)")),
    )
    .needs("x >= 0", |a| a[0] >= 0.0)
    .kinks(&[INFINITE_AT_ZERO]),
    call("cbrt", "the real cube root, also of negative numbers", "cbrt(-8)",
        unary(source::cbrt, slope(elementary::cbrt_dx, "1/(3*out^2)")),
    )
    .kinks(&[INFINITE_AT_ZERO]),
    call("rsqrt", "one over the square root", "rsqrt(4)",
        unary(source::rsqrt, slope(|x, out| -0.5 * out / x.abs(), "-out/(2*x)")),
    )
    .script("1 / sqrt(x)")
    .needs("x > 0", |a| a[0] > 0.0),
    call("square", "the number times itself", "square(3)",
        unary!(|x| x * x, slope(|x, _| 2.0 * x, "2*x")),
    )
    .script("x * x"),
    call("cube", "the third power", "cube(2)",
        unary!(|x| x * x * x, slope(|x, _| 3.0 * x * x, "3*x^2")),
    )
    .script("x * x * x"),
    call("recip", "one over the number", "recip(4)",
        unary!(|x| 1.0 / x, slope(|x, out| -out / x, "-out^2")),
    )
    .script("1 / x")
    .needs("x != 0", |a| a[0] != 0.0),
    // ---- Exponentials and logarithms -------------------------------------------------------------------------
    call("exp", "`e` to the power of `x`", "exp(1)",
        unary!(source::exp, slope(|_, out| out, "out")),
    ),
    call("exp2", "2 to the power of `x`", "exp2(10)",
        unary(source::exp2, slope(elementary::exp2_dx, "out*ln(2)")),
    )
    .script("pow(2, x)"),
    call("expm1", "`exp(x) - 1`, accurate near 0", "expm1(1e-9)",
        // out + 1 loses all digits if out is near -1.
        unary(source::expm1, slopes(|x, _| source::exp(x), "out + 1", "exp(x)")),
    ),
    call("ln", "the natural logarithm; `log(x, b)`, the logarithm to base b, is `ln(x)/ln(b)`", "ln(e)",
        // Left of 0, where the logarithm is undefined, 1/x would be a plausible number.
        unary!(source::ln, slope(|x, _| elementary::over_positive(1.0, x), "1/x")),
    )
    .script("log(x)")
    .alias(&["log"])
    .needs("x > 0", |a| a[0] > 0.0),
    call("log2", "the logarithm to base 2", "log2(8)",
        unary(source::log2, slope(|x, _| elementary::over_positive(LOG2_E, x), "1/(x*ln(2))")),
    )
    .needs("x > 0", |a| a[0] > 0.0),
    call("log10", "the logarithm to base 10", "log10(1000)",
        unary(source::log10, slopes(|x, _| elementary::over_positive(LOG10_E, x), "1/(x*ln(10))", "1/ln(10)/x")),
    )
    .alias(&["lg"])
    .needs("x > 0", |a| a[0] > 0.0),
    call("log1p", "`ln(1 + x)`, accurate near 0", "log1p(1e-9)",
        unary(source::log1p, slope(|x, _| elementary::over_positive(1.0, 1.0 + x), "1/(1 + x)")),
    )
    .needs("x > -1", |a| a[0] > -1.0),
    // ---- Angles ----------------------------------------------------------------------------------------------
    call("sin", "the sine of an angle in radians", "sin(pi/6)",
        unary!(source::sin, slope(|x, _| source::cos(x), "cos(x)")),
    ),
    call("cos", "the cosine of an angle in radians", "cos(pi/3)",
        unary!(source::cos, slope(|x, _| -source::sin(x), "-sin(x)")),
    ),
    call("tan", "the tangent of an angle in radians", "tan(pi/4)",
        unary(source::tan, slope(|_, out| 1.0 + out * out, "1 + out^2")),
    )
    .alias(&["tg"]),
    call("sec", "the secant, one over the cosine", "sec(pi/3)",
        unary(source::sec, slope(|x, out| out * source::tan(x), "out*tan(x)")),
    )
    .script("1 / cos(x)"),
    call("csc", "the cosecant, one over the sine", "csc(pi/6)",
        unary(source::csc, slope(|x, out| -out * source::cot(x), "-out*cot(x)")),
    )
    .script("1 / sin(x)")
    .alias(&["cosec"])
    .needs("x != 0", |a| a[0] != 0.0),
    call("cot", "the cotangent, one over the tangent", "cot(pi/4)",
        unary(source::cot, slope(|_, out| -1.0 - out * out, "-csc(x)^2")),
    )
    .script("1 / tan(x)")
    .alias(&["cotan", "ctg"])
    .needs("x != 0", |a| a[0] != 0.0),
    call("asin", "the angle whose sine is `x`", "asin(0.5)",
        unary(source::asin, slopes(|x, _| elementary::asin_dx(x), "1/sqrt(1 - x^2)", "rsqrt((1 - x)*(1 + x))")),
    )
    .alias(&["arcsin"])
    .needs("-1 <= x <= 1", |a| a[0].abs() <= 1.0)
    .kinks(&[kink("x = 1 or -1", "the derivative is taken as inf", |a| a[0].abs() == 1.0)]),
    call("acos", "the angle whose cosine is `x`", "acos(0.5)",
        unary(source::acos, slopes(|x, _| -elementary::asin_dx(x), "-1/sqrt(1 - x^2)", "-rsqrt((1 - x)*(1 + x))")),
    )
    .alias(&["arccos"])
    .needs("-1 <= x <= 1", |a| a[0].abs() <= 1.0)
    .kinks(&[kink("x = 1 or -1", "the derivative is taken as -inf", |a| a[0].abs() == 1.0)]),
    call("atan", "the angle whose tangent is `x`", "atan(1)",
        unary(source::atan, slopes(|x, _| elementary::atan_dx(x), "1/(1 + x^2)", "1/hypot(x, 1)/hypot(x, 1)")),
    )
    .alias(&["arctan"]),
    call("asec", "the angle whose secant is `x`", "asec(2)",
        unary(
            elementary::asec,
            slopes(|x, _| elementary::asec_dx(x), "1/(abs(x)*sqrt(x^2 - 1))", "rsqrt(abs(x) - 1)*rsqrt(abs(x) + 1)/abs(x)"),
        ),
    )
    .script("atan2(sqrt(abs(x) - 1) * sqrt(abs(x) + 1), sign(x))")
    .alias(&["arcsec"])
    .needs("x <= -1 or x >= 1", |a| a[0].abs() >= 1.0)
    .kinks(&[kink("x = 1 or -1", "the derivative is taken as inf", |a| a[0].abs() == 1.0)]),
    call("acsc", "the angle whose cosecant is `x`", "acsc(2)",
        unary(
            elementary::acsc,
            slopes(|x, _| -elementary::asec_dx(x), "-1/(abs(x)*sqrt(x^2 - 1))", "-rsqrt(abs(x) - 1)*rsqrt(abs(x) + 1)/abs(x)"),
        ),
    )
    .script("atan2(sign(x), sqrt(abs(x) - 1) * sqrt(abs(x) + 1))")
    .alias(&["arccsc"])
    .needs("x <= -1 or x >= 1", |a| a[0].abs() >= 1.0)
    .kinks(&[kink("x = 1 or -1", "the derivative is taken as -inf", |a| a[0].abs() == 1.0)]),
    call("acot", "the angle from 0 to pi whose cotangent is `x`", "acot(1)",
        unary(
            |x| source::atan2(1.0, x),
            slopes(|x, _| -elementary::atan_dx(x), "-1/(1 + x^2)", "-1/hypot(x, 1)/hypot(x, 1)"),
        ),
    )
    .script("atan2(1.0, x)")
    .alias(&["arccot"]),
    call("atan2", "the angle of the point with ordinate `x` and abscissa `y`", "atan2(1, -1)",
        binary(
            source::atan2,
            slopes(|x, y, _| plane::over_square(y, x, y), "y/(x^2 + y^2)", "y*scale/length/length*scale"),
            slopes(|x, y, _| -plane::over_square(x, x, y), "-x/(x^2 + y^2)", "-x*scale/length/length*scale"),
        ),
    )
    .alias(&["arctan2"])
    .kinks(&[kink(
        "x = 0 and y = 0",
        "there is no derivative: the angle differs in every direction",
        |a| a[0] == 0.0 && a[1] == 0.0,
    )]),
    // ---- Hyperbolic functions --------------------------------------------------------------------------------
    call("sinh", "the hyperbolic sine", "sinh(1)",
        unary(source::sinh, slope(|x, _| source::cosh(x), "cosh(x)")),
    ),
    call("cosh", "the hyperbolic cosine", "cosh(1)",
        unary(source::cosh, slope(|x, _| source::sinh(x), "sinh(x)")),
    ),
    call("tanh", "the hyperbolic tangent", "tanh(0.5)",
        // `1 - tanh(20)^2` is 0, and the slope there is 1.699e-17.
        unary!(tanh_and_sigmoid::tanh, slopes(|x, _| 4.0 * tanh_and_sigmoid::sigmoid_dx(2.0 * x), "1 - out^2", "sech(x)^2")),
    )
    .flats(&[flat(SATURATED, |a, _, _| a[0].abs() >= 3.0)]),
    call("sech", "one over the hyperbolic cosine", "sech(1)",
        unary(elementary::sech, slope(|x, out| -out * tanh_and_sigmoid::tanh(x), "-out*tanh(x)")),
    )
    .script("1 / cosh(x)")
    .flats(&[flat(SATURATED, |a, _, _| a[0].abs() >= 6.0)]),
    call("csch", "one over the hyperbolic sine", "csch(1)",
        unary(elementary::csch, slope(|x, out| -out / tanh_and_sigmoid::tanh(x), "-out*coth(x)")),
    )
    .script("1 / sinh(x)")
    .needs("x != 0", |a| a[0] != 0.0)
    .flats(&[flat(SATURATED, |a, _, _| a[0].abs() >= 6.0)]),
    call("coth", "one over the hyperbolic tangent", "coth(1)",
        unary(|x| 1.0 / tanh_and_sigmoid::tanh(x), slope(|x, _| -elementary::csch(x) / source::sinh(x), "-csch(x)^2")),
    )
    .script("1 / tanh(x)")
    .needs("x != 0", |a| a[0] != 0.0)
    .flats(&[flat(SATURATED, |a, _, _| a[0].abs() >= 3.0)]),
    call("asinh", "the number whose hyperbolic sine is `x`", "asinh(1)",
        unary(source::asinh, slopes(|x, _| 1.0 / plane::hypot(&[x, 1.0]), "1/sqrt(x^2 + 1)", "1/hypot(x, 1)")),
    )
    .alias(&["arcsinh", "arsinh"]),
    call("acosh", "the nonnegative number whose hyperbolic cosine is `x`", "acosh(2)",
        unary(source::acosh, slopes(|x, _| elementary::acosh_dx(x), "1/sqrt(x^2 - 1)", "rsqrt(x - 1)*rsqrt(x + 1)")),
    )
    .alias(&["arccosh", "arcosh"])
    .needs("x >= 1", |a| a[0] >= 1.0)
    .kinks(&[kink("x = 1", "the derivative is taken as inf", |a| a[0] == 1.0)]),
    call("atanh", "the number whose hyperbolic tangent is `x`", "atanh(0.5)",
        unary(source::atanh, slopes(|x, _| elementary::atanh_dx(x), "1/(1 - x^2)", "rsqrt((1 - x)*(1 + x))^2")),
    )
    .alias(&["arctanh", "artanh"])
    .needs("-1 < x < 1", |a| a[0].abs() < 1.0),
    // ---- Activations -----------------------------------------------------------------------------------------
    call("sigmoid", "1/(1 + exp(-x)), from 0 to 1", "sigmoid(0)",
        unary!(
            tanh_and_sigmoid::sigmoid,
            slopes(|x, _| tanh_and_sigmoid::sigmoid_dx(x), "out*(1 - out)", "(0.5*sech(0.5*x))^2"),
        ),
    )
    .flats(&[flat(SATURATED, |a, _, _| a[0].abs() >= 5.0)]),
    call("logsigmoid", "the logarithm of the sigmoid", "logsigmoid(-2)",
        unary(|x| -elementary::softplus(-x), slope(|x, _| tanh_and_sigmoid::sigmoid(-x), "sigmoid(-x)")),
    )
    .script("-softplus(-x)")
    .flats(&[flat(SATURATED, |a, _, _| a[0] >= 5.0)]),
    call("relu", "`x` if it is positive, else 0", "relu(-2)",
        unary!(choice::relu, slope(|x, _| if x.is_nan() { x } else { choice::truth(x > 0.0) }, "if(x > 0, 1, 0)")),
    )
    .flats(&[flat("is dead left of 0", |a, _, _| a[0] < 0.0)])
    .kinks(&[FLAT_AT_ZERO]),
    call("leakyrelu", "`x` if it is positive, else `0.01*x`", "leakyrelu(-2)",
        unary!(|x| choice::leaky(x, 0.01), slope(|x, _| choice::leaky_dx(x, 0.01), "if(x > 0, 1, 0.01)")),
    )
    .script("leaky(x, 0.01)")
    .kinks(&[kink("x = 0", "the derivative is taken as 0.01", |a| a[0] == 0.0)]),
    call("leakyrelu_with_slope", "`x` if it is positive, else `y*x`", "leakyrelu(-2, 0.1)",
        binary!(
            choice::leaky,
            slopes(|x, y, _| choice::leaky_dx(x, y), "if(x > 0, 1, y)", "if(relu(x), 1, if(x, y, clamp(y, 0, 1)))"),
            slope(|x, _, _| if x > 0.0 { 0.0 } else { x }, "min(x, 0)"),
        ),
    )
    .script("leaky(x, y)")
    .spelling("leakyrelu")
    .kinks(&[kink(
        "x = 0",
        "the derivative is taken as the slope, or as the nearer of 0 and 1 if the slope is not between them",
        |a| a[0] == 0.0,
    )]),
    call("elu", "`x` if it is positive, else exp(x) - 1", "elu(-2)",
        unary(choice::elu, slope(|x, _| if x > 0.0 { 1.0 } else { source::exp(x) }, "if(x > 0, 1, exp(x))")),
    )
    .flats(&[flat(SATURATED, |a, _, _| a[0] <= -5.0)]),
    call("gelu", "`x` times the probability that a standard normal number is below it", "gelu(1)",
        unary(
            gauss::gelu,
            slopes(
                |x, _| gauss::gelu_dx(x),
                "(1 + erf(x/sqrt(2)))/2 + x*exp(-x^2/2)/sqrt(2*pi)",
                "erfc(-x/sqrt(2))/2 + 0.3989422804014327*chain(x, exp(-x^2/2))",
            ),
        ),
    )
    .script("x * (erfc(-x * 0.7071067811865476) / 2)")
    .flats(&[flat(SATURATED, |a, _, _| a[0] <= -4.0)]),
    call("silu", "`x` times its sigmoid", "silu(1)",
        unary!(
            elementary::silu,
            slopes(
                |x, _| elementary::silu_dx(x),
                "sigmoid(x)*(1 + x*(1 - sigmoid(x)))",
                "sigmoid(x) + 0.25*(chain(x, sech(0.5*x))*sech(0.5*x))",
            ),
        ),
    )
    .script("x * sigmoid(x)")
    .flats(&[flat(SATURATED, |a, _, _| a[0] <= -8.0)]),
    call("softplus", "`ln(1 + exp(x))`, a smooth relu", "softplus(1)",
        unary!(elementary::softplus, slope(|x, _| tanh_and_sigmoid::sigmoid(x), "sigmoid(x)")),
    )
    .flats(&[flat(SATURATED, |a, _, _| a[0] <= -5.0)]),
    call("softsign", "x/(1 + abs(x)), from -1 to 1", "softsign(3)",
        unary(
            elementary::softsign,
            slopes(|x, _| elementary::softsign_dx(x), "1/(1 + abs(x))^2", "1/(1 + abs(x))/(1 + abs(x))"),
        ),
    )
    .script("x / (1 + abs(x))")
    .flats(&[flat(SATURATED, |a, _, _| a[0].abs() >= 10.0)]),
    // ---- The chain rule --------------------------------------------------------------------------------------
    call("chain", "`x*y` as in a backward pass: an exact 0 absorbs inf and NaN", "chain(0, inf)",
        binary(choice::chain, slope(|_, y, _| y, "y"), slope(|x, _, _| x, "x")),
    )
    .script("chained(x, y)"),
    call(
        "chain_ln",
        "`x*ln(y)` where `x` is a power of `y`, as in the derivative of a power: 0 at `y = 0`",
        "chain_ln(1, 0)",
        binary(
            power::chain_ln,
            slope(|_, y, _| source::ln(y), "ln(y)"),
            slope(|x, y, _| if y < 0.0 { f64::NAN } else { x / y }, "x/y"),
        ),
    )
    .script("chainedLn(x, y)")
    .needs("y >= 0", |a| a[1] >= 0.0)
    .kinks(&[kink("y = 0", "the product is taken as 0", |a| a[1] == 0.0)]),
    // ---- Sums and products -----------------------------------------------------------------------------------
    call("sum", "the sum of the operands", "sum(1, 2, 3)",
        many(reductions::sum, slope(|_, _, locals| locals.fill(1.0), "1"), "1"),
    )
    .script("total(a)"),
    call("prod", "the product of the operands", "prod(2, 3, 4)",
        many(reductions::prod, slope(reductions::products_of_others, "y"), "rest"),
    )
    .script("product(a)"),
    // ---- Length, choice and steps ----------------------------------------------------------------------------
    call("hypot", "the square root of the sum of the squares", "hypot(3, 4)",
        many(
            plane::hypot,
            slopes(plane::direction_cosines, "x/out", "if(out, x*scale/length, 0)"),
            "if(out, x*scale/length, 0)",
        ),
    )
    .script("lengthOf(a)")
    .kinks(&[kink("all operands 0", "every derivative is taken as 0", |a| a.iter().all(|&x| x == 0.0))]),
    call("logsumexp", "the logarithm of the sum of the exponentials, without overflow", "logsumexp(1, 2)",
        many(
            reductions::logsumexp,
            // The same digits that `out` has lost are missing in every exponential, so they cancel in the quotient.
            slopes(reductions::shares_of_exp, "exp(x - out)", "chain(exp(x - out), 1/(exp(x - out) + exp(y - out)))"),
            "chain(exp(x - out), 1/total)",
        ),
    )
    .script("logSumExp(a)"),
    call("min", "the smallest operand", "min(3, 1, 2)",
        many(choice::min, slope(choice::shares, "if(x < y, 1, if(x > y, 0, 0.5))"), "(x == out)/ties"),
    )
    .script("smallestOf(a)")
    .flats(&[flat(FOLLOWS_ANOTHER, |a, position, out| a[position] > out)])
    .kinks(&[kink("a tie", SHARED, |a| choice::has_tie(a, choice::min(a)))]),
    call("max", "the largest operand", "max(3, 1, 2)",
        many(choice::max, slope(choice::shares, "if(x > y, 1, if(x < y, 0, 0.5))"), "(x == out)/ties"),
    )
    .script("largestOf(a)")
    .flats(&[flat(FOLLOWS_ANOTHER, |a, position, out| a[position] < out)])
    .kinks(&[kink("a tie", SHARED, |a| choice::has_tie(a, choice::max(a)))]),
    step_of_many("argmin", "the position of the smallest operand, counted from 0", "argmin(3, 1, 2)", choice::argmin)
    .kinks(&[kink("a tie", FIRST, |a| choice::has_tie(a, choice::min(a)))]),
    step_of_many("argmax", "the position of the largest operand, counted from 0", "argmax(3, 1, 2)", choice::argmax)
    .kinks(&[kink("a tie", FIRST, |a| choice::has_tie(a, choice::max(a)))]),
    call("median_low", "the lower of the two middle operands; the middle one of an odd number", "median_low(3, 1, 2)",
        many(choice::median_low, slope(choice::shares, "if(x < y, 1, if(x > y, 0, 0.5))"), "(x == out)/ties"),
    )
    .flats(&[flat(FOLLOWS_ANOTHER, |a, position, out| a[position] != out)])
    .kinks(&[kink("a tie", SHARED, |a| choice::has_tie(a, choice::median_low(a)))]),
    call("median_high", "the upper of the two middle operands; the middle one of an odd number", "median_high(3, 1, 2, 4)",
        many(choice::median_high, slope(choice::shares, "if(x > y, 1, if(x < y, 0, 0.5))"), "(x == out)/ties"),
    )
    .flats(&[flat(FOLLOWS_ANOTHER, |a, position, out| a[position] != out)])
    .kinks(&[kink("a tie", SHARED, |a| choice::has_tie(a, choice::median_high(a)))]),
    step_of_many("gcd", "the greatest common divisor", "gcd(12, 18)", choice::gcd)
    .needs("whole numbers", choice::are_whole),
    step_of_many("lcm", "the least common multiple", "lcm(4, 6)", choice::lcm)
    .needs("whole numbers", choice::are_whole),
    call("clamp", "`x`, limited to the range from `y` to `z`", "clamp(7, 0, 5)",
        Rule::Ternary {
            value: choice::clamp,
            partials: [
                slope(|a, out| choice::clamp_local(a, out, 0), "if(x < y, 0, if(x > z, 0, 1))"),
                slope(|a, out| choice::clamp_local(a, out, 1), "if(x < y, 1, 0)"),
                slope(|a, out| choice::clamp_local(a, out, 2), "if(x > z, 1, 0)"),
            ],
        },
    )
    .flats(&[
        flat("stays at its bound", |a, position, _| position == 0 && (a[0] < a[1] || a[0] > a[2])),
        flat("is not at this bound", |a, position, _| { (position == 1 && a[0] > a[1]) || (position == 2 && a[0] < a[2]) }),
    ])
    .needs("y <= z", |a| a[1] <= a[2])
    .kinks(&[kink(
        "x = y or x = z",
        "the derivative by x is taken as 1, since x can move back inside, and by the bound as 0",
        |a| a[0] == a[1] || a[0] == a[2],
    )]),
    step("floor", "the largest whole number not above `x`", "floor(-2.5)", f64::floor)
    .kinks(&[WHOLE]),
    step("ceil", "the smallest whole number not below `x`", "ceil(2.1)", f64::ceil)
    .kinks(&[WHOLE]),
    step("round", "the nearest whole number; halves are rounded to the even one", "round(2.5)", f64::round_ties_even)
    .kinks(&[kink("x halfway between whole numbers", "the derivative is taken as 0", |a| a[0].fract().abs() == 0.5)]),
    call(
        "round_to",
        "`x` rounded to `y` decimals, for `y < 0` to tens and so on; halves are rounded to the even digit",
        "round(2.345, 2)",
        binary(
            choice::round_to,
            slope(|x, y, _| choice::step_dx(x + y), "0"),
            slope(|x, y, _| choice::step_dx(x + y), "0"),
        ),
    )
    .spelling("round")
    .needs("a whole number of digits, as in round(x, 2)", |a| a[1].fract() == 0.0)
    .kinks(&[kink(
        "x halfway between two decimals",
        "the derivative is taken as 0",
        |a| choice::jumps_at(a[0], a[1]),
    )]),
    step("trunc", "the number rounded towards 0", "trunc(-2.5)", f64::trunc)
    .kinks(&[kink("x a whole number but 0", "the derivative is taken as 0", |a| a[0] != 0.0 && a[0].fract() == 0.0)]),
    step("sign", "the sign: -1, 0 or 1", "sign(-3)", choice::sign)
    .alias(&["sgn", "signum"])
    .kinks(&[FLAT_AT_ZERO]),
    call("rem", "the remainder with the sign of the dividend", "rem(-5, 3)",
        binary(
            |x, y| x % y,
            slope(|_, _, out| power::remainder_dx(out), "1"),
            slopes(power::remainder_dy, "-trunc(x/y)", "round((out - x)/y)"),
        ),
    )
    .script("fmod(x, y)")
    .needs("y != 0", |a| a[1] != 0.0)
    .kinks(&[kink(
        "x a multiple of y but 0",
        "the derivatives are those of the remainder that begins there",
        |a| a[0] != 0.0 && a[0] % a[1] == 0.0,
    )]),
    // ---- Error and gamma functions ---------------------------------------------------------------------------
    call("erf", "the error function", "erf(1)",
        unary(source::erf, slope(|x, _| gauss::erf_dx(x), "2*exp(-x^2)/sqrt(pi)")),
    )
    .flats(&[flat(SATURATED, |a, _, _| a[0].abs() >= 2.5)]),
    call("erfc", "`1 - erf(x)`, accurate where it is small", "erfc(3)",
        unary(source::erfc, slope(|x, _| -gauss::erf_dx(x), "-2*exp(-x^2)/sqrt(pi)")),
    )
    .flats(&[flat(SATURATED, |a, _, _| a[0].abs() >= 2.5)]),
    call("gamma", "the gamma function, (x - 1)! for whole numbers", "gamma(0.5)",
        unary(gamma::gamma, slopes(polygamma::gamma_dx, "out*digamma(x)", "if(x == min(floor(x), 0), nan, out*digamma(x))")),
    )
    .script("gammaOf(x)")
    .needs(NO_POLE, |a| !gamma::is_pole(a[0])),
    call("lgamma", "the logarithm of the absolute value of the gamma function", "lgamma(100)",
        unary(
            gamma::lgamma,
            slopes(|x, _| if gamma::is_pole(x) { f64::NAN } else { polygamma::digamma(x) }, "digamma(x)", "if(x == min(floor(x), 0), nan, digamma(x))"),
        ),
    )
    .script("lgammaOf(x)")
    .needs(NO_POLE, |a| !gamma::is_pole(a[0])),
    call("digamma", "the derivative of lgamma", "digamma(1)",
        unary(
            polygamma::digamma,
            slopes(|x, _| if gamma::is_pole(x) { f64::NAN } else { polygamma::trigamma(x) }, "trigamma(x)", "if(x == min(floor(x), 0), nan, trigamma(x))"),
        ),
    )
    .needs(NO_POLE, |a| !gamma::is_pole(a[0])),
    call("trigamma", "the derivative of digamma", "trigamma(1)",
        unary(polygamma::trigamma, slope(|x, _| polygamma::polygamma(2.0, x), "polygamma(2, x)")),
    )
    .needs(NO_POLE, |a| !gamma::is_pole(a[0])),
    call("polygamma", "the `x`-th derivative of digamma, at `y`", "polygamma(2, 1)",
        binary(
            polygamma::polygamma,
            // There is no derivative by a whole number.
            slope(|_, _, _| f64::NAN, "0/0"),
            slope(|x, y, _| if polygamma::is_order(x) { polygamma::polygamma(x + 1.0, y) } else { f64::NAN }, "polygamma(x + 1, y)"),
        ),
    )
    .needs("a whole x from 0 to 170, and y > 0", |a| polygamma::is_order(a[0]) && a[1] > 0.0),
    call("if", "`y`, or `z` if `x` is 0", "if(2 > 1, 10, 20)",
        Rule::Ternary {
            value: choice::either,
            partials: [
                slope(|a, _| choice::step_dx(a[0]), "0"),
                slope(|a, _| choice::either(a[0], 1.0, 0.0), "if(x, 1, 0)"),
                slope(|a, _| choice::either(a[0], 0.0, 1.0), "if(x, 0, 1)"),
            ],
        },
    )
    .script("either(x, y, z)")
    .flats(&[
        flat("does not follow its condition", |_, position, _| position == 0),
        flat("takes the other side", |a, position, _| position == if a[0] == 0.0 { 1 } else { 2 }),
    ]),
}

/// The operation of nodes that carry an equation. It is no row of the table, because it is no function of numbers alone.
pub static SOLVE: Op = Op {
    row: TABLE.len() as u8,
    ..call(
        "solve",
        "the number that solves an equation",
        "solve(x^2 = 2, x)",
        Rule::Carried,
    )
};

/// The domain of the gamma function, its logarithm and its derivatives.
const NO_POLE: &str = "x not 0 or a negative whole number";

/// The phrase for a region in which the slope is nearly 0.
const SATURATED: &str = "is saturated";

const FOLLOWS_ANOTHER: &str = "follows another operand";

/// The convention if several operands equal the result.
const SHARED: &str = "the operands that tie share the derivative equally";

/// The convention of a position, because operands that tie may change places.
const FIRST: &str = "it is the first of the operands that tie, and the derivative is taken as 0";

const FLAT_AT_ZERO: Kink = kink("x = 0", "the derivative is taken as 0", |a| a[0] == 0.0);

const INFINITE_AT_ZERO: Kink = kink("x = 0", "the derivative is taken as inf", |a| a[0] == 0.0);

const WHOLE: Kink = kink("x a whole number", "the derivative is taken as 0", |a| {
    a[0].fract() == 0.0
});

const WHOLE_QUOTIENT: Kink = kink(
    "x a multiple of y",
    "the derivatives are those of the remainder that begins there",
    |a| a[0] % a[1] == 0.0,
);

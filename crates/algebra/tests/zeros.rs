//! The zeros of products of known factors are those of the factors.

use chainrule_algebra::{Letter, Term, power, product, real_zeros, sum};

fn x() -> Term {
    Term::letter("", 0)
}

/// A polynomial with these coefficients, the lowest power first.
fn polynomial(coefficients: &[i64]) -> Term {
    let powers = coefficients.iter().zip(0..);
    sum(powers
        .map(|(it, power_of_x)| product([Term::whole(*it), power(&x(), &Term::whole(power_of_x))])))
}

/// The numbers and the formulas of all roots.
fn zeros(term: &Term) -> (Vec<f64>, Vec<String>) {
    let name = "".into();
    let found = real_zeros(term, &Letter { place: 0, name });
    let found = found.unwrap_or_else(|| panic!("{term:?}"));
    let mut values: Vec<f64> = found.iter().flat_map(|it| it.values.clone()).collect();
    values.sort_by(f64::total_cmp);
    let texts = found.into_iter().filter_map(|it| it.text);
    (values, texts.collect())
}

#[test]
fn ratios_are_exact_whatever_stands_beside_them() {
    let factors: [(&[i64], &[f64]); 8] = [
        (&[-2, 1], &[2.0]),
        (&[1, 3], &[-1.0 / 3.0]),
        (&[-7, 5], &[1.4]),
        (&[0, 1], &[0.0]),
        (&[1, 0, 1], &[]),
        (
            &[-2, 0, 1],
            &[-std::f64::consts::SQRT_2, std::f64::consts::SQRT_2],
        ),
        (&[-101, 100], &[1.01]),
        // It has no factor with whole numbers; 1.3247179572447460 is the plastic number.
        (&[-1, -1, 0, 1], &[1.324_717_957_244_746]),
    ];
    for chosen in 1_u32..1 << factors.len() {
        let own = factors
            .iter()
            .enumerate()
            .filter(|(place, _)| chosen >> place & 1 == 1);
        let (mut term, mut want, mut ratios) = (Term::whole(1), Vec::new(), 0);
        for (place, (coefficients, numbers)) in own {
            // Each second factor is there twice.
            let times = Term::whole(1 + place as i64 % 2);
            term = product([term, power(&polynomial(coefficients), &times)]);
            want.extend_from_slice(numbers);
            ratios += usize::from(coefficients.len() == 2);
        }
        want.sort_by(f64::total_cmp);
        let (got, texts) = zeros(&term);
        assert_eq!(
            got.len(),
            want.len(),
            "{chosen:b}: {got:?} and not {want:?}"
        );
        for (a, b) in got.iter().zip(&want) {
            assert!((a - b).abs() <= 1e-12, "{chosen:b}: {a} and not {b}");
        }
        assert!(texts.len() >= ratios, "{chosen:b}: {texts:?}");
    }
}

#[test]
fn zeros_that_nearly_meet_are_two() {
    // (x - 1000)*(1000*x - 1000001): 1000 and 1000.001.
    let close = product([polynomial(&[-1000, 1]), polynomial(&[-1_000_001, 1000])]);
    assert_eq!(zeros(&close).1, ["1000", "1000001/1000"]);
    // Wilkinson's polynomial, whose roots as floats are far off.
    let whole: Vec<Term> = (1..=14).map(|root| polynomial(&[-root, 1])).collect();
    let want: Vec<f64> = (1..=14).map(f64::from).collect();
    assert_eq!(zeros(&product(whole)).0, want);
}

#[test]
fn quadratics_are_in_lowest_terms() {
    for (coefficients, want) in [
        (&[3, -5, 1], "(5 ± sqrt(13))/2"),
        (&[-2, 0, 1], "±sqrt(2)"),
        (&[-8, 0, 1], "±2*sqrt(2)"),
        (&[-1, -1, 1], "(1 ± sqrt(5))/2"),
        (&[-1, -2, 1], "1 ± sqrt(2)"),
        (&[-1, -2, -1 + 2], "1 ± sqrt(2)"),
        (&[-5, 0, 2], "±sqrt(10)/2"),
        (&[-45, 0, 4], "±3*sqrt(5)/2"),
        (&[1, 4, -2], "(2 ± sqrt(6))/2"),
        (&[-3, 6, 6], "(-1 ± sqrt(3))/2"),
    ] {
        assert_eq!(
            zeros(&polynomial(coefficients)).1,
            [want],
            "{coefficients:?}"
        );
    }
    let none: [&[i64]; 4] = [&[1, 0, 1], &[5], &[1, 1, 1], &[2, 0, 3, 0, 1]];
    for coefficients in none {
        assert_eq!(zeros(&polynomial(coefficients)).0, [], "{coefficients:?}");
    }
    assert_eq!(zeros(&Term::whole(0)).1, ["any number"]);
}

#[test]
fn other_terms_are_none() {
    let y = Term::letter("", 1);
    let half = power(&Term::whole(2), &Term::whole(-1));
    for term in [
        sum([x(), y.clone()]),
        sum([x(), power(&x(), &half)]),
        power(&Term::whole(2), &x()),
        sum([power(&x(), &Term::whole(1000)), Term::whole(-2)]),
    ] {
        assert_eq!(
            real_zeros(
                &term,
                &Letter {
                    place: 0,
                    name: "".into()
                }
            ),
            None,
            "{term:?}"
        );
    }
}

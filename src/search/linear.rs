//! Solves problems of linear algebra with some hundreds of unknowns: least squares by Householder reflections, and
//! whether a matrix is positive, by Cholesky's factor.
//!
//! Each step of a factorisation chooses the column that is longest after the components along the earlier columns are
//! removed (column pivoting). Columns that depend on the others come last, and the number of columns before them is the
//! rank.

use chainrule_stop as stop;

/// The factors Q·R of a matrix A with its columns reordered, and Qᵀb for each right side b.
#[derive(Clone, Debug)]
pub(crate) struct Factors {
    /// The upper triangle R, column by column.
    upper: Vec<Vec<f64>>,
    /// The index in A of each column of R.
    order: Vec<usize>,
    /// The first `columns` numbers of each Qᵀb.
    right_sides: Vec<Vec<f64>>,
}

impl Factors {
    /// Factors a matrix that is given row by row, and a right side with a number for each row.
    pub(crate) fn of(rows: &[f64], columns: usize, right: &[f64]) -> Factors {
        Factors::of_several(rows, columns, vec![right.to_vec()])
    }

    /// Factors a matrix, with several right sides.
    pub(crate) fn of_several(rows: &[f64], columns: usize, mut right_sides: Vec<Vec<f64>>) -> Self {
        // Without columns there are no rows.
        let count = rows.len() / columns.max(1);
        // Column by column, so that the inner loops go through neighbours.
        let entries = |place: usize| rows.iter().skip(place).step_by(columns).copied().collect();
        let mut matrix: Vec<Vec<f64>> = (0..columns).map(entries).collect();
        let mut order: Vec<usize> = (0..columns).collect();
        for step in 0..columns.min(count) {
            let rest = (step..columns).map(|place| (norm(&matrix[place][step..]), place));
            let longest = rest.max_by(|one, other| one.0.total_cmp(&other.0));
            let (length, pivot_place) = longest.unwrap_or((0.0, step));
            matrix.swap(step, pivot_place);
            order.swap(step, pivot_place);
            let (done, later) = matrix.split_at_mut(step + 1);
            let pivot = &mut done[step];
            if length == 0.0 || !length.is_finite() {
                continue;
            }
            stop::check_before((columns - step) * (count - step));
            // The sign that avoids cancellation in `mirror[0]`.
            let end = if pivot[step] > 0.0 { -length } else { length };
            // The reflection along `mirror` takes the column to `end` times the first unit vector.
            let mut mirror = pivot[step..].to_vec();
            mirror[0] -= end;
            // This is -½ mirror·mirror, so the reflection adds a multiple of `mirror`.
            let scale = end * mirror[0];
            for column in later.iter_mut().chain(&mut right_sides) {
                let lower = &mut column[step..];
                let along = dot(&mirror, lower) / scale;
                add_multiple(lower, along, &mirror);
            }
            pivot[step] = end;
            pivot[step + 1..].fill(0.0);
        }
        for column in matrix.iter_mut().chain(&mut right_sides) {
            column.resize(columns, 0.0);
        }
        Factors {
            upper: matrix,
            order,
            right_sides,
        }
    }

    /// Returns the number of columns of A.
    pub(crate) fn columns(&self) -> usize {
        self.order.len()
    }

    /// Returns an entry of R.
    fn at(&self, row: usize, column: usize) -> f64 {
        self.upper[column][row]
    }

    /// Returns the rank: the number of columns whose diagonal entry in R is larger than `tolerance` times the first one.
    pub(crate) fn rank(&self, tolerance: f64) -> usize {
        let longest = self.upper.first().map_or(0.0, |column| column[0].abs());
        let counts = |place: &usize| self.at(*place, *place).abs() > tolerance * longest;
        (0..self.columns()).take_while(counts).count()
    }

    /// Returns the x of least |Ax - b| that is 0 for the columns from `rank` on.
    pub(crate) fn solve(&self, rank: usize) -> Vec<f64> {
        self.back_substitute(&self.right_sides[0], rank)
    }

    /// Returns the x of each right side, for a matrix of full rank.
    pub(crate) fn solutions(&self) -> impl Iterator<Item = Vec<f64>> {
        let right_sides = self.right_sides.iter();
        right_sides.map(|right| self.back_substitute(right, self.columns()))
    }

    /// Solves R·x = `right` in the first `rank` columns; x has the order of A.
    fn back_substitute(&self, right: &[f64], rank: usize) -> Vec<f64> {
        let mut solution = vec![0.0; self.columns()];
        for row in (0..rank).rev() {
            let known =
                (row + 1..rank).map(|place| self.at(row, place) * solution[self.order[place]]);
            solution[self.order[row]] = (right[row] - known.sum::<f64>()) / self.at(row, row);
        }
        solution
    }

    /// Returns the factors of the columns of A in a sum that is 0. They show how the column with the index `rank` in R
    /// depends on the columns before it.
    pub(crate) fn dependence(&self, rank: usize) -> Vec<f64> {
        let column: Vec<f64> = (0..rank).map(|row| -self.at(row, rank)).collect();
        let mut factors = self.back_substitute(&column, rank);
        factors[self.order[rank]] = 1.0;
        factors
    }

    /// Returns (AᵀA)⁻¹, row by row, for a matrix of full rank.
    pub(crate) fn inverse_of_normal(&self) -> Vec<f64> {
        let n = self.columns();
        // Each column of the inverse of R is the solution of R·x = unit vector, with its rows in the order of A.
        let mut inverse = vec![0.0; n * n];
        for unit in 0..n {
            let mut right = vec![0.0; n];
            right[unit] = 1.0;
            let column = self.back_substitute(&right, n);
            for (row, number) in column.into_iter().enumerate() {
                inverse[row * n + unit] = number;
            }
        }
        let row = |at: usize| &inverse[at * n..][..n];
        (0..n * n).map(|at| dot(row(at / n), row(at % n))).collect()
    }

    /// Returns R·x, which has the length of A·x.
    pub(crate) fn image(&self, x: &[f64]) -> Vec<f64> {
        let entry = |row: usize, place: usize| self.at(row, place) * x[self.order[place]];
        let row = |row: usize| (row..self.columns()).map(|place| entry(row, place)).sum();
        (0..self.columns()).map(row).collect()
    }

    /// Returns the factors of A with `damping` times the unit matrix as further rows, where b has zeros.
    pub(crate) fn with_damping(&self, damping: f64) -> Factors {
        let n = self.columns();
        let mut rows = vec![0.0; 2 * n * n];
        for place in 0..n {
            for row in 0..=place {
                rows[row * n + self.order[place]] = self.at(row, place);
            }
            rows[(n + place) * n + place] = damping;
        }
        let right = [&self.right_sides[0][..], &vec![0.0; n]].concat();
        Factors::of(&rows, n, &right)
    }
}

/// A pivot of Cholesky's method that is not greater is rounding: the diagonal is 1, and some hundred products of numbers
/// below 1 are subtracted from it.
const LEAST_PIVOT: f64 = 1e-12;

/// Columns take part in a sum that is 0 if their factors are greater than this; smaller factors are rounding.
const LEAST_PART: f64 = 1e-3;

/// Returns whether a symmetric matrix of `n` rows is positive beyond rounding: it has Cholesky's factor once its rows
/// and columns are divided by units that make its diagonal 1.
pub(crate) fn is_positive(matrix: &[f64], n: usize) -> bool {
    let units: Vec<f64> = (0..n).map(|at| matrix[at * n + at].sqrt()).collect();
    if !units.iter().all(|unit| unit.is_normal()) {
        return false;
    }
    // Row by row, 0 above the diagonal.
    let mut lower = vec![0.0; n * n];
    for row in 0..n {
        for column in 0..=row {
            let entry = f64::midpoint(matrix[row * n + column], matrix[column * n + row]);
            let before = [row, column].map(|at| &lower[at * n..][..column]);
            let rest = entry / units[row] / units[column] - dot(before[0], before[1]);
            if column < row {
                lower[row * n + column] = rest / lower[column * n + column];
            } else if rest > LEAST_PIVOT {
                lower[row * n + row] = rest.sqrt();
            } else {
                return false;
            }
        }
    }
    true
}

/// Returns the indices of columns that cannot be told apart, because a sum of them hardly differs from 0. The matrix was
/// factored with its columns divided by `units`.
pub(crate) fn dependent_columns(factors: &Factors, units: &[f64], rank: usize) -> Vec<usize> {
    // A column of zeros is undetermined by itself. While there are some, only they are named.
    if units.contains(&0.0) {
        return (0..units.len())
            .filter(|&place| units[place] == 0.0)
            .collect();
    }
    let parts = factors.dependence(rank);
    let takes_part = |place: &usize| parts[*place].abs() > LEAST_PART;
    (0..units.len()).filter(takes_part).collect()
}

/// Returns the sum of products.
pub(crate) fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(x, y)| x * y).sum()
}

/// Adds a multiple of a vector to a sum.
pub(crate) fn add_multiple(sum: &mut [f64], factor: f64, vector: &[f64]) {
    for (number, part) in sum.iter_mut().zip(vector) {
        *number += factor * part;
    }
}

/// Returns the length of a vector, even if its squares overflow or underflow; NaN if a component is NaN.
pub(crate) fn norm(vector: &[f64]) -> f64 {
    let squares = dot(vector, vector);
    if squares.is_nan() {
        return squares;
    }
    if squares.is_finite() && squares > f64::MIN_POSITIVE / f64::EPSILON {
        return squares.sqrt();
    }
    let sizes = vector.iter().map(|part| part.abs());
    let largest = sizes.fold(0.0, f64::max);
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    let scaled = vector.iter().map(|part| (part / largest).powi(2));
    largest * scaled.sum::<f64>().sqrt()
}

/// Returns the lengths of the columns of a matrix that is given row by row.
pub(crate) fn lengths(rows: &[f64], columns: usize) -> Vec<f64> {
    let column = |place| rows.iter().skip(place).step_by(columns).copied();
    let length = |place| norm(&column(place).collect::<Vec<f64>>());
    (0..columns).map(length).collect()
}

/// Returns the rows, each column divided by its unit. A column whose unit is 0 is 0, too.
pub(crate) fn divide_columns(rows: &[f64], units: &[f64]) -> Vec<f64> {
    let entries = rows.iter().zip(units.iter().cycle());
    let scaled = |(entry, unit): (&f64, &f64)| if *unit == 0.0 { 0.0 } else { entry / unit };
    entries.map(scaled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: &[f64], wanted: &[f64], part: f64) {
        assert_eq!(got.len(), wanted.len());
        let size = norm(wanted);
        for (got, wanted) in got.iter().zip(wanted) {
            assert!((got - wanted).abs() <= part * size, "{got} {wanted}");
        }
    }

    /// Hilbert's matrix of 4 rows, and its inverse, which consists of whole numbers.
    const INVERSE_OF_HILBERT: [f64; 16] = [
        16.0, -120.0, 240.0, -140.0, -120.0, 1200.0, -2700.0, 1680.0, 240.0, -2700.0, 6480.0,
        -4200.0, -140.0, 1680.0, -4200.0, 2800.0,
    ];

    fn hilbert() -> Vec<f64> {
        (0..16)
            .map(|at| 1.0 / f64::from(at / 4 + at % 4 + 1))
            .collect()
    }

    #[test]
    fn a_square_system_is_solved() {
        let factors = Factors::of(&hilbert(), 4, &[0.0, 1.0, 0.0, 0.0]);
        assert_eq!(factors.rank(1e-11), 4);
        close(&factors.solve(4), &INVERSE_OF_HILBERT[4..8], 1e-11);
        let row = |at: usize| &INVERSE_OF_HILBERT[at * 4..][..4];
        let wanted: Vec<f64> = (0..16).map(|at| dot(row(at / 4), row(at % 4))).collect();
        close(&factors.inverse_of_normal(), &wanted, 1e-9);
    }

    #[test]
    fn a_positive_matrix_is_told_from_others() {
        assert!(is_positive(&hilbert(), 4));
        for matrix in [[1.0, 2.0, 2.0, 1.0], [1.0, 1.0, 1.0, 1.0], [f64::NAN; 4]] {
            assert!(!is_positive(&matrix, 2), "{matrix:?}");
        }
    }

    #[test]
    fn columns_that_depend_on_others_are_found() {
        // In [1 2 3; 4 5 6; 7 8 9] the first column plus the last is twice the middle one.
        let rows: Vec<f64> = (1..=9).map(f64::from).collect();
        let factors = Factors::of(&rows, 3, &[1.0, 0.0, 0.0]);
        assert_eq!(factors.rank(1e-11), 2);
        let parts = factors.dependence(2);
        let by_first: Vec<f64> = parts.iter().map(|part| part / parts[0]).collect();
        close(&by_first, &[1.0, -2.0, 1.0], 1e-13);
        assert_eq!(dependent_columns(&factors, &[1.0; 3], 2), [0, 1, 2]);
    }

    /// The points (k, 3 + k/2 + (-1)^k) for k = 1 to n, with n even: rows (1, k) and the right side.
    fn zigzag(n: u32) -> (Vec<f64>, Vec<f64>) {
        let places = (1..=n).map(f64::from);
        let sign = |k: f64| if k % 2.0 == 0.0 { 1.0 } else { -1.0 };
        let right = places.clone().map(|k| 3.0 + k / 2.0 + sign(k));
        (
            places.clone().flat_map(|k| [1.0, k]).collect(),
            right.collect(),
        )
    }

    #[test]
    fn a_tall_matrix_is_factored() {
        let n = 5_126;
        let (rows, right) = zigzag(n);
        let factors = Factors::of(&rows, 2, &right);
        // Sums of k, k² and (-1)^k·k are known, so the normal equations are.
        let count = f64::from(n);
        let (sum, squares) = (
            count * (count + 1.0) / 2.0,
            count * (count + 1.0) * (2.0 * count + 1.0) / 6.0,
        );
        let determinant = count * squares - sum * sum;
        let slope = 0.5 + count * (count / 2.0) / determinant;
        let start = 3.0 - sum * (count / 2.0) / determinant;
        close(&factors.solve(2), &[start, slope], 1e-12);
        let wanted = [squares, -sum, -sum, count].map(|part| part / determinant);
        close(&factors.inverse_of_normal(), &wanted, 1e-10);
    }

    #[test]
    fn damping_adds_to_the_normal_matrix() {
        let (rows, right) = zigzag(4);
        let damped = Factors::of(&rows, 2, &right).with_damping(3.0);
        // [4 10; 10 30] + 9, and the right sides 17 and 47.
        let determinant = 13.0 * 39.0 - 100.0;
        let wanted = [17.0 * 39.0 - 470.0, 13.0 * 47.0 - 170.0].map(|part| part / determinant);
        close(&damped.solve(2), &wanted, 1e-13);
    }

    #[test]
    fn lengths_neither_overflow_nor_vanish() {
        close(&[norm(&[3e200, 4e200])], &[5e200], 1e-15);
        close(&[norm(&[3e-200, 4e-200])], &[5e-200], 1e-15);
        assert_eq!(norm(&[]), 0.0);
    }
}

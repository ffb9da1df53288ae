//! Linear algebra for some hundreds of unknowns: least squares by Householder reflections, and eigenvalues.
//!
//! A factorisation chooses at each step the column that is longest after the ones before it have been taken out of it
//! (column pivoting). Columns that add nothing come last, which shows how many there really are: the rank.

/// A matrix A = Q·R with its columns reordered, and Qᵀb for a right side b.
#[derive(Debug)]
pub(super) struct Factors {
    columns: usize,
    /// The upper triangle R, row by row: `columns` rows, of which only the first ones count if A has fewer.
    upper: Vec<f64>,
    /// Which column of A stands at each place.
    pub(super) order: Vec<usize>,
    /// The first `columns` numbers of Qᵀb.
    turned: Vec<f64>,
    /// How many rows of R there are.
    filled: usize,
}

impl Factors {
    /// Factors a matrix that is given row by row, and a right side with a number for each row.
    pub(super) fn of(rows: &[f64], columns: usize, right: &[f64]) -> Factors {
        let height = right.len();
        // Column by column, so that the inner loops go through neighbours.
        let mut matrix: Vec<Vec<f64>> = (0..columns)
            .map(|column| rows.iter().skip(column).step_by(columns).copied().collect())
            .collect();
        let mut order: Vec<usize> = (0..columns).collect();
        let mut turned = right.to_vec();
        let filled = columns.min(height);
        for step in 0..filled {
            let below = |column: &Vec<f64>| norm(&column[step..]);
            let longest = (step..columns)
                .max_by(|&one, &other| below(&matrix[one]).total_cmp(&below(&matrix[other])))
                .unwrap_or(step);
            matrix.swap(step, longest);
            order.swap(step, longest);
            let (done, rest) = matrix.split_at_mut(step + 1);
            let pivot = &mut done[step];
            let length = norm(&pivot[step..]);
            if length == 0.0 || !length.is_finite() {
                continue;
            }
            let end = if pivot[step] > 0.0 { -length } else { length };
            // The reflection along `mirror` takes the column to `end` times the first unit vector.
            let mut mirror = pivot[step..].to_vec();
            mirror[0] -= end;
            let scale = end * mirror[0];
            for column in rest.iter_mut().chain([&mut turned]) {
                let column = &mut column[step..];
                let along = dot(&mirror, column) / scale;
                for (number, part) in column.iter_mut().zip(&mirror) {
                    *number += along * part;
                }
            }
            pivot[step] = end;
            pivot[step + 1..].fill(0.0);
        }
        let mut upper = vec![0.0; columns * columns];
        for (place, column) in matrix.iter().enumerate() {
            for row in 0..filled.min(place + 1) {
                upper[row * columns + place] = column[row];
            }
        }
        turned.resize(columns.max(height), 0.0);
        turned.truncate(columns);
        Factors {
            columns,
            upper,
            order,
            turned,
            filled,
        }
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.upper[row * self.columns + column]
    }

    /// How many columns count, if one shorter than `tolerance` times the longest does not.
    pub(super) fn rank(&self, tolerance: f64) -> usize {
        let longest = if self.columns > 0 {
            self.at(0, 0).abs()
        } else {
            0.0
        };
        let counts = |place: &usize| self.at(*place, *place).abs() > tolerance * longest;
        (0..self.filled).take_while(counts).count()
    }

    /// The x of least |Ax - b| that is 0 for the columns from `rank` on.
    pub(super) fn solve(&self, rank: usize) -> Vec<f64> {
        self.back(&self.turned, rank)
    }

    /// Solves R·x = `right` in the first `rank` columns; x has the order of A.
    fn back(&self, right: &[f64], rank: usize) -> Vec<f64> {
        let mut solution = vec![0.0; self.columns];
        for row in (0..rank).rev() {
            let known =
                (row + 1..rank).map(|place| self.at(row, place) * solution[self.order[place]]);
            solution[self.order[row]] = (right[row] - known.sum::<f64>()) / self.at(row, row);
        }
        solution
    }

    /// How the column at place `rank`, which adds nothing, is made of those before it: the factors of all columns in a
    /// sum that is 0.
    pub(super) fn dependence(&self, rank: usize) -> Vec<f64> {
        let column: Vec<f64> = (0..rank).map(|row| -self.at(row, rank)).collect();
        let mut factors = self.back(&column, rank);
        factors[self.order[rank]] = 1.0;
        factors
    }

    /// (AᵀA)⁻¹, row by row, for a matrix of full rank.
    pub(super) fn inverse_of_normal(&self) -> Vec<f64> {
        let n = self.columns;
        // Row k of the inverse of R, transposed: the solution of Rᵀ·y = unit vector.
        let mut inverse = vec![0.0; n * n];
        for unit in 0..n {
            let mut right = vec![0.0; n];
            right[unit] = 1.0;
            let column = self.back(&right, n);
            for (row, number) in column.into_iter().enumerate() {
                inverse[row * n + unit] = number;
            }
        }
        let row = |at: usize| &inverse[at * n..][..n];
        (0..n * n).map(|at| dot(row(at / n), row(at % n))).collect()
    }

    /// R·x, which is as long as A·x.
    pub(super) fn image(&self, x: &[f64]) -> Vec<f64> {
        let entry = |row: usize, place: usize| self.at(row, place) * x[self.order[place]];
        let row = |row: usize| (row..self.columns).map(|place| entry(row, place)).sum();
        (0..self.filled).map(row).collect()
    }

    /// Aᵀb: how the sum of squares begins to change.
    pub(super) fn slope(&self) -> Vec<f64> {
        let mut slope = vec![0.0; self.columns];
        for place in 0..self.columns {
            let rows = 0..self.filled.min(place + 1);
            slope[self.order[place]] = rows.map(|row| self.at(row, place) * self.turned[row]).sum();
        }
        slope
    }

    /// The y of Rᵀ·y = x, with x in the order of A.
    pub(super) fn forward(&self, x: &[f64]) -> Vec<f64> {
        let mut solution: Vec<f64> = Vec::with_capacity(self.columns);
        for place in 0..self.columns {
            let known = (0..place).map(|row| self.at(row, place) * solution[row]);
            solution.push((x[self.order[place]] - known.sum::<f64>()) / self.at(place, place));
        }
        solution
    }

    /// The factors of A with `damping` times the unit matrix as more rows, where b has zeros.
    pub(super) fn damped(&self, damping: f64) -> Factors {
        let n = self.columns;
        let mut rows = vec![0.0; 2 * n * n];
        for place in 0..n {
            for row in 0..=place {
                rows[row * n + self.order[place]] = self.at(row, place);
            }
            rows[(n + place) * n + place] = damping;
        }
        let mut right = self.turned.clone();
        right.resize(2 * n, 0.0);
        Factors::of(&rows, n, &right)
    }

    /// How many columns A has.
    pub(super) fn columns(&self) -> usize {
        self.columns
    }
}

/// Which columns of a matrix that was factored with its columns divided by `units` cannot be told apart: those in a sum
/// that hardly differs from 0, by place.
pub(super) fn dependence(factors: &Factors, units: &[f64], rank: usize) -> Vec<usize> {
    let parts = factors.dependence(rank);
    let counts = |place: &usize| units[*place] == 0.0 || parts[*place].abs() > 1e-3;
    let all = (0..units.len()).filter(counts);
    // A column of zeros is undetermined all by itself.
    let zero: Vec<usize> = all.clone().filter(|&place| units[place] == 0.0).collect();
    if zero.is_empty() { all.collect() } else { zero }
}

/// The sum of products.
pub(super) fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(x, y)| x * y).sum()
}

/// The length of a vector, whose squares may overflow.
pub(super) fn norm(vector: &[f64]) -> f64 {
    let squares = dot(vector, vector);
    if squares.is_finite() && squares > f64::MIN_POSITIVE / f64::EPSILON {
        return squares.sqrt();
    }
    let largest = vector
        .iter()
        .fold(0.0_f64, |most, part| most.max(part.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    let scaled = vector.iter().map(|part| (part / largest).powi(2));
    largest * scaled.sum::<f64>().sqrt()
}

/// The eigenvalues of a symmetric matrix, by rotations (Jacobi's method), in ascending order.
pub(super) fn eigenvalues(mut matrix: Vec<f64>, n: usize) -> Vec<f64> {
    for _ in 0..ROUNDS {
        let mut turned = false;
        for row in 0..n {
            for column in row + 1..n {
                turned |= rotate(&mut matrix, n, row, column);
            }
        }
        if !turned {
            break;
        }
    }
    let mut values: Vec<f64> = (0..n).map(|place| matrix[place * n + place]).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The most rounds of rotations. It takes six to ten.
const ROUNDS: usize = 50;

/// Makes one entry off the diagonal 0; says whether it was not negligible.
fn rotate(matrix: &mut [f64], n: usize, p: usize, q: usize) -> bool {
    let off = matrix[p * n + q];
    let (first, second) = (matrix[p * n + p], matrix[q * n + q]);
    let least = first.abs().min(second.abs()) + f64::MIN_POSITIVE;
    if off.abs() <= f64::EPSILON * 1e-3 * least || off.is_nan() {
        return false;
    }
    let ratio = (second - first) / (2.0 * off);
    let tangent = ratio.signum() / (ratio.abs() + ratio.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    for other in 0..n {
        let (x, y) = (matrix[other * n + p], matrix[other * n + q]);
        matrix[other * n + p] = cosine * x - sine * y;
        matrix[other * n + q] = sine * x + cosine * y;
    }
    for other in 0..n {
        let (x, y) = (matrix[p * n + other], matrix[q * n + other]);
        matrix[p * n + other] = cosine * x - sine * y;
        matrix[q * n + other] = sine * x + cosine * y;
    }
    true
}

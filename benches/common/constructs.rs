//! Reads `benches/constructs.txt`: the constructs of the language, and scripts that use each of them n times. They show
//! which costs grow faster than the work.

use std::collections::HashMap;
use std::fmt::Write as _;

/// A construct and the lines that use it n times.
#[derive(Clone, Debug, Default)]
pub struct Construct {
    /// The heading above it.
    pub group: String,
    pub name: String,
    pub options: Vec<String>,
    /// The smaller one of the two sizes that are compared.
    pub size: usize,
    /// Why the exponent may be above [`EXPONENT`].
    pub reason: Option<String>,
    /// Whether a test counts it, too.
    pub tested: bool,
    before: String,
    lines: String,
}

/// The highest power of n with which a cost may grow.
pub const EXPONENT: f64 = 1.2;

/// How many times as large the larger size is.
pub const TIMES: usize = 4;

const TEXT: &str = include_str!("../constructs.txt");
const SIZE: usize = 1_000;

impl Construct {
    /// The scripts of size n: the lines that run before, and the whole.
    pub fn scripts(&self, n: usize) -> [String; 2] {
        let before = repeat(&self.before, n);
        let whole = before.clone() + &repeat(&self.lines, n) + "\n";
        [before, whole]
    }

    /// The power of n with which the cost grows. `count` returns the cost of a script. The cost of the lines is the
    /// difference between the whole and the lines before.
    pub fn exponent(&self, mut count: impl FnMut(&str, &[String]) -> u64) -> (u64, f64) {
        let mut cost = |n: usize| {
            let [before, whole] = self.scripts(n);
            let before = count(&before, &self.options);
            count(&whole, &self.options).saturating_sub(before).max(1)
        };
        let (one, more) = (cost(self.size), cost(TIMES * self.size));
        let exponent = (more as f64 / one as f64).ln() / (TIMES as f64).ln();
        (one, exponent)
    }
}

/// All constructs, in the order of the file.
pub fn constructs() -> Vec<Construct> {
    let mut found: Vec<Construct> = Vec::new();
    let mut named: HashMap<&str, String> = HashMap::new();
    let (mut group, mut defined) = ("", None);
    for line in TEXT.lines() {
        let is_word = |name: &&str| name.bytes().all(|letter| letter.is_ascii_uppercase());
        let bracketed = line.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        if let Some(name) = line.strip_prefix("## ") {
            defined = None;
            found.push(Construct {
                group: group.to_string(),
                name: name.to_string(),
                size: SIZE,
                ..Construct::default()
            });
        } else if let Some(heading) = line.strip_prefix("=== ") {
            (group, defined) = (heading, None);
        } else if let Some(name) = bracketed.filter(is_word) {
            defined = Some(name);
        } else if let Some(name) = defined {
            let _ = writeln!(named.entry(name).or_default(), "{line}");
        } else if let Some(construct) = found.last_mut() {
            construct.read(line, &named);
        }
    }
    found
}

impl Construct {
    /// Reads a line below the name.
    fn read(&mut self, line: &str, named: &HashMap<&str, String>) {
        if let Some(before) = line.strip_prefix("| ") {
            let typed = || format!("{before}\n");
            self.before += &named.get(before).cloned().unwrap_or_else(typed);
        } else if let Some(about) = line.strip_prefix("> ") {
            let (word, rest) = about.split_once(' ').unwrap_or((about, ""));
            match word {
                "size" => self.size = rest.parse().expect("a size is a number"),
                "options" => self.options = rest.split(' ').map(str::to_string).collect(),
                "because" => self.reason = Some(rest.to_string()),
                "tested" => self.tested = true,
                _ => panic!("`> {word}` says nothing"),
            }
        } else if !line.is_empty() {
            let _ = writeln!(self.lines, "{line}");
        }
    }
}

/// A template for size n, written out.
fn repeat(template: &str, n: usize) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((plain, behind)) = rest.split_once('‹') {
        let (part, behind) = behind.split_once('›').expect("`‹` has its `›`");
        text += &plain.replace("{n}", &n.to_string());
        for k in 1..=n {
            let part = part.replace("{k}", &k.to_string());
            text += &part.replace("{j}", &(k - 1).to_string());
        }
        rest = behind;
    }
    text + &rest.replace("{n}", &n.to_string())
}

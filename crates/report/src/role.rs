//! Roles: what the words and numbers of an answer mean, and the parts of a picture.
//!
//! The views decide how a role looks: `chainrule_style::theme`.

/// The meaning of a part of the output, which decides its colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// Ordinary words.
    #[default]
    Plain,
    /// A name or label of a node.
    Name,
    /// A number. It has the terminal's default colour because most of a screen is numbers.
    Number,
    /// A number that is NaN or infinite; in a picture also the node where the first of them appeared.
    NotFinite,
    /// A formula.
    Formula,
    /// Something to type, such as a command or an option.
    Typed,
    /// A heading, the head of a table.
    Heading,
    /// Less important words.
    Dim,
    /// The word `error` and its carets.
    Error,
    /// The word `note` and its carets.
    Note,
    /// The word `help`.
    Help,
    /// A place: in a file, a line number, `$3`, `@9`.
    Place,
    /// The answer that the line at the prompt would get.
    Hint,
    /// The rest of an earlier line that the prompt offers.
    Ghost,
    /// The bracket at the cursor and its partner.
    Bracket,
    /// In a picture, a leaf that `:step` changes.
    Leaf,
    /// A frozen leaf.
    Frozen,
    /// A computed node.
    Computed,
    /// The root of the graph.
    Root,
    /// The sign of an operation.
    Operation,
    /// A positive grad. Neither red nor green, because it is neither good nor bad.
    Rising,
    /// A negative grad.
    Falling,
    /// The current stop of a walk.
    Current,
    /// A node that the walk has not reached yet.
    Coming,
    /// The n-th curve of a plot; after a few they repeat.
    Curve(u8),
    /// In a picture for a file, its background.
    Ground,
    /// Words and numbers on the background.
    Words,
    /// Words of less weight.
    Faint,
    /// Lines of a grid.
    Grid,
    /// Axes and edges.
    Wire,
    /// A constant's box.
    Constant,
    /// A place of a map, from 0 for its lowest values to 255 for its highest; the same on light and on dark ground.
    Shade(u8),
    /// Lines and words on a shade: black or white.
    OnShade(u8),
}

impl Role {
    /// The number of curves with different colours.
    pub const CURVES: u8 = 6;

    /// The role of a number, by whether it is finite.
    pub fn of(value: f64) -> Role {
        if value.is_finite() {
            Role::Number
        } else {
            Role::NotFinite
        }
    }

    /// The role of a gradient, by its sign.
    pub fn of_grad(value: f64) -> Role {
        match Role::of(value) {
            Role::Number if value > 0.0 => Role::Rising,
            Role::Number if value < 0.0 => Role::Falling,
            role => role,
        }
    }
}

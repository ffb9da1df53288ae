//! Defines the roles of output: the meanings of words and numbers in answers, and of the parts of pictures.
//!
//! `chainrule_style::theme` decides how a role looks.

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
    /// A formula that is an address, too: a label.
    Formula,
    /// A whole formula, which pages set as mathematics. Its words are those to type.
    Math,
    /// Something to type, such as a command or an option.
    Typed,
    /// A heading, or the titles of a table's columns.
    Heading,
    /// Less important words of text.
    Dim,
    /// The word `error` and its carets.
    Error,
    /// The word `note` and its carets.
    Note,
    /// The word `help`.
    Help,
    /// A place in a file, a line number, `$3` or `@9`.
    Place,
    /// The answer that the line at the prompt would get.
    Hint,
    /// The rest of an earlier line that the prompt offers.
    Ghost,
    /// The bracket at the cursor and its partner.
    Bracket,
    /// A leaf in a picture, if `:step` changes it.
    Leaf,
    /// A frozen leaf in a picture.
    Frozen,
    /// A computed node in a picture.
    Computed,
    /// The root of the graph in a picture.
    Root,
    /// The sign of an operation in a picture.
    Operation,
    /// A positive grad. Neither red nor green, because it is neither good nor bad.
    Rising,
    /// A negative grad.
    Falling,
    /// The current stop of a walk.
    Current,
    /// A node that the walk has not reached yet.
    Coming,
    /// The n-th curve of a plot. The colours repeat after [`Role::CURVES`] curves.
    Curve(u8),
    /// The area of the uncertainty of the n-th curve in a picture for a file: a tint of its colour.
    Band(u8),
    /// The background of a picture for a file.
    Ground,
    /// Words and numbers on this background.
    Words,
    /// Less important words on this background.
    Faint,
    /// Lines of a grid in a picture for a file.
    Grid,
    /// Axes and edges in a picture for a file.
    Wire,
    /// A constant's box in a picture for a file.
    Constant,
    /// A point of a map, from 0 for its lowest values to 255 for its highest. Light and dark pictures have the same shades.
    Shade(u8),
    /// Lines and words drawn on this shade: black or white, whichever contrasts.
    OnShade(u8),
}

impl Role {
    /// The number of curves with different colours.
    pub const CURVES: u8 = 6;

    /// Whether it marks text in the calculator's language.
    pub fn is_code(self) -> bool {
        matches!(self, Role::Typed | Role::Formula | Role::Math | Role::Name)
    }

    /// The role of a number: [`Role::Number`] if it is finite.
    pub fn of(value: f64) -> Role {
        if value.is_finite() {
            Role::Number
        } else {
            Role::NotFinite
        }
    }

    /// The role of a gradient, which depends on its sign.
    pub fn of_grad(value: f64) -> Role {
        match Role::of(value) {
            Role::Number if value > 0.0 => Role::Rising,
            Role::Number if value < 0.0 => Role::Falling,
            role => role,
        }
    }
}

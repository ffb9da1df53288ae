//! The tests of what is inside: ranks and their crossings. Pictures are tested in `tests/`, from where the builder of
//! diagrams is.

#[path = "../../tests/common/builder.rs"]
mod builder;
#[path = "../../../style/tests/common/color_vision.rs"]
pub(crate) mod color_vision;
mod ranks;

pub(crate) use builder::{Builder, network, random};

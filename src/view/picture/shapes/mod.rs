//! A picture as shapes and text at places, in named inks: what every file format draws alike.
//!
//! The scene, the boxes and ovals of a graph, sizes of text, colours.

pub(crate) mod boxes;
mod columns;
pub(crate) mod connections;
pub(crate) mod labels;
pub(crate) mod letters;
pub(crate) mod network;
mod neurons;
pub(crate) mod numbers;
pub(crate) mod palette;
mod plan;
mod scene;
mod sizes;
mod wires;

pub(crate) use self::scene::{
    Anchor, Contour, Ink, PathStep, Scene, SceneGroup, SceneShape, SceneText, Stroke,
};
pub(crate) use self::sizes::Sizes;

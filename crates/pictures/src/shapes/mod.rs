//! Pictures as shapes and text in named inks, from which SVG and the page are written.

mod boxes;
pub(crate) mod connections;
mod drawing;
pub(crate) mod graph;
pub(crate) mod labels;
mod legend;
pub(crate) mod letters;
mod neurons;
pub(crate) mod palette;
mod plan_cache;
mod scene;
pub(crate) mod typeset;
mod wires;

pub(crate) use self::scene::{
    Anchor, Contour, Ink, PathStep, Scene, SceneGroup, SceneShape, SceneText, Sketch, Stroke,
    straight_path, without_straight_places,
};

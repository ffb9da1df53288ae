//! The fonts of the machine, for letters that the program's own font lacks.
//!
//! They are looked for only when a picture needs one.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use fontdb::{Database, FaceInfo, Style, Weight};

/// Visits every font until told to stop; first those that look most like the program's own: of one width, without
/// serifs, upright, of a usual weight.
pub(crate) fn visit(look: &mut dyn FnMut(&[u8], u32) -> ControlFlow<()>) {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    let mut faces: Vec<&FaceInfo> = fonts.faces().collect();
    faces.sort_by_key(|face| {
        (
            Reverse(face.monospaced),
            face.families.iter().any(|(name, _)| name.contains("Serif")),
            face.style != Style::Normal,
            face.weight.0.abs_diff(Weight::NORMAL.0),
        )
    });
    for face in faces {
        let seen = fonts.with_face_data(face.id, |data, index| look(data, index));
        if seen.is_some_and(|seen| seen.is_break()) {
            return;
        }
    }
}

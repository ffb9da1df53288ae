//! Pictures as files: the pictures of `chainrule_pictures`, or their data as JSON or tables.

pub(crate) use chainrule_pictures::{
    Background, graph, graph_element, plot, plot_element, properties,
};

use super::{Style, json, sheets};
use chainrule_report::{Picture, TABLE_ENDINGS};

/// A picture as the content of a file, or the reason why it cannot be made. The ending of the file name, such as `svg`,
/// decides the format.
pub fn picture(picture: &Picture, ending: &str, style: &Style) -> Result<Vec<u8>, String> {
    match picture {
        Picture::Graph(diagram) if ending == "json" => Ok(json::graph_file(diagram).into_bytes()),
        Picture::Plot(plot) if TABLE_ENDINGS.contains(&ending) => {
            Ok(sheets::sheets(&[plot.sheet()], ending, style).into_bytes())
        }
        _ => chainrule_pictures::picture(picture, ending, style),
    }
}

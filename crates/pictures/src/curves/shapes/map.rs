//! Draws a map in its frame: the areas of its shades, the lines at its levels, and the bar that explains the shades.

use super::places::{CELL, place};
use super::{FramePen, rectangle};
use crate::curves::field::{ContourField, MapLevels, level_parts};
use crate::curves::room::BAR;
use crate::shapes::{Contour, Ink, SceneGroup, Stroke, without_straight_places};
use chainrule_report::PlotMap;
use chainrule_style::number;

impl FramePen<'_> {
    /// Draws the shades of a map, each on top of the lower ones, and the lines at the levels.
    pub(super) fn draw_map(&mut self, map: &PlotMap, levels: &MapLevels) {
        // The area of the lowest shade is the whole map.
        let mut bounds = vec![f64::NEG_INFINITY];
        bounds.extend(levels.ticks.iter().map(|level| level.number));
        let field = ContourField::of(map, &self.frame.chart.window);
        let areas: Vec<_> = bounds.iter().map(|bound| field.lines(*bound)).collect();
        for (shade, lines) in areas.iter().enumerate() {
            let mut steps = Vec::new();
            for line in lines {
                let places = line.iter().map(|point| point.place);
                steps.extend(self.frame.outline(without_straight_places(places, 1e-12)));
            }
            if !steps.is_empty() {
                let ink = Ink::Shade(levels.shade(shade));
                self.sketch.area(Contour::Path(steps), ink);
            }
        }
        for (level, tick) in levels.ticks.iter().enumerate() {
            let height = number::shortest(tick.number);
            let tip = format!("{} = {height}", map.label);
            let mean_shade = levels.shade(level) / 2 + levels.shade(level + 1) / 2;
            let stroke = Stroke::solid(Ink::OnShade(mean_shade), 0.8);
            let steps = self.frame.polylines(&level_parts(&areas[level + 1]));
            let group = SceneGroup::new("contour", height, tip);
            self.sketch.group(group, |sketch| {
                if !steps.is_empty() {
                    sketch.path(steps, stroke);
                }
            });
        }
    }

    /// Draws the bar that explains the shades.
    pub(super) fn draw_bar(&mut self, levels: &MapLevels) {
        let (left, _) = place((self.frame.bar(), 0.0));
        let (_, top) = self.frame.place((0.0, 1.0));
        let (_, height) = self.frame.size();
        let width = BAR * CELL.0;
        let shades = levels.shade_count();
        let shade_height = height / shades as f64;
        for shade in 0..shades {
            let upper = top + height - (shade + 1) as f64 * shade_height;
            let area = rectangle([left, upper, width, shade_height]);
            self.sketch.area(area, Ink::Shade(levels.shade(shade)));
        }
    }
}

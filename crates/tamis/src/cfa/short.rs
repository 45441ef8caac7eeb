//! A graph for a small picture, beside something else to look at.

use super::graph::Graph;

/// A label has so many lines at most, of so many characters.
const MOST_LINES: usize = 7;
const LONGEST: usize = 36;

impl Graph {
    /// The same graph with short labels: what an arrow does, without the places that a reader sees otherwise.
    pub fn abridged(mut self) -> Graph {
        for arrow in &mut self.arrows {
            let count = arrow.lines.len();
            if count > MOST_LINES {
                arrow.lines.truncate(MOST_LINES - 1);
                arrow.lines.push(format!("… {} more", count + 1 - MOST_LINES));
            }
            arrow.lines.iter_mut().for_each(cut);
            arrow.notes.clear();
        }
        self.nodes.iter_mut().for_each(|node| cut(&mut node.name));
        self
    }
}

fn cut(text: &mut String) {
    if let Some((end, _)) = text.char_indices().nth(LONGEST - 1)
        && text[end..].chars().nth(1).is_some()
    {
        text.truncate(end);
        text.push('…');
    }
}

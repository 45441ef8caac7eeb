//! Where things stand in a picture: a layered layout (Sugiyama's method, in its simplest form).
//!
//! Locations and the labels of edges are boxes. Every box is in a layer below all that lead to it, back-edges apart;
//! within a layer boxes are ordered by where their neighbours above stand, and then below, a few times over. As labels
//! are boxes, they hide nothing. An edge that spans several layers holds a place in each, so that it passes between
//! the boxes.

/// A box to be placed.
pub struct Item {
    pub width: f64,
    pub height: f64,
}

/// A line between two items.
#[derive(Clone, Copy)]
pub struct Line {
    pub from: usize,
    pub to: usize,
}

/// A layout: the centre of each item, the points that each line passes between its ends, and the size of all.
pub struct Layout {
    pub centres: Vec<(f64, f64)>,
    pub bends: Vec<Vec<(f64, f64)>>,
    pub width: f64,
    pub height: f64,
}

const GAP: f64 = 24.0;
const LAYER_GAP: f64 = 28.0;
const SWEEPS: usize = 8;

/// Lays out items; `start` is on top. Lines that close a cycle get no bends: they lead upwards.
pub fn layout(items: &[Item], lines: &[Line], start: usize) -> Layout {
    let upward = back_lines(items.len(), lines, start);
    let layer = layers(items.len(), lines, &upward);
    // Places that long lines hold follow the items.
    let mut sizes: Vec<(f64, f64)> = items.iter().map(|i| (i.width, i.height)).collect();
    let mut layer_of = layer.clone();
    let mut links: Vec<(usize, usize)> = Vec::new();
    let mut held: Vec<Vec<usize>> = vec![Vec::new(); lines.len()];
    for (i, line) in lines.iter().enumerate().filter(|(i, _)| !upward[*i]) {
        let mut before = line.from;
        for between in layer[line.from] + 1..layer[line.to] {
            sizes.push((0.0, 0.0));
            layer_of.push(between);
            let place = sizes.len() - 1;
            links.push((before, place));
            held[i].push(place);
            before = place;
        }
        links.push((before, line.to));
    }
    let rows = order(&layer_of, &links);
    let (centres, width, height) = coordinates(&sizes, &rows);
    let bends = held.iter().map(|places| places.iter().map(|&p| centres[p]).collect()).collect();
    Layout { centres: centres[..items.len()].to_vec(), bends, width, height }
}

/// Which lines lead back to something that a depth-first search is still below.
fn back_lines(count: usize, lines: &[Line], start: usize) -> Vec<bool> {
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (i, line) in lines.iter().enumerate() {
        outgoing[line.from].push(i);
    }
    let mut upward = vec![false; lines.len()];
    let (mut seen, mut below) = (vec![false; count], vec![false; count]);
    for root in std::iter::once(start).chain(0..count) {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        below[root] = true;
        let mut stack = vec![(root, 0)];
        while let Some((at, followed)) = stack.last_mut() {
            let at = *at;
            let Some(&line) = outgoing[at].get(*followed) else {
                below[at] = false;
                stack.pop();
                continue;
            };
            *followed += 1;
            let to = lines[line].to;
            if below[to] {
                upward[line] = true;
            } else if !std::mem::replace(&mut seen[to], true) {
                below[to] = true;
                stack.push((to, 0));
            }
        }
    }
    upward
}

/// The length of the longest way to each item.
fn layers(count: usize, lines: &[Line], upward: &[bool]) -> Vec<usize> {
    let mut layer = vec![0; count];
    let mut missing = vec![0; count];
    let downward = || lines.iter().zip(upward).filter(|(_, up)| !**up).map(|(line, _)| line);
    for line in downward() {
        missing[line.to] += 1;
    }
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); count];
    for line in downward() {
        outgoing[line.from].push(line.to);
    }
    let mut ready: Vec<usize> = (0..count).filter(|&i| missing[i] == 0).collect();
    while let Some(at) = ready.pop() {
        for &to in &outgoing[at] {
            layer[to] = layer[to].max(layer[at] + 1);
            missing[to] -= 1;
            if missing[to] == 0 {
                ready.push(to);
            }
        }
    }
    layer
}

/// The items of each layer from left to right.
fn order(layer_of: &[usize], links: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let count = layer_of.iter().max().map_or(0, |l| l + 1);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (item, &layer) in layer_of.iter().enumerate() {
        rows[layer].push(item);
    }
    let mut above: Vec<Vec<usize>> = vec![Vec::new(); layer_of.len()];
    let mut below = above.clone();
    for &(a, b) in links {
        above[b].push(a);
        below[a].push(b);
    }
    let mut place = vec![0.0; layer_of.len()];
    let number = |row: &[usize], place: &mut [f64]| {
        let middle = (row.len() as f64 - 1.0) / 2.0;
        row.iter().enumerate().for_each(|(i, &item)| place[item] = i as f64 - middle);
    };
    rows.iter().for_each(|row| number(row, &mut place));
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        let neighbours = if down { &above } else { &below };
        for i in 0..count {
            let row = &mut rows[if down { i } else { count - 1 - i }];
            let wanted = |item: usize| {
                let of = &neighbours[item];
                if of.is_empty() {
                    place[item]
                } else {
                    of.iter().map(|&n| place[n]).sum::<f64>() / of.len() as f64
                }
            };
            let mut by_wish: Vec<(f64, usize)> = row.iter().map(|&item| (wanted(item), item)).collect();
            by_wish.sort_by(|a, b| a.0.total_cmp(&b.0));
            *row = by_wish.into_iter().map(|(_, item)| item).collect();
            number(row, &mut place);
        }
    }
    rows
}

/// Centres of all places, each row in the middle of the picture, and the picture's size.
fn coordinates(sizes: &[(f64, f64)], rows: &[Vec<usize>]) -> (Vec<(f64, f64)>, f64, f64) {
    let row_width = |row: &Vec<usize>| row.iter().map(|&i| sizes[i].0 + GAP).sum::<f64>();
    let width = rows.iter().map(row_width).fold(0.0, f64::max) + GAP;
    let mut centres = vec![(0.0, 0.0); sizes.len()];
    let mut y = LAYER_GAP;
    for row in rows {
        let height = row.iter().map(|&i| sizes[i].1).fold(0.0, f64::max);
        let mut x = (width - row_width(row) + GAP) / 2.0;
        for &item in row {
            centres[item] = (x + sizes[item].0 / 2.0, y + height / 2.0);
            x += sizes[item].0 + GAP;
        }
        y += height + LAYER_GAP;
    }
    (centres, width, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A loop with a branch in it, boxes of different sizes.
    #[test]
    fn boxes_do_not_overlap_and_lines_lead_down() {
        let items: Vec<Item> =
            (0..7).map(|i| Item { width: 20.0 + 9.0 * f64::from(i), height: 10.0 + f64::from(i) }).collect();
        let ends = [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 1), (1, 5), (0, 5), (5, 6)];
        let lines: Vec<Line> = ends.iter().map(|&(from, to)| Line { from, to }).collect();
        let layout = layout(&items, &lines, 0);
        for a in 0..items.len() {
            let (x, y) = layout.centres[a];
            assert!(x >= items[a].width / 2.0 && x + items[a].width / 2.0 <= layout.width);
            assert!(y >= items[a].height / 2.0 && y + items[a].height / 2.0 <= layout.height);
            for b in 0..a {
                let (dx, dy) = ((x - layout.centres[b].0).abs(), (y - layout.centres[b].1).abs());
                let apart = dx >= (items[a].width + items[b].width) / 2.0
                    || dy >= (items[a].height + items[b].height) / 2.0;
                assert!(apart, "{a} and {b}");
            }
        }
        for (i, line) in lines.iter().enumerate() {
            let down = layout.centres[line.from].1 < layout.centres[line.to].1;
            assert_eq!(down, ends[i] != (4, 1));
            // A long line passes a place in every layer between.
            assert!(layout.bends[i].iter().all(|&(_, y)| y < layout.centres[line.to].1));
        }
        assert!(!layout.bends[7].is_empty());
    }
}

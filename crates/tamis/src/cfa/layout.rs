//! Where things stand in a picture: a layered layout (Sugiyama's method, in its simplest form).
//!
//! Locations and the labels of edges are boxes. Every box is in a layer below all that lead to it, back-edges apart;
//! within a layer boxes are ordered by where their neighbours above stand, and then below, a few times over. As labels
//! are boxes, they hide nothing. An edge that spans several layers holds a place in each, so that it passes between
//! the boxes.
//!
//! Across, everything wants to stand under what it is connected with, the places of long edges most of all, so that these are
//! straight. A row's wishes, with its order and the distances kept, are a least-squares problem: isotonic regression, solved
//! exactly by pooling neighbours that want to pass each other.

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

const GAP: f64 = 16.0;
const LAYER_GAP: f64 = 16.0;
const SWEEPS: usize = 8;
/// How often rows are moved, down and up in turns.
const MOVES: usize = 24;
/// How much more the places of a long edge want to be in line than boxes do.
const STRAIGHT: f64 = 8.0;

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
    let (centres, width, height) = coordinates(&sizes, &rows, &links, items.len());
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

/// Centres of all places, and the picture's size. The first `boxes` of them are boxes, the others places of long edges.
fn coordinates(
    sizes: &[(f64, f64)],
    rows: &[Vec<usize>],
    links: &[(usize, usize)],
    boxes: usize,
) -> (Vec<(f64, f64)>, f64, f64) {
    let mut neighbours: [Vec<Vec<usize>>; 2] = [vec![Vec::new(); sizes.len()], vec![Vec::new(); sizes.len()]];
    for &(a, b) in links {
        neighbours[0][b].push(a);
        neighbours[1][a].push(b);
    }
    // Half the distance of two neighbours belongs to each of them.
    let half = |item: usize| (sizes[item].0 + GAP) / 2.0;
    let mut x = vec![0.0; sizes.len()];
    for row in rows {
        let mut left = -row.iter().map(|&item| half(item)).sum::<f64>();
        for &item in row {
            x[item] = left + half(item);
            left += 2.0 * half(item);
        }
    }
    for turn in 0..MOVES {
        let above = &neighbours[turn % 2];
        for i in 0..rows.len() {
            let row = &rows[if turn % 2 == 0 { i } else { rows.len() - 1 - i }];
            let wishes: Vec<(f64, f64)> =
                row.iter().map(|&item| wish(item, &above[item], &x, boxes)).collect();
            let apart: Vec<f64> = row.windows(2).map(|pair| half(pair[0]) + half(pair[1])).collect();
            for (&item, place) in row.iter().zip(placed(&wishes, &apart)) {
                x[item] = place;
            }
        }
    }
    let left = (0..sizes.len()).map(|item| x[item] - half(item)).fold(0.0, f64::min);
    let right = (0..sizes.len()).map(|item| x[item] + half(item)).fold(0.0, f64::max);
    let mut centres = vec![(0.0, 0.0); sizes.len()];
    let mut y = LAYER_GAP + 8.0;
    for row in rows {
        let height = row.iter().map(|&i| sizes[i].1).fold(0.0, f64::max);
        for &item in row {
            centres[item] = (x[item] - left, y + height / 2.0);
        }
        y += height + LAYER_GAP;
    }
    (centres, right - left, y)
}

/// Where an item wants to stand, and how much.
fn wish(item: usize, neighbours: &[usize], x: &[f64], boxes: usize) -> (f64, f64) {
    if neighbours.is_empty() {
        return (x[item], 0.1);
    }
    let weight = |n: usize| if item >= boxes && n >= boxes { STRAIGHT } else { 1.0 };
    let total: f64 = neighbours.iter().map(|&n| weight(n)).sum();
    (neighbours.iter().map(|&n| weight(n) * x[n]).sum::<f64>() / total, total)
}

/// The places nearest to wishes, by squares with weights, that keep an order and are so far apart.
fn placed(wishes: &[(f64, f64)], apart: &[f64]) -> Vec<f64> {
    // Without the distances, places only have to rise.
    let mut offset = vec![0.0; wishes.len()];
    for i in 1..wishes.len() {
        offset[i] = offset[i - 1] + apart[i - 1];
    }
    // Pools of neighbours that stand together: their mean, their weight, their number.
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for (i, &(wanted, weight)) in wishes.iter().enumerate() {
        let mut pool = (wanted - offset[i], weight, 1);
        while let Some(&(mean, heavy, number)) = pools.last().filter(|before| before.0 > pool.0) {
            pools.pop();
            let total = heavy + pool.1;
            pool = ((mean * heavy + pool.0 * pool.1) / total, total, number + pool.2);
        }
        pools.push(pool);
    }
    let means = pools.into_iter().flat_map(|(mean, _, number)| std::iter::repeat_n(mean, number));
    means.zip(offset).map(|(mean, offset)| mean + offset).collect()
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

    #[test]
    fn places_keep_their_order_and_distance() {
        assert_eq!(placed(&[(5.0, 1.0), (0.0, 1.0)], &[2.0]), [1.5, 3.5]);
        assert_eq!(placed(&[(0.0, 1.0), (9.0, 1.0)], &[2.0]), [0.0, 9.0]);
        // Who is heavier gives way less.
        assert_eq!(placed(&[(4.0, 3.0), (0.0, 1.0)], &[2.0]), [2.5, 4.5]);
    }

    /// A long edge beside a column of boxes is straight, but at its ends.
    #[test]
    fn long_edges_are_straight() {
        let items: Vec<Item> =
            (0..6).map(|i| Item { width: 30.0 + 20.0 * f64::from(i % 3), height: 10.0 }).collect();
        let mut lines: Vec<Line> = (0..5).map(|i| Line { from: i, to: i + 1 }).collect();
        lines.push(Line { from: 0, to: 5 });
        let layout = layout(&items, &lines, 0);
        let long = &layout.bends[5];
        assert_eq!(long.len(), 4);
        assert!(long.windows(2).all(|pair| (pair[0].0 - pair[1].0).abs() < 8.0), "{long:?}");
        let column: Vec<f64> = (1..5).map(|i| layout.centres[i].0).collect();
        // Wide boxes push the edge and each other a little.
        assert!(column.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 12.0), "{column:?}");
    }
}

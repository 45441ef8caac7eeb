//! The blocks of a graph: maximal parts that no single vertex separates.
//!
//! Bounds on differences contradict each other along a cycle, and every simple cycle is in one block. So what the bounds of
//! one block are has no influence on whether those of another can hold.
//!
//! ## References
//! - J. Hopcroft, R. Tarjan. *Algorithm 447: Efficient Algorithms for Graph Manipulation*. CACM 16(6), 1973.

use super::graph::Vertex;

/// A vertex that the walk is at, and the edge that it came by.
struct Visit {
    vertex: usize,
    came_by: usize,
    /// The place of its edge to be looked at next.
    next: usize,
}

/// The walk through a graph.
struct Walk<'a> {
    edges: &'a [(usize, usize)],
    /// The edges of all vertices, and where those of each begin.
    incident: Vec<usize>,
    begin: Vec<usize>,
    /// When a vertex was met, from 1 on.
    met: Vec<usize>,
    /// The earliest vertex that can be come back to from here.
    low: Vec<usize>,
    path: Vec<Visit>,
    /// Edges that are in no block yet.
    open: Vec<usize>,
    blocks: Vec<Vec<usize>>,
}

/// The blocks of a graph with so many vertices and these edges, each as a list of edges by their places. Several edges may join
/// the same vertices.
pub(super) fn blocks(count: usize, edges: &[(Vertex, Vertex)]) -> Vec<Vec<usize>> {
    let edges: Vec<(usize, usize)> = edges.iter().map(|&(a, b)| (a as usize, b as usize)).collect();
    let mut begin = vec![0; count + 1];
    for vertex in edges.iter().flat_map(|&(a, b)| [a, b]) {
        begin[vertex] += 1;
    }
    let mut so_far = 0;
    for place in &mut begin {
        so_far += *place;
        *place = so_far;
    }
    let mut incident = vec![0; 2 * edges.len()];
    for (number, &(a, b)) in edges.iter().enumerate() {
        for vertex in [a, b] {
            begin[vertex] -= 1;
            incident[begin[vertex]] = number;
        }
    }
    let (met, low) = (vec![0; count], vec![0; count]);
    let mut walk = Walk {
        edges: &edges,
        incident,
        begin,
        met,
        low,
        path: Vec::new(),
        open: Vec::new(),
        blocks: Vec::new(),
    };
    let mut time = 0;
    for start in 0..count {
        if walk.met[start] == 0 && walk.begin[start] < walk.begin[start + 1] {
            walk.from(start, &mut time);
        }
    }
    walk.blocks
}

impl Walk<'_> {
    fn from(&mut self, start: usize, time: &mut usize) {
        self.meet(start, usize::MAX, time);
        while let Some(visit) = self.path.last_mut() {
            let (vertex, came_by) = (visit.vertex, visit.came_by);
            if visit.next == self.begin[vertex + 1] {
                self.path.pop();
                self.leave(vertex, came_by);
                continue;
            }
            let edge = self.incident[visit.next];
            visit.next += 1;
            let (a, b) = self.edges[edge];
            let other = if a == vertex { b } else { a };
            if edge == came_by {
                continue;
            }
            if self.met[other] == 0 {
                self.open.push(edge);
                self.meet(other, edge, time);
            } else if self.met[other] < self.met[vertex] {
                self.open.push(edge);
                self.low[vertex] = self.low[vertex].min(self.met[other]);
            }
        }
    }

    fn meet(&mut self, vertex: usize, came_by: usize, time: &mut usize) {
        *time += 1;
        self.met[vertex] = *time;
        self.low[vertex] = *time;
        self.path.push(Visit { vertex, came_by, next: self.begin[vertex] });
    }

    /// Goes back from a vertex; what lies beyond the edge that led there is a block if there is no other way back.
    fn leave(&mut self, vertex: usize, came_by: usize) {
        let Some(before) = self.path.last().map(|visit| visit.vertex) else { return };
        self.low[before] = self.low[before].min(self.low[vertex]);
        if self.low[vertex] >= self.met[before] {
            let start = self.open.iter().rposition(|&edge| edge == came_by).unwrap_or(0);
            self.blocks.push(self.open.split_off(start));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(edges: &[(Vertex, Vertex)]) -> Vec<Vec<usize>> {
        let mut found = blocks(10, edges);
        found.iter_mut().for_each(|block| block.sort_unstable());
        found.sort();
        found
    }

    #[test]
    fn cycles_that_share_a_vertex_are_apart() {
        let edges = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 3), (5, 6)];
        assert_eq!(sorted(&edges), [vec![0, 1, 2], vec![3, 4, 5], vec![6]]);
    }

    #[test]
    fn two_edges_of_the_same_vertices_are_a_cycle() {
        assert_eq!(sorted(&[(7, 8), (8, 7), (8, 9)]), [vec![0, 1], vec![2]]);
    }

    /// Two edges are in one block if and only if a simple cycle has both.
    #[test]
    fn random_graphs_against_simple_cycles() {
        let mut state = 3u64;
        let mut random = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        for _ in 0..200 {
            let count = 2 + random(8) as usize;
            let mut edges: Vec<(Vertex, Vertex)> = Vec::new();
            while edges.len() < count {
                let (a, b) = (random(6) as Vertex, random(6) as Vertex);
                if a != b {
                    edges.push((a, b));
                }
            }
            let found = blocks(6, &edges);
            assert_eq!(found.iter().map(Vec::len).sum::<usize>(), count);
            let block_of = |edge: usize| found.iter().position(|block| block.contains(&edge));
            for first in 0..count {
                for second in 0..first {
                    // A cycle is a set of edges that is connected and of which each vertex has two.
                    let cycle = (0u32..1 << count).any(|set| {
                        let has = |edge: usize| set >> edge & 1 == 1;
                        has(first) && has(second) && is_cycle(&edges, set)
                    });
                    assert_eq!(block_of(first) == block_of(second), cycle, "{edges:?}: {first}, {second}");
                }
            }
        }
    }

    fn is_cycle(edges: &[(Vertex, Vertex)], set: u32) -> bool {
        let chosen: Vec<(Vertex, Vertex)> =
            edges.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, &edge)| edge).collect();
        let ends: Vec<Vertex> = chosen.iter().flat_map(|&(a, b)| [a, b]).collect();
        let twice = ends.iter().all(|v| ends.iter().filter(|w| *w == v).count() == 2);
        let mut reached = vec![chosen[0].0];
        let mut at = 0;
        while at < reached.len() {
            for &(a, b) in &chosen {
                for (from, to) in [(a, b), (b, a)] {
                    if from == reached[at] && !reached.contains(&to) {
                        reached.push(to);
                    }
                }
            }
            at += 1;
        }
        twice && ends.iter().all(|v| reached.contains(v))
    }
}

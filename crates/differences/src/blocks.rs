//! The blocks of a graph: maximal parts that no single vertex separates.
//!
//! Bounds on differences contradict each other along a cycle, and every simple cycle is in one block. So what the bounds of
//! one block are has no influence on whether those of another can hold.
//!
//! ## References
//! - J. Hopcroft, R. Tarjan. *Algorithm 447: Efficient Algorithms for Graph Manipulation*. CACM 16(6), 1973.

use crate::graph::Vertex;
use std::ops::Range;

/// A vertex that the walk is at, and the edge that it came by.
struct Visit {
    vertex: usize,
    came_by: usize,
    /// The place of its edge to be looked at next.
    next: usize,
    /// How many edges were in no block when it was met, the one that it came by not counted.
    open: usize,
}

/// The blocks of a graph, and the memory to find them.
#[derive(Default)]
pub(crate) struct Blocks {
    /// The edges of all vertices, and where those of each begin.
    incident: Vec<usize>,
    begin: Vec<usize>,
    /// When a vertex was met, from 1 on.
    met: Vec<usize>,
    /// The earliest vertex that can be come back to from here.
    low: Vec<usize>,
    time: usize,
    path: Vec<Visit>,
    /// Edges that are in no block yet.
    open: Vec<usize>,
    /// The edges of one block after the other, and where each ends.
    members: Vec<usize>,
    ends: Vec<usize>,
}

impl Blocks {
    /// The blocks of a graph with so many vertices and these edges. Several edges may join the same vertices. Where there is no way
    /// to one of the `asked` edges, nothing is looked for.
    pub fn find(&mut self, count: usize, edges: &[(Vertex, Vertex)], asked: Range<usize>) {
        self.arrange(count, edges);
        for memory in [&mut self.met, &mut self.low] {
            memory.clear();
            memory.resize(count, 0);
        }
        self.time = 0;
        self.members.clear();
        self.ends.clear();
        for &(start, _) in &edges[asked] {
            if self.met[start as usize] == 0 {
                self.walk_from(start as usize, edges);
            }
        }
    }

    /// The edges of each block that was found, by their places.
    pub fn iter(&self) -> impl Iterator<Item = &[usize]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.members[start..end])
    }

    /// Sorts the edges by the vertices that they are at.
    fn arrange(&mut self, count: usize, edges: &[(Vertex, Vertex)]) {
        self.begin.clear();
        self.begin.resize(count + 1, 0);
        for vertex in edges.iter().flat_map(|&(a, b)| [a, b]) {
            self.begin[vertex as usize] += 1;
        }
        let mut so_far = 0;
        for place in &mut self.begin {
            so_far += *place;
            *place = so_far;
        }
        self.incident.clear();
        self.incident.resize(2 * edges.len(), 0);
        for (number, &(a, b)) in edges.iter().enumerate() {
            for vertex in [a, b] {
                let place = &mut self.begin[vertex as usize];
                *place -= 1;
                self.incident[*place] = number;
            }
        }
    }

    fn walk_from(&mut self, start: usize, edges: &[(Vertex, Vertex)]) {
        self.meet(start, usize::MAX);
        while let Some(visit) = self.path.last_mut() {
            let (vertex, came_by) = (visit.vertex, visit.came_by);
            if visit.next == self.begin[vertex + 1] {
                let open = visit.open;
                self.path.pop();
                self.leave(vertex, open);
                continue;
            }
            let edge = self.incident[visit.next];
            visit.next += 1;
            if edge == came_by {
                continue;
            }
            let (a, b) = edges[edge];
            let other = if a as usize == vertex { b } else { a } as usize;
            if self.met[other] == 0 {
                self.meet(other, edge);
                self.open.push(edge);
            } else if self.met[other] < self.met[vertex] {
                self.open.push(edge);
                self.low[vertex] = self.low[vertex].min(self.met[other]);
            }
        }
    }

    fn meet(&mut self, vertex: usize, came_by: usize) {
        self.time += 1;
        self.met[vertex] = self.time;
        self.low[vertex] = self.time;
        let next = self.begin[vertex];
        self.path.push(Visit { vertex, came_by, next, open: self.open.len() });
    }

    /// Goes back from a vertex; what lies beyond the edge that led there is a block if there is no other way back.
    fn leave(&mut self, vertex: usize, open: usize) {
        let Some(before) = self.path.last().map(|visit| visit.vertex) else { return };
        self.low[before] = self.low[before].min(self.low[vertex]);
        if self.low[vertex] >= self.met[before] {
            self.members.extend(self.open.drain(open..));
            self.ends.push(self.members.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_testing::Random;

    fn sorted(edges: &[(Vertex, Vertex)]) -> Vec<Vec<usize>> {
        let mut found = blocks(10, edges, 0..edges.len());
        found.iter_mut().for_each(|block| block.sort_unstable());
        found.sort();
        found
    }

    fn blocks(count: usize, edges: &[(Vertex, Vertex)], asked: Range<usize>) -> Vec<Vec<usize>> {
        let mut blocks = Blocks::default();
        blocks.find(count, edges, asked);
        blocks.iter().map(<[usize]>::to_vec).collect()
    }

    #[test]
    fn what_is_elsewhere_is_not_looked_for() {
        let edges = [(1, 2), (2, 1), (3, 4), (4, 3)];
        assert_eq!(blocks(5, &edges, 3..4), [vec![3, 2]]);
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
        let mut source = Random::new(3);
        let mut random = |n: u64| source.below(n);
        for _ in 0..200 {
            let count = 2 + random(8) as usize;
            let mut edges: Vec<(Vertex, Vertex)> = Vec::new();
            while edges.len() < count {
                let (a, b) = (random(6) as Vertex, random(6) as Vertex);
                if a != b {
                    edges.push((a, b));
                }
            }
            let found = blocks(6, &edges, 0..count);
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

//! Differences of integers that are bounded, as a graph without negative cycles.
//!
//! An edge from `y` to `x` with length `c` says `x - y ≤ c`. Every vertex has a value, and the values satisfy all edges.
//! A new edge that they violate lowers `x` and whatever follows, in the order of how much it falls, so that each
//! vertex is visited once; if `y` itself would have to fall, there is a negative cycle. Edges are taken back in reverse order,
//! and the values may stay.
//!
//! ## References
//! - S. Cotton, O. Maler. *Fast and Flexible Difference Constraint Propagation for DPLL(T)*. SAT 2006.

use crate::clauses::Lit;

/// A number that differences are between.
pub(crate) type Vertex = u32;

#[derive(Clone, Copy)]
struct Edge {
    to: Vertex,
    length: i64,
    /// The literal that says so.
    lit: Lit,
}

/// The edges that are asserted, and values that satisfy them.
#[derive(Default)]
pub(crate) struct Graph {
    values: Vec<i64>,
    edges: Vec<Vec<Edge>>,
    /// How many edges a vertex has, in either direction.
    degree: Vec<u32>,
    /// Where each edge starts, in order.
    asserted: Vec<Vertex>,
    /// How much a vertex has to fall for the new edge, 0 if not at all.
    fall: Vec<i64>,
    /// By which edge, and from where.
    by: Vec<(Vertex, Lit)>,
    pending: Vec<Vertex>,
    done: Vec<Vertex>,
    final_: Vec<bool>,
}

impl Graph {
    /// A number that nothing is known of. It begins far from the others: those that are equal by chance are a nuisance to
    /// functions of them.
    pub fn vertex(&mut self) -> Vertex {
        let vertex = self.values.len();
        // No two differences are the same, as long as there are few.
        let spread = (vertex as i64 * (vertex as i64 + 1)) << 12;
        self.values.push(spread + 37 * vertex as i64);
        self.edges.push(Vec::new());
        self.degree.push(0);
        self.fall.push(0);
        self.by.push((0, Lit::TRUE));
        self.final_.push(false);
        vertex as Vertex
    }

    /// How many vertices there are.
    pub fn vertices(&self) -> usize {
        self.values.len()
    }

    pub fn value(&self, vertex: Vertex) -> i64 {
        self.values[vertex as usize]
    }

    /// Whether no edge has to do with a vertex: then it may have any value.
    pub fn is_free(&self, vertex: Vertex) -> bool {
        self.degree[vertex as usize] == 0
    }

    /// Gives a free vertex a value.
    pub fn set_value(&mut self, vertex: Vertex, value: i64) {
        debug_assert!(self.is_free(vertex));
        self.values[vertex as usize] = value;
    }

    /// How many edges there are.
    pub fn len(&self) -> usize {
        self.asserted.len()
    }

    /// Takes back all edges but the first ones.
    pub fn truncate(&mut self, count: usize) {
        while self.asserted.len() > count {
            let Some(from) = self.asserted.pop() else { return };
            if let Some(edge) = self.edges[from as usize].pop() {
                self.degree[from as usize] -= 1;
                self.degree[edge.to as usize] -= 1;
            }
        }
    }

    /// Asserts `x - y ≤ length` because of `lit`. If that is impossible, the literals of a negative cycle.
    pub fn assert(&mut self, x: Vertex, y: Vertex, length: i64, lit: Lit) -> Result<(), Vec<Lit>> {
        let excess = self.values[y as usize] + length - self.values[x as usize];
        if excess < 0 {
            self.lower(x, y, excess, lit)?;
        }
        self.edges[y as usize].push(Edge { to: x, length, lit });
        self.degree[x as usize] += 1;
        self.degree[y as usize] += 1;
        self.asserted.push(y);
        Ok(())
    }

    fn lower(&mut self, x: Vertex, y: Vertex, excess: i64, lit: Lit) -> Result<(), Vec<Lit>> {
        self.pending.clear();
        self.done.clear();
        self.fall[x as usize] = excess;
        self.by[x as usize] = (y, lit);
        self.pending.push(x);
        let mut cycle = None;
        // The one that falls most is next.
        while let Some(at) = (0..self.pending.len()).min_by_key(|&i| self.fall[self.pending[i] as usize]) {
            let vertex = self.pending.swap_remove(at);
            if vertex == y {
                cycle = Some(self.cycle(x, y));
                self.pending.push(vertex);
                break;
            }
            self.final_[vertex as usize] = true;
            self.done.push(vertex);
            let value = self.values[vertex as usize] + self.fall[vertex as usize];
            for edge in &self.edges[vertex as usize] {
                let to = edge.to as usize;
                let fall = value + edge.length - self.values[to];
                if fall < self.fall[to] && !self.final_[to] {
                    if self.fall[to] == 0 {
                        self.pending.push(edge.to);
                    }
                    self.fall[to] = fall;
                    self.by[to] = (vertex, edge.lit);
                }
            }
        }
        for &vertex in &self.done {
            if cycle.is_none() {
                self.values[vertex as usize] += self.fall[vertex as usize];
            }
            self.fall[vertex as usize] = 0;
            self.final_[vertex as usize] = false;
        }
        for &vertex in &self.pending {
            self.fall[vertex as usize] = 0;
        }
        cycle.map_or(Ok(()), Err)
    }

    /// The literals of the way from `x` to `y`, and of the new edge back.
    fn cycle(&self, x: Vertex, y: Vertex) -> Vec<Lit> {
        let mut lits = Vec::new();
        let mut at = y;
        loop {
            let (from, lit) = self.by[at as usize];
            lits.push(lit);
            if at == x {
                return lits;
            }
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_testing::Random;

    /// Random edges against the shortest paths of Floyd and Warshall.
    #[test]
    fn negative_cycles_are_found() {
        let mut source = Random::new(7);
        let mut random = |n: u64| source.below(n);
        for _ in 0..300 {
            const N: usize = 6;
            let mut graph = Graph::default();
            for _ in 0..N {
                graph.vertex();
            }
            let mut edges: Vec<(usize, usize, i64)> = Vec::new();
            for step in 0..20 {
                if step % 7 == 6 {
                    let kept = random(edges.len() as u64 + 1) as usize;
                    edges.truncate(kept);
                    graph.truncate(kept);
                }
                let (x, y, c) = (random(N as u64) as usize, random(N as u64) as usize, random(9) as i64 - 3);
                if x == y {
                    continue;
                }
                let lit = Lit::new(edges.len() as u32 + 1, true);
                let result = graph.assert(x as Vertex, y as Vertex, c, lit);
                edges.push((x, y, c));
                let mut distance = [[1_000_000i64; N]; N];
                (0..N).for_each(|v| distance[v][v] = 0);
                for &(x, y, c) in &edges {
                    distance[y][x] = distance[y][x].min(c);
                }
                for k in 0..N {
                    for i in 0..N {
                        for j in 0..N {
                            distance[i][j] = distance[i][j].min(distance[i][k] + distance[k][j]);
                        }
                    }
                }
                let consistent = (0..N).all(|v| distance[v][v] >= 0);
                assert_eq!(result.is_ok(), consistent);
                if let Err(cycle) = result {
                    let total: i64 = cycle.iter().map(|lit| edges[lit.var() as usize - 1].2).sum();
                    assert!(total < 0, "the cycle is negative");
                    edges.pop();
                }
                assert_eq!(graph.len(), edges.len());
                for &(x, y, c) in &edges {
                    assert!(graph.value(x as Vertex) - graph.value(y as Vertex) <= c);
                }
            }
        }
    }
}

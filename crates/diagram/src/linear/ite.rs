//! If-then-else, of which all connectives are instances, and Boolean quantification.

use super::labels::Label;
use super::nodes::{Edge, FALSE, Halt, Made, Nodes, TRUE};
use rustc_hash::FxHashMap;

/// Results of [`Nodes::ite`]: a table in which a new entry replaces the old one at its place.
pub(super) struct Cache {
    entries: Vec<(Edge, Edge, Edge, Edge)>,
    mask: usize,
}

const MIN_CACHE: usize = 1 << 14;
const MAX_CACHE: usize = 1 << 20;
/// No triple of [`Nodes::ite`] begins with this.
const EMPTY: (Edge, Edge, Edge, Edge) = (FALSE, FALSE, FALSE, FALSE);

impl Cache {
    pub fn new() -> Cache {
        Cache { entries: vec![EMPTY; MIN_CACHE], mask: MIN_CACHE - 1 }
    }

    /// Forgets everything, and takes a size that fits so many nodes.
    pub fn clear(&mut self, nodes: usize) {
        let size = nodes.next_power_of_two().clamp(MIN_CACHE, MAX_CACHE);
        self.entries.clear();
        self.entries.resize(size, EMPTY);
        self.mask = size - 1;
    }

    /// Grows with the number of nodes.
    fn fit(&mut self, nodes: usize) {
        if nodes > 2 * self.entries.len() && self.entries.len() < MAX_CACHE {
            let old = std::mem::take(&mut self.entries);
            self.clear(nodes);
            for entry in old {
                if entry != EMPTY {
                    let at = self.place(entry.0, entry.1, entry.2);
                    self.entries[at] = entry;
                }
            }
        }
    }

    fn place(&self, f: Edge, g: Edge, h: Edge) -> usize {
        let mixed = u64::from(f)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .wrapping_add(u64::from(g).wrapping_mul(0xC2B2_AE3D_27D4_EB4F))
            .wrapping_add(u64::from(h).wrapping_mul(0x1656_67B1_9E37_79F9));
        (mixed >> 29) as usize & self.mask
    }
}

impl Nodes {
    pub fn and(&mut self, f: Edge, g: Edge) -> Made {
        self.ite(f, g, FALSE)
    }

    pub fn or(&mut self, f: Edge, g: Edge) -> Made {
        self.ite(f, TRUE, g)
    }

    /// A literal of `label` as a function.
    pub fn literal(&mut self, label: Label, positive: bool) -> Made {
        Ok(self.plain_node(label, TRUE, FALSE)? ^ u32::from(!positive))
    }

    /// `if f then g else h`.
    pub fn ite(&mut self, mut f: Edge, mut g: Edge, mut h: Edge) -> Made {
        if f < 2 {
            return Ok(if f == TRUE { g } else { h });
        }
        if g >> 1 == f >> 1 {
            g ^= f;
        }
        if h >> 1 == f >> 1 {
            h = h ^ f ^ 1;
        }
        if g == h {
            return Ok(g);
        }
        if g < 2 && h < 2 {
            return Ok(f ^ g);
        }
        // Conjunctions and disjunctions commute.
        if h < 2 && g >> 1 < f >> 1 {
            // f ∧ g, or ¬f ∨ g = ite(¬g, ¬f, true).
            (f, g) = (g ^ h ^ 1, f ^ h ^ 1);
        } else if g < 2 && h >> 1 < f >> 1 {
            // f ∨ h, or ¬f ∧ h = ite(¬h, false, ¬f).
            (f, h) = (h ^ g, f ^ g);
        }
        if f & 1 == 1 {
            (f, g, h) = (f ^ 1, h, g);
        }
        let sign = g & 1;
        (g, h) = (g ^ sign, h ^ sign);
        let at = self.cache.place(f, g, h);
        let entry = self.cache.entries[at];
        if (entry.0, entry.1, entry.2) == (f, g, h) {
            return Ok(entry.3 ^ sign);
        }
        self.step()?;
        let ranks = [self.rank(f), self.rank(g), self.rank(h)];
        let rank = ranks[0].min(ranks[1]).min(ranks[2]);
        let top = if ranks[0] == rank {
            f
        } else if ranks[1] == rank {
            g
        } else {
            h
        };
        let label = self.label(top);
        let (f1, f0) = self.cofactors(f, rank);
        let (g1, g0) = self.cofactors(g, rank);
        let (h1, h0) = self.cofactors(h, rank);
        let hi = self.ite(f1, g1, h1)?;
        let lo = self.ite(f0, g0, h0)?;
        let result = self.node(label, hi, lo)?;
        self.cache.fit(self.live);
        let at = self.cache.place(f, g, h);
        self.cache.entries[at] = (f, g, h, result);
        Ok(result ^ sign)
    }

    /// `∃ vars. f ∧ g` for Boolean variables, without building the conjunction.
    pub fn and_exists(&mut self, f: Edge, g: Edge, vars: &[Label]) -> Made {
        let last = vars.iter().map(|&v| self.labels.rank[v as usize]).max().unwrap_or(0);
        let mut run = AndExists { vars, last, done: FxHashMap::default() };
        run.go(self, f, g)
    }
}

struct AndExists<'a> {
    vars: &'a [Label],
    /// The lowest of the variables.
    last: u64,
    done: FxHashMap<(Edge, Edge), Edge>,
}

impl AndExists<'_> {
    fn go(&mut self, nodes: &mut Nodes, f: Edge, g: Edge) -> Result<Edge, Halt> {
        if f == FALSE || g == FALSE || f ^ g == 1 {
            return Ok(FALSE);
        }
        let (f, g) = (f.min(g), f.max(g));
        let rank = nodes.rank(f).min(nodes.rank(g));
        if rank > self.last {
            return nodes.and(f, g);
        }
        if let Some(&done) = self.done.get(&(f, g)) {
            return Ok(done);
        }
        nodes.step()?;
        let label = nodes.label(if nodes.rank(f) == rank { f } else { g });
        let (f1, f0) = nodes.cofactors(f, rank);
        let (g1, g0) = nodes.cofactors(g, rank);
        let hi = self.go(nodes, f1, g1)?;
        let result = if !self.vars.contains(&label) {
            let lo = self.go(nodes, f0, g0)?;
            nodes.node(label, hi, lo)?
        } else if hi == TRUE {
            TRUE
        } else {
            let lo = self.go(nodes, f0, g0)?;
            nodes.or(hi, lo)?
        };
        self.done.insert((f, g), result);
        Ok(result)
    }
}

//! Clusters of predicates that are about the same variables: \[CTL\] section 3.1.

use super::bits_of;
use crate::strategy::HybridStrategy;
use rustc_hash::FxHashSet;
use tamis_logic::{Term, Terms};
use tamis_paq::Predicate;

/// Predicates with much of their support in common.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// The predicates: `I(c)`.
    pub predicates: Vec<Predicate>,
    /// What they are about: `v(c)`.
    pub support: FxHashSet<Term>,
}

impl Cluster {
    /// The part of it that some predicates are, if any is in it.
    pub fn restricted(mut self, in_use: impl Fn(&Predicate) -> bool) -> Option<Cluster> {
        self.predicates.retain(in_use);
        (!self.predicates.is_empty()).then_some(self)
    }

    /// The number of its supporting Boolean variables; `None` if not all of its variables are of finite domain.
    pub fn bits(&self, terms: &Terms) -> Option<usize> {
        self.support.iter().map(|&v| bits_of(terms, v)).sum()
    }

    /// Whether it is a control cluster: it has about as many predicates as its variables have bits.
    pub fn is_control(&self, terms: &Terms, strategy: &HybridStrategy) -> bool {
        let enough = |bits: usize| self.predicates.len() as f64 >= strategy.predicates_per_bit * bits as f64;
        self.bits(terms).is_some_and(enough)
    }
}

/// Each predicate is a cluster; those with enough of their supports in common are merged until no two are left. How much is
/// enough is a share of the larger support, in bits.
pub fn clusters(terms: &Terms, about: &[(Predicate, Vec<Term>)], strategy: &HybridStrategy) -> Vec<Cluster> {
    let bits = |support: &mut dyn Iterator<Item = Term>| -> usize {
        support.map(|v| bits_of(terms, v).unwrap_or(1)).sum()
    };
    let mut clusters: Vec<Cluster> = about
        .iter()
        .map(|(p, support)| Cluster { predicates: vec![*p], support: support.iter().copied().collect() })
        .collect();
    let mut i = 0;
    while i < clusters.len() {
        let merges = |j: &usize| {
            let (a, b) = (&clusters[i].support, &clusters[*j].support);
            let common = bits(&mut a.intersection(b).copied());
            let larger = bits(&mut a.iter().copied()).max(bits(&mut b.iter().copied()));
            common > 0 && common as f64 >= strategy.merge_share * larger as f64
        };
        match (0..clusters.len()).filter(|&j| j != i).find(merges) {
            Some(j) => {
                let (low, high) = (i.min(j), i.max(j));
                let merged = clusters.remove(high);
                clusters[low].predicates.extend(merged.predicates);
                clusters[low].support.extend(merged.support);
                // What has grown may merge with what it did not before.
                i = 0;
            }
            None => i += 1,
        }
    }
    clusters
}

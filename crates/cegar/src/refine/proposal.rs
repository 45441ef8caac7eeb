//! What may become predicates: candidates, and where they come from.

use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Term, Terms};
use tamis_system::{BranchId, Branching, Point};

/// A formula at a point.
pub type Located = (Point, Term);

/// What is kept or dropped as one: a branch with all that *PredInfer* makes of it, or a formula at a point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A branch.
    Branch(BranchId),
    /// A formula at a point.
    Located(Point, Term),
}

/// A candidate, by its place in the pool.
pub type CandidateId = usize;

/// A candidate.
pub struct Candidate {
    /// Where it comes from.
    pub origin: Origin,
    /// The predicates that it stands for, at points other than the first: every state is initial, whatever predicates
    /// hold in it.
    pub predicates: Vec<Located>,
}

/// All candidates so far.
#[derive(Default)]
pub struct Pool {
    candidates: Vec<Candidate>,
    ids: FxHashMap<Origin, CandidateId>,
}

impl Pool {
    /// One candidate.
    pub fn get(&self, id: CandidateId) -> &Candidate {
        &self.candidates[id]
    }

    /// The candidates for formulas at points.
    pub fn located(&mut self, located: &[Located]) -> Vec<CandidateId> {
        let mut once = FxHashSet::default();
        let mut ids = Vec::with_capacity(located.len());
        for &(point, formula) in located {
            let id = self.add(Origin::Located(point, formula), vec![(point, formula)]);
            if once.insert(id) {
                ids.push(id);
            }
        }
        ids
    }

    /// The candidate for a branch.
    pub fn branch<E>(
        &mut self,
        terms: &mut Terms,
        branching: &dyn Branching<Edge = E>,
        branch: BranchId,
        limit: usize,
    ) -> CandidateId {
        if let Some(&id) = self.ids.get(&Origin::Branch(branch)) {
            return id;
        }
        let located = branching.pred_infer(terms, branch, limit);
        self.add(Origin::Branch(branch), located)
    }

    /// For each candidate one of them that has all its predicates, and as many as any that does; itself if no other has.
    /// Those without predicates are left out.
    pub fn dominating(&self, ids: &[CandidateId]) -> Vec<(CandidateId, CandidateId)> {
        let mut having: FxHashMap<Located, Vec<CandidateId>> = FxHashMap::default();
        for &id in ids {
            self.get(id).predicates.iter().for_each(|&p| having.entry(p).or_default().push(id));
        }
        let sets: FxHashMap<CandidateId, FxHashSet<Located>> =
            ids.iter().map(|&id| (id, self.get(id).predicates.iter().copied().collect())).collect();
        let dominating = |&id: &CandidateId| {
            let rarest = sets[&id].iter().map(|p| &having[p]).min_by_key(|having| having.len())?;
            let others = rarest.iter().filter(|other| sets[&id].is_subset(&sets[*other]));
            others.max_by_key(|&&other| (sets[&other].len(), std::cmp::Reverse(other))).map(|&by| (id, by))
        };
        ids.iter().filter_map(dominating).collect()
    }

    fn add(&mut self, origin: Origin, mut predicates: Vec<Located>) -> CandidateId {
        if let Some(&id) = self.ids.get(&origin) {
            return id;
        }
        predicates.retain(|(point, _)| *point != Point(0));
        let id = self.candidates.len();
        self.candidates.push(Candidate { origin, predicates });
        self.ids.insert(origin, id);
        id
    }
}

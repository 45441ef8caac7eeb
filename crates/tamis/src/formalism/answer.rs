//! What a search found, its evidence checked.

use super::{Model, Rejected};
use crate::limits::Limits;
use std::time::Duration;
use tamis_cegar::Outcome;
use tamis_logic::Terms;
use tamis_paq::Interrupted;
use tamis_solver::Budget;

/// What a search found. Nothing in it is only claimed.
pub enum Answer<M: Model> {
    Proof(M::Proof),
    Violation(M::Violation),
    /// A violation of the model that passes an approximation.
    Doubtful(M::Violation),
    /// The search or the check was stopped on its way, for the given reason.
    Stopped(String),
    /// The evidence is none.
    Failed(String),
}

/// How evidence is checked.
pub struct Check<'a> {
    pub budget: &'a Budget,
    pub limits: &'a Limits,
    /// How long a proof may be tidied, if it is to be told.
    pub tidying: Option<Duration>,
}

impl Check<'_> {
    /// Checks the evidence that a search of a model's system has brought back.
    pub fn answer<M: Model>(
        &self,
        terms: &mut Terms,
        (model, system): (&M, &M::System<'_>),
        outcome: Outcome<M::Edge>,
    ) -> Answer<M> {
        match outcome {
            Outcome::Safe(invariants) => {
                self.accepted(model.certify(terms, system, &invariants, self.budget, self.tidying))
            }
            Outcome::Exhausted(steps) => self.accepted(model.certify_exhausted(terms, steps, self.budget)),
            Outcome::Unwound(returns) => self.accepted(model.certify_unwound(terms, returns, self.budget)),
            Outcome::Bounded(rounds) => {
                Answer::Stopped(format!("bounded: no violation within {rounds} rounds"))
            }
            Outcome::KInductive(proof) => {
                self.accepted(model.certify_k_inductive(terms, system, proof, self.budget))
            }
            Outcome::Unsafe(trace) => match model.replay(terms, &trace) {
                Ok(violation) if M::is_doubtful(&violation) => Answer::Doubtful(violation),
                Ok(violation) => Answer::Violation(violation),
                Err(why) => Answer::Failed(why),
            },
            Outcome::Unknown(why) => Answer::Stopped(match why {
                Interrupted::Stopped(stop) => self.limits.reason(stop),
                Interrupted::OutOfNodes => "decision diagrams outgrew their limit".to_owned(),
                Interrupted::Unsuitable(_, why) => why.to_owned(),
            }),
        }
    }

    fn accepted<M: Model>(&self, checked: Result<M::Proof, Rejected>) -> Answer<M> {
        match checked {
            Ok(proof) => Answer::Proof(proof),
            Err(Rejected::Stopped(stop)) => Answer::Stopped(self.limits.reason(stop)),
            Err(Rejected::Fails(why)) => Answer::Failed(why),
        }
    }
}

//! `tamis certify`: evidence is checked again, by itself.

use crate::arguments::CertifyOptions;
use crate::formalism::Formalism;
use crate::formalism::c::C;
use crate::formalism::rtl::{self, Rtl};
use crate::verdict::{ExitStatus, Verdict};
use std::time::Instant;
use tamis_solver::Budget;

/// Stack for the run: the C parser recurses on nesting.
const STACK: usize = 512 << 20;

/// What became of the evidence.
pub struct Finding {
    pub verdict: Verdict,
    pub status: ExitStatus,
}

impl Finding {
    pub fn accepted() -> Finding {
        Finding { verdict: Verdict::True, status: ExitStatus::True }
    }

    pub fn unknown(reason: impl Into<String>, status: ExitStatus) -> Finding {
        Finding { verdict: Verdict::Unknown(crate::refusal::one_line(&reason.into())), status }
    }

    /// What is given is no evidence, or not of this program.
    pub fn refused(why: impl Into<String>) -> Finding {
        let why = why.into();
        eprintln!("error: {why}");
        Finding::unknown(format!("input: {why}"), ExitStatus::Unreadable)
    }
}

/// Checks the evidence and prints the verdict.
pub fn run(options: CertifyOptions) -> ExitStatus {
    let start = Instant::now();
    let limits = options.limits;
    let budget = Budget::new(limits.timeout.and_then(|time| start.checked_add(time)), None);
    limits.watch(start, budget.clone(), move |stop| Verdict::Unknown(limits.reason(stop)).announce(|| {}));
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let checked = match rtl::is_design_evidence(&options) {
            true => Rtl::certify(options, limits, &budget, start),
            false => C::certify(options, limits, &budget, start),
        };
        checked.unwrap_or_else(|refusal| {
            refusal.print();
            Finding::unknown(refusal.reason(), refusal.status())
        })
    });
    let finding = match worker.map(|w| w.join()) {
        Ok(Ok(finding)) => finding,
        // The panic's message is on stderr already.
        Ok(Err(_)) => Finding::unknown("internal error: a panic; please report this", ExitStatus::Internal),
        Err(error) => Finding::unknown(format!("internal error: no thread: {error}"), ExitStatus::Internal),
    };
    if finding.verdict.announce(|| {}) {
        finding.status
    } else {
        // The watchdog is ending the process with a verdict of its own.
        ExitStatus::Unknown
    }
}

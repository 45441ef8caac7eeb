//! What the front end makes of many files: `census [--32] FILE…` says which cannot be read and why, which trees contradict
//! themselves, and how often each construct that is not taken occurs.

use std::collections::BTreeMap;
use tamis_front_c::tree::{ExprKind, StmtKind, Unit};
use tamis_front_c::{DataModel, Options, read};

fn main() {
    let mut options = Options::default();
    let (mut total, mut failed) = (0, 0);
    let mut reasons: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--32" => options.data_model = DataModel::Ilp32,
            "--64" => options.data_model = DataModel::Lp64,
            file => {
                total += 1;
                match read(&[file], &options) {
                    Err(e) => {
                        failed += 1;
                        println!("unread {file}: {e}");
                    }
                    Ok(unit) => {
                        if let Err(e) = unit.check() {
                            println!("broken {file}: {e}");
                        }
                        for (reason, count) in unsupported(&unit) {
                            let entry = reasons.entry(reason).or_default();
                            *entry = (entry.0 + 1, entry.1 + count);
                        }
                    }
                }
            }
        }
    }
    println!("{total} files, {failed} unread");
    for (reason, (files, nodes)) in reasons {
        println!("{files} files, {nodes} times: {reason}");
    }
}

fn unsupported(unit: &Unit) -> BTreeMap<String, usize> {
    let mut reasons = BTreeMap::new();
    for id in unit.exprs() {
        if let ExprKind::Unsupported(what) = &unit[id].kind {
            *reasons.entry(what.clone()).or_default() += 1;
        }
    }
    for id in unit.stmts() {
        if let StmtKind::Unsupported(what) = &unit[id].kind {
            *reasons.entry(format!("statement: {what}")).or_default() += 1;
        }
    }
    for id in unit.objects() {
        let object = &unit[id];
        for what in [object.refused, object.declaration_refused].into_iter().flatten() {
            *reasons.entry(format!("variable: {what}")).or_default() += 1;
        }
    }
    for id in unit.functions() {
        if let Some(what) = unit[id].refused {
            *reasons.entry(format!("function: {what}")).or_default() += 1;
        }
    }
    if let Some((_, what)) = unit.refused() {
        *reasons.entry(format!("file: {what}")).or_default() += 1;
    }
    reasons
}

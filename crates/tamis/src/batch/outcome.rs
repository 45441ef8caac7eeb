//! What a check said, as a result.

use super::job::Job;
use super::judge::Judgement;
use super::ledger::Record;
use crate::verdict::{ExitStatus, Verdict};
use serde::Deserialize;
use serde_json::{Value, json};

/// Of a longer counterexample its last steps are kept, which lead to the violation.
const STEPS: usize = 300;

/// What is left of a process.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Outcome {
    /// None if a signal ended it.
    pub exit_code: Option<i32>,
    pub signal: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    pub seconds: f64,
    pub processor_seconds: f64,
    pub memory_mb: f64,
    /// Whether it was ended since it did not end by itself.
    pub overdue: bool,
    pub worker: Option<String>,
    /// The page of the check, if one was asked for.
    pub page: Option<String>,
}

impl Outcome {
    /// The result of a check.
    pub fn record(mut self, job: &Job) -> Record {
        for (there, here) in &job.renamed {
            for text in [&mut self.stdout, &mut self.stderr] {
                *text = text.replace(there, here);
            }
        }
        let last = self.stdout.lines().rev().find_map(|line| line.strip_prefix("VERDICT: "));
        let verdict = match last {
            Some(verdict) => verdict.to_owned(),
            None => Verdict::Unknown(self.without_verdict()).to_string(),
        };
        // Who is too late has no bug, but no answer either.
        let late = last.is_none() && self.overdue;
        let exit_code = if late { Some(ExitStatus::Unknown as i32) } else { self.exit_code };
        let judgement = Judgement::of(&verdict, exit_code, job.expected.as_ref());
        let run = self.stdout.lines().find(|line| line.starts_with("{\"format\":"));
        let run = run.and_then(|line| serde_json::from_str(line).ok()).map(shortened);
        let messages = if judgement.is_answer() { String::new() } else { self.stderr };
        Record { exit_code, messages, run, ..record(job, verdict, judgement) }
            .with_numbers([self.seconds, self.processor_seconds, self.memory_mb], self.worker)
    }

    fn without_verdict(&self) -> String {
        match (self.overdue, self.signal, self.exit_code) {
            (true, ..) => "timeout: it did not end by itself".to_owned(),
            (_, Some(signal), _) => format!("ended by signal {signal}"),
            (_, _, Some(code)) => format!("no verdict, exit code {code}"),
            _ => "no verdict".to_owned(),
        }
    }
}

/// A check that has no result for a reason that is not its own.
pub fn failed(job: &Job, why: &str, exit: ExitStatus) -> Record {
    let verdict = Verdict::Unknown(why.to_owned()).to_string();
    let judgement = Judgement::of(&verdict, Some(exit as i32), job.expected.as_ref());
    Record { exit_code: Some(exit as i32), ..record(job, verdict, judgement) }
}

fn record(job: &Job, verdict: String, judgement: Judgement) -> Record {
    Record {
        format: Record::FORMAT,
        key: job.key.clone(),
        task: job.task.clone(),
        suite: job.suite.clone(),
        property: job.property.clone(),
        preset: job.preset.clone(),
        expected: job.expected.clone(),
        verdict,
        judgement,
        exit_code: None,
        seconds: 0.0,
        processor_seconds: 0.0,
        memory_mb: 0.0,
        worker: None,
        messages: String::new(),
        run: None,
    }
}

impl Record {
    fn with_numbers(self, numbers: [f64; 3], worker: Option<String>) -> Record {
        let [seconds, processor_seconds, memory_mb] = numbers.map(|number| (number * 1e3).round() / 1e3);
        Record { seconds, processor_seconds, memory_mb, worker, ..self }
    }
}

/// The document without most of a very long way to a violation.
fn shortened(mut run: Value) -> Value {
    let properties = run.get_mut("properties").and_then(Value::as_array_mut).into_iter().flatten();
    for steps in properties.filter_map(|p| p.pointer_mut("/counterexample/steps")?.as_array_mut()) {
        let left_out = steps.len().saturating_sub(STEPS);
        if left_out > 0 {
            steps.drain(..left_out);
            if let Some(does) = steps.first_mut().and_then(|step| step["does"].as_array_mut()) {
                does.insert(0, json!({"omitted": left_out}));
            }
        }
    }
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_long_way_is_kept() {
        let steps: Vec<Value> = (0..3000).map(|line| json!({"line": line, "does": []})).collect();
        let run = shortened(json!({"properties": [{"counterexample": {"steps": steps}}]}));
        let kept = run["properties"][0]["counterexample"]["steps"].as_array().expect("steps");
        assert_eq!((kept.len(), &kept[STEPS - 1]["line"]), (STEPS, &json!(2999)));
        assert_eq!(kept[0]["does"][0]["omitted"], 3000 - STEPS);
    }
}

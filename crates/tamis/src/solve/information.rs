//! `get-info`.

use super::checks::Last;
use super::output::string;
use super::session::Session;

/// Answers `(get-info keyword)`.
pub fn get_info(session: &Session, keyword: &str) {
    let value = match keyword {
        ":name" => Some(string("Tamis")),
        ":version" => Some(string(env!("CARGO_PKG_VERSION"))),
        ":authors" => Some(string("the Tamis authors")),
        ":error-behavior" => Some("immediate-exit".to_owned()),
        ":assertion-stack-levels" => Some(session.assertions.level().to_string()),
        ":reason-unknown" => match &session.last {
            Last::Unknown(reason) => Some(string(reason)),
            _ => None,
        },
        ":all-statistics" => {
            let rows: Vec<String> =
                session.statistics().into_iter().map(|(name, value)| format!(":{name} {value}")).collect();
            session.output.line(&format!("({})", rows.join("\n ")));
            return;
        }
        _ => None,
    };
    match value {
        Some(value) => session.output.line(&format!("({keyword} {value})")),
        None => session.output.line("unsupported"),
    };
}

//! `tamis lsp`.
use crate::arguments::LspOptions;
use crate::verdict::ExitStatus;

pub fn run(_: LspOptions) -> ExitStatus {
    ExitStatus::True
}

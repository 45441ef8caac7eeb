//! The evidence about designs that other tools take, and that of other tools: witness circuits, witnesses of violations,
//! liveness, several properties, scripts.

#[path = "../../../design/tests/support/explore.rs"]
mod explore;
#[path = "../../../design/tests/support/random.rs"]
mod random;

mod circuits;
mod liveness;
mod properties;
mod scripts;
mod small;
mod unreadable;
mod witnesses;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that is gone after the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tamis-design-evidence-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), text).expect("a file");
    }

    fn read(&self, name: &str) -> Option<Vec<u8>> {
        std::fs::read(self.0.join(name)).ok()
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name).expect("a file")).expect("text")
    }

    fn run(&self, program: impl AsRef<Path>, arguments: &[&str]) -> Output {
        Command::new(program.as_ref())
            .current_dir(&self.0)
            .env("TAMIS", env!("CARGO_BIN_EXE_tamis"))
            .args(arguments)
            .output()
            .expect("a run")
    }

    fn tamis(&self, arguments: &[&str]) -> Output {
        self.run(env!("CARGO_BIN_EXE_tamis"), arguments)
    }

    /// The verdict of a run.
    fn verdict(&self, arguments: &[&str]) -> String {
        let run = self.tamis(arguments);
        let said = String::from_utf8_lossy(&run.stdout);
        let verdict = said.lines().last().and_then(|line| line.strip_prefix("VERDICT: ")).map(str::to_owned);
        verdict.unwrap_or_else(|| panic!("{arguments:?}: {}", String::from_utf8_lossy(&run.stderr)))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

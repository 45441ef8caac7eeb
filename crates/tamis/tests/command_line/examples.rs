//! The programs in `examples/`: what their comments promise comes true.

use crate::support::Folder;
use std::path::Path;

#[test]
fn every_example_keeps_its_promise() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    // The macro that breaks or repairs the program, and whether the program is right without it.
    let examples = [
        ("aes.c", "KEY=1", true),
        ("bounded-stack.c", "LEAK", true),
        ("driver-lock.c", "RETRY", true),
        ("midpoint.c", "FIXED", false),
        ("ring-buffer.c", "CAPACITY=6", true),
        ("saturating-add.c", "TOO_LATE", true),
        ("traffic-light.c", "EAGER", true),
    ];
    let files = std::fs::read_dir(&folder).expect("the examples").map(|entry| entry.expect("a file").path());
    let count = files.filter(|file| file.extension().is_some_and(|e| e == "c")).count();
    assert_eq!(count, examples.len(), "an example is not tested");
    for (name, change, right) in examples {
        let path = folder.join(name);
        let text = std::fs::read_to_string(&path).expect("an example");
        assert!(
            text.contains(&format!("tamis check {name} -D {change} ")),
            "{name} does not tell about {change}"
        );
        let run = Folder::new();
        let plain = run.run(&["check".as_ref(), path.as_os_str()]);
        let changed = run.run(&["check".as_ref(), path.as_os_str(), "-D".as_ref(), change.as_ref()]);
        let (proved, refuted) = if right { (plain, changed) } else { (changed, plain) };
        proved.ends_with(0, "true");
        proved.says("proof: ");
        refuted.ends_with(1, "false(unreach-call)");
        refuted.says("VIOLATION: assertion ");
    }
}

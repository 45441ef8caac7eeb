//! A job array for Slurm: its elements are run as Slurm does, by the script and the number in the environment.

use crate::support::Folder;
use crate::{SAFE, UNSAFE, instead, results, rows, said, write};
use std::process::Command;

fn element(folder: &Folder, number: usize) {
    let run = Command::new("sh")
        .arg("job.sbatch")
        .current_dir(folder.path.join("job"))
        .env("SLURM_ARRAY_TASK_ID", number.to_string())
        .output()
        .expect("there is a shell");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn elements_are_gathered() {
    let folder = Folder::new();
    write(&folder, "a.c", &format!("#include <limits.h>\n#include \"inc/a.h\"\n{SAFE}"));
    write(&folder, "inc/a.h", "int unused = INT_MAX;\n");
    write(&folder, "b.c", UNSAFE);
    write(&folder, "broken.c", "#include \"no-such.h\"\n");
    write(&folder, "list.tsv", "path\texpected\na.c\ttrue\nb.c\tfalse\nbroken.c\t-\n");
    instead(&folder, "");
    let emit = [
        "batch",
        "list.tsv",
        "--executable",
        "instead",
        "--memory",
        "2GB",
        "--emit",
        "slurm",
        "--into",
        "job",
    ];
    let run = folder.run(&emit);
    assert_eq!(run.exit, Some(0), "{run:?}");
    assert!(run.stdout.contains("3 checks in an array of 3"), "{}", run.stdout);
    run.says("no-such.h");
    let again = folder.run(&emit);
    assert_eq!(again.exit, Some(2));
    again.says("job is not empty");
    let script = std::fs::read_to_string(folder.path.join("job/job.sbatch")).expect("it was written");
    for line in ["--array=0-2", "--cpus-per-task=2", "--mem=2500M", "--time=7"] {
        assert!(script.contains(&format!("#SBATCH {line}\n")), "{line} in {script}");
    }
    // Nothing but the folder is needed.
    for file in ["a.c", "b.c", "inc/a.h"] {
        std::fs::remove_file(folder.path.join(file)).expect("it was there");
    }
    element(&folder, 0);
    let run = folder.run(&["batch", "--collect", "job"]);
    assert_eq!(run.exit, Some(4), "{run:?}");
    assert!(run.stdout.contains("1 checks have no result yet"), "{}", run.stdout);
    element(&folder, 1);
    element(&folder, 2);
    element(&folder, 1);
    let run = folder.run(&["batch", "--collect", "job"]);
    assert_eq!(run.exit, Some(4), "one cannot be read: {run:?}");
    let unreadable = "unknown(input: no-such.h: No such file or directory)";
    let expected = [("a.c", "-", "true"), ("b.c", "-", "false(unreach-call)"), ("broken.c", "-", unreadable)];
    assert_eq!(said(&folder), rows(&expected));
    // What a check says is said of the files as they are called here.
    let all = results(&folder.path.join("tamis-batch.jsonl"));
    let text = all.iter().map(ToString::to_string).collect::<String>();
    assert!(text.contains("\"b.c\"") && !text.contains("files/"), "{text}");
}

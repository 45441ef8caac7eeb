//! Programs of Csmith, run as automata and as gcc compiles them.
//!
//! Ignored: needs `csmith` with its headers, and a C compiler. `TAMIS_SEED` and `TAMIS_COUNT` choose the programs,
//! `TAMIS_CSMITH` is the folder of the headers.

mod support;

use std::process::Command;
use support::{Outcome, run, try_translate};
use tamis_front_c::DataModel;

/// Options that leave out what is not modelled exactly, and keep the programs small.
const OPTIONS: [&str; 12] = [
    "--no-packed-struct",
    "--no-float",
    "--max-funcs",
    "3",
    "--max-block-depth",
    "3",
    "--max-expr-complexity",
    "5",
    "--max-array-len-per-dim",
    "4",
    "--max-array-dim",
    "2",
];

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(otherwise)
}

fn output(command: &mut Command) -> Option<String> {
    let out = command.output().ok()?;
    out.status.success().then(|| String::from_utf8_lossy(&out.stdout).into_owned())
}

/// The text after preprocessing, and the checksum that the compiled program prints.
fn prepare(seed: u64, folder: &std::path::Path, flag: &str) -> Option<(String, u64)> {
    let source = output(Command::new("csmith").args(["--seed", &seed.to_string()]).args(OPTIONS))?;
    let (file, binary) = (folder.join("p.c"), folder.join("p"));
    // The checksum is left in a variable that the automaton's run can look at.
    let source = source.replace(
        "platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);",
        "checksum = crc32_context ^ 0xFFFFFFFFUL; platform_main_end(checksum, 0);",
    );
    let source =
        source.replace("int main (", "unsigned checksum;\nint printf(const char *, ...);\nint main (");
    std::fs::write(&file, &source).ok()?;
    let headers = std::env::var("TAMIS_CSMITH").unwrap_or("/usr/include/csmith".to_owned());
    let include = &format!("-I{headers}");
    output(Command::new("cc").args(["-E", "-P", flag, include]).arg(&file))
        .zip(compile(&file, &binary, &source, flag, include))
}

fn compile(
    file: &std::path::Path,
    binary: &std::path::Path,
    source: &str,
    flag: &str,
    include: &str,
) -> Option<u64> {
    let printing = source.replace("platform_main_end(checksum, 0);", "printf(\"%u\\n\", checksum);");
    let other = file.with_file_name("q.c");
    std::fs::write(&other, printing).ok()?;
    let cc = ["-O0", "-fwrapv", "-w", flag, include, "-o"];
    output(Command::new("cc").args(cc).arg(binary).arg(&other))?;
    output(Command::new("timeout").arg("2").arg(binary))?.trim().parse().ok()
}

#[test]
#[ignore = "needs csmith, and time"]
fn automata_compute_the_same_checksums() {
    let folder = std::env::temp_dir().join(format!("tamis-csmith-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (mut same, mut refused, mut approximated, mut long) = (0, 0, 0, 0);
    let first = number("TAMIS_SEED", 1);
    for seed in first..first + number("TAMIS_COUNT", 20) {
        for (model, flag) in [(DataModel::Lp64, "-m64"), (DataModel::Ilp32, "-m32")] {
            let Some((text, expected)) = prepare(seed, &folder, flag) else { continue };
            match try_translate(&text, model) {
                Err(e) => {
                    refused += 1;
                    println!("seed {seed} {flag}: {}", e.to_string().lines().next().unwrap_or_default());
                }
                Ok(t) => match run(&t, &[0]) {
                    Outcome::Finished(checksum) => {
                        assert_eq!(checksum, expected, "seed {seed} {flag}");
                        same += 1;
                    }
                    Outcome::Approximated => approximated += 1,
                    Outcome::Unfinished => long += 1,
                    other => panic!("seed {seed} {flag}: {other:?}"),
                },
            }
        }
    }
    println!("{same} the same, {refused} refused, {approximated} approximated, {long} too long");
}

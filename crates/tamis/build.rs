//! How the executable is linked. A query of a few milliseconds spends as many on starting the process: on relocations, on
//! finding shared libraries, and on their symbols. All of it is settled here where the linker can do it.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    say_versions();
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if !is("CARGO_CFG_TARGET_OS", "linux") || !is("CARGO_CFG_TARGET_ENV", "gnu") {
        return;
    }
    let Some(folder) = std::env::var_os("OUT_DIR").map(PathBuf::from) else { return };
    let linked = link_cpp_statically(&folder).is_some();
    let standalone = link_c_statically(&folder).is_some();
    if standalone {
        // At an address of its own each time, since hostile inputs are read. That costs 0.15 ms for each start, of 1 ms
        // (processor time of `tamis solve` on one line, ten times fifty starts in turns with an executable at a fixed address).
        println!("cargo:rustc-link-arg-bins=-static-pie");
    }
    if standalone || linked {
        // For executables alone: tests are linked as usual.
        println!("cargo:rustc-link-arg-bins=-L{}", folder.display());
    }
}

/// What `--version` tells beside our own: the commit, and the versions of what answers the questions. Only a build for use is
/// made again for each commit.
fn say_versions() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let git = |arguments: &[&str]| {
        let found = Command::new("git").arg("-C").arg(&root).args(arguments).output().ok()?;
        let said = String::from_utf8(found.stdout).ok()?.trim().to_owned();
        (found.status.success() && !said.is_empty()).then_some(said)
    };
    let optimised = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = match optimised {
        true => {
            if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
                println!("cargo:rerun-if-changed={}", root.join(log).display());
            }
            git(&["rev-parse", "--short=10", "HEAD"]).unwrap_or_else(|| "unknown".to_owned())
        }
        false => "a build for tests".to_owned(),
    };
    println!("cargo:rustc-env=TAMIS_COMMIT={commit}");
    let lock = root.join("Cargo.lock");
    println!("cargo:rerun-if-changed={}", lock.display());
    let lock = std::fs::read_to_string(lock).unwrap_or_default();
    let version = |package: &str| {
        let (_, rest) = lock.split_once(&format!("name = \"{package}\"\nversion = \""))?;
        Some(rest.split_once('"')?.0)
    };
    println!("cargo:rustc-env=TAMIS_OXIDD={}", version("oxidd").unwrap_or("unknown"));
    println!("cargo:rustc-env=TAMIS_RUCC={}", version("rucc-sema").unwrap_or("unknown"));
}

/// Puts the C++ library, as an archive, into a folder that the linker looks into first.
fn link_cpp_statically(folder: &Path) -> Option<()> {
    put(folder, "libstdc++.a", &archive("libstdc++.a")?)
}

/// The same for the C library and what supports the compiler. Together they leave nothing for the dynamic linker, which
/// takes longer than all else at the start of the process.
fn link_c_statically(folder: &Path) -> Option<()> {
    let [c, m, gcc, unwind, threads, start] =
        ["libc.a", "libm.a", "libgcc.a", "libgcc_eh.a", "libpthread.a", "rcrt1.o"].map(archive);
    start?;
    // Where threads are a library of their own, an archive of it leaves out what nobody asks for by name.
    if std::fs::metadata(threads?).ok()?.len() > 8 {
        return None;
    }
    let support = format!("GROUP ( {} {} )\n", gcc?.display(), unwind?.display());
    std::fs::write(folder.join("libgcc_s.a"), support).ok()?;
    put(folder, "libc.a", &c?)?;
    put(folder, "libm.a", &m?)
}

/// Where the compiler has an archive.
fn archive(name: &str) -> Option<PathBuf> {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let found = Command::new(compiler).arg(format!("-print-file-name={name}")).output().ok()?;
    let archive = PathBuf::from(String::from_utf8(found.stdout).ok()?.trim());
    // A compiler that does not have it gives back the name alone.
    (archive.is_absolute() && archive.exists()).then_some(archive)
}

#[cfg(unix)]
fn put(folder: &Path, name: &str, archive: &Path) -> Option<()> {
    let link = folder.join(name);
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink(archive, link).ok()
}

#[cfg(not(unix))]
fn put(_: &Path, _: &str, _: &Path) -> Option<()> {
    None
}

//! How the executable is linked. A query of a few milliseconds spends as many on starting the process: on relocations, and on
//! finding a shared library's symbols. Both are settled here where the linker can do it.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if !is("CARGO_CFG_TARGET_OS", "linux") || !is("CARGO_CFG_TARGET_ENV", "gnu") {
        return;
    }
    println!("cargo:rustc-link-arg-bins=-no-pie");
    let Some(folder) = std::env::var_os("OUT_DIR").map(PathBuf::from) else { return };
    if link_cpp_statically(&folder).is_some() {
        println!("cargo:rustc-link-search=native={}", folder.display());
    }
}

/// Puts the C++ library, as an archive, into a folder that the linker looks into first.
#[cfg(unix)]
fn link_cpp_statically(folder: &Path) -> Option<()> {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let found = Command::new(compiler).arg("-print-file-name=libstdc++.a").output().ok()?;
    let archive = PathBuf::from(String::from_utf8(found.stdout).ok()?.trim());
    let link = folder.join("libstdc++.a");
    let _ = std::fs::remove_file(&link);
    // A compiler that does not have it gives back the name alone.
    (archive.is_absolute() && archive.exists()).then(|| std::os::unix::fs::symlink(archive, link).ok())?
}

#[cfg(not(unix))]
fn link_cpp_statically(_: &Path) -> Option<()> {
    None
}

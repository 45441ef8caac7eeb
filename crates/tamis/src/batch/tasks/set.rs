//! Sets, as BenchExec has them (`.set`): a pattern on each line for the names of task definitions.

use super::{Task, about_line, contents, definition};
use crate::refusal::Refusal;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The tasks of the definitions that the patterns match, each once, in the patterns' order.
pub fn read(path: &Path) -> Result<Vec<Task>, Refusal> {
    let text = contents(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let (mut tasks, mut seen) = (Vec::new(), BTreeSet::new());
    for (number, line) in text.lines().enumerate() {
        let pattern = line.trim();
        if pattern.is_empty() || pattern.starts_with('#') {
            continue;
        }
        let files = matches(folder, pattern);
        if files.is_empty() {
            return Err(about_line(path, &text, number + 1, "no file has such a name"));
        }
        for file in files.into_iter().filter(|file| seen.insert(file.clone())) {
            let name = file.strip_prefix(folder).unwrap_or(&file).display().to_string();
            tasks.extend(definition::read(name, &file)?);
        }
    }
    Ok(tasks)
}

/// The files below a folder whose path a pattern matches, in order.
fn matches(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    if pattern.starts_with('/') {
        found = vec![PathBuf::from("/")];
    }
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        if !part.contains(['*', '?', '[']) {
            found = found.into_iter().map(|path| path.join(part)).filter(|path| path.exists()).collect();
            continue;
        }
        let mut next = Vec::new();
        for path in found {
            let here = if path.as_os_str().is_empty() { Path::new(".") } else { &path };
            let entries = std::fs::read_dir(here).into_iter().flatten().flatten();
            let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
            let fits = |name: &String| !name.starts_with('.') && is_like(name, part);
            next.extend(names.filter(fits).map(|name| path.join(name)));
        }
        next.sort();
        found = next;
    }
    found.into_iter().filter(|path| path.is_file()).collect()
}

/// Whether a name is as a pattern of `*`, `?` and `[…]` says. When a part does not fit, the last star takes one character
/// more, so that it takes quadratic time at most.
fn is_like(name: &str, pattern: &str) -> bool {
    let (name, pattern): (Vec<char>, Vec<char>) = (name.chars().collect(), pattern.chars().collect());
    let (mut n, mut p) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&'*') {
            star = Some((p, n));
            p += 1;
        } else if let Some(after) = one(&pattern, p, name[n]) {
            (n, p) = (n + 1, after);
        } else if let Some((at, taken)) = star {
            star = Some((at, taken + 1));
            (p, n) = (at + 1, taken + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

/// Where the pattern goes on if its part at `p` takes a character.
fn one(pattern: &[char], p: usize, c: char) -> Option<usize> {
    match *pattern.get(p)? {
        '?' => Some(p + 1),
        '[' => {
            let negated = matches!(pattern.get(p + 1), Some('!' | '^'));
            let start = p + 1 + usize::from(negated);
            // A bracket that comes first is itself.
            let Some(length) = pattern.get(start + 1..)?.iter().position(|&c| c == ']') else {
                return (c == '[').then_some(p + 1);
            };
            let set = &pattern[start..=start + length];
            (within(set, c) != negated).then_some(start + length + 2)
        }
        known => (known == c).then_some(p + 1),
    }
}

fn within(set: &[char], c: char) -> bool {
    let mut i = 0;
    while i < set.len() {
        if i + 2 < set.len() && set[i + 1] == '-' {
            if (set[i]..=set[i + 2]).contains(&c) {
                return true;
            }
            i += 3;
        } else {
            if set[i] == c {
                return true;
            }
            i += 1;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::is_like;

    #[test]
    fn patterns() {
        for (name, pattern, fits) in [
            ("a.yml", "*.yml", true),
            ("a.yaml", "*.yml", false),
            ("", "*", true),
            ("abab.yml", "*ab.yml", true),
            ("aXb", "a?b", true),
            ("ab", "a?b", false),
            ("t3.yml", "t[0-9].yml", true),
            ("tx.yml", "t[0-9].yml", false),
            ("tx.yml", "t[!0-9].yml", true),
            ("t].yml", "t[]].yml", true),
            ("t[.yml", "t[.yml", true),
            ("t-.yml", "t[a-].yml", true),
            ("x", "", false),
        ] {
            assert_eq!(is_like(name, pattern), fits, "{name} like {pattern}");
        }
        assert!(!is_like(&"a".repeat(5000), &("*a".repeat(500) + "b")));
    }
}

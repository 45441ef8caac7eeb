//! Pragmas that change what a name means to the linker, or where members are.

/// The byte at which a preprocessed text has such a pragma, and which.
pub(super) fn renaming(text: &str) -> Option<(u32, &'static str)> {
    pragmas(text).find_map(|(start, what)| match what.split_whitespace().next()? {
        "weak" => Some((start, "#pragma weak")),
        "redefine_extname" => Some((start, "#pragma redefine_extname")),
        _ => None,
    })
}

/// Whether a preprocessed text has a `#pragma pack`.
pub(super) fn packs(text: &str) -> bool {
    pragmas(text).any(|(_, what)| what.starts_with("pack"))
}

/// The pragmas of a preprocessed text: the byte at which the line begins, and what follows the word.
fn pragmas(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let lines = text.split_inclusive('\n').scan(0, |start, line| {
        let at = *start;
        *start += line.len() as u32;
        Some((at, line))
    });
    lines.filter_map(|(at, line)| {
        let directive = line.trim_start().strip_prefix('#')?.trim_start();
        Some((at, directive.strip_prefix("pragma")?.trim_start()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pragmas_about_names() {
        assert_eq!(renaming("int a;\n # pragma weak b = a\n"), Some((7, "#pragma weak")));
        assert_eq!(renaming("#pragma redefine_extname f g"), Some((0, "#pragma redefine_extname")));
        assert_eq!(renaming("#pragma pack(1)\nint weak;\n# 1 \"weak\"\n"), None);
    }

    #[test]
    fn pragmas_about_members() {
        assert!(packs("int a;\n#pragma  pack(push, 1)\n"));
        assert!(!packs("#pragma once\nint pack;\n"));
    }
}

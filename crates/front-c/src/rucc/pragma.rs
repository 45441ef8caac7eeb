//! Pragmas that change what a name means to the linker.

/// The byte at which a preprocessed text has such a pragma, and which.
pub(super) fn renaming(text: &str) -> Option<(u32, &'static str)> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some(directive) = line.trim_start().strip_prefix('#') {
            let mut words = directive.split_whitespace();
            let found = match (words.next(), words.next()) {
                (Some("pragma"), Some("weak")) => Some("#pragma weak"),
                (Some("pragma"), Some("redefine_extname")) => Some("#pragma redefine_extname"),
                _ => None,
            };
            if let Some(which) = found {
                return Some((start, which));
            }
        }
        start += line.len() as u32;
    }
    None
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
}

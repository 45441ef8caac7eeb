//! The rules that come along: those of the folder `rules/`.

const RULES: [(&str, &str); 8] = [
    ("allocation", include_str!("../../../rules/allocation.rule")),
    ("errno", include_str!("../../../rules/errno.rule")),
    ("files", include_str!("../../../rules/files.rule")),
    ("interrupts", include_str!("../../../rules/interrupts.rule")),
    ("irps", include_str!("../../../rules/irps.rule")),
    ("locks", include_str!("../../../rules/locks.rule")),
    ("mutexes", include_str!("../../../rules/mutexes.rule")),
    ("sockets", include_str!("../../../rules/sockets.rule")),
];

/// The text of a rule's file.
///
/// ```
/// use tamis_specification::{library, rules};
/// for name in library::names() {
///     let text = library::rule(name).expect("it is there");
///     assert_eq!(rules(name, text).map(|rules| rules[0].name.clone()), Ok(name.to_owned()));
/// }
/// ```
pub fn rule(name: &str) -> Option<&'static str> {
    RULES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The names of the rules.
pub fn names() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|(name, _)| *name)
}

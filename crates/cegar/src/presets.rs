//! The presets: configurations by name, read from the files under `presets/`.

use crate::strategy::{PresetError, Strategy};

const PRESETS: [(&str, &str); 24] = [
    ("default", include_str!("../../../presets/default.toml")),
    ("magic", include_str!("../../../presets/magic.toml")),
    ("magic-greedy", include_str!("../../../presets/magic-greedy.toml")),
    ("magic-minimize", include_str!("../../../presets/magic-minimize.toml")),
    ("satabs", include_str!("../../../presets/satabs.toml")),
    ("blast", include_str!("../../../presets/blast.toml")),
    ("interpolation", include_str!("../../../presets/interpolation.toml")),
    ("sbe-allsat", include_str!("../../../presets/sbe-allsat.toml")),
    ("lbe-allsat", include_str!("../../../presets/lbe-allsat.toml")),
    ("lbe-ldd", include_str!("../../../presets/lbe-ldd.toml")),
    ("lbe-min", include_str!("../../../presets/lbe-min.toml")),
    ("ctl", include_str!("../../../presets/ctl.toml")),
    ("ctl-old", include_str!("../../../presets/ctl-old.toml")),
    ("ctl-naive", include_str!("../../../presets/ctl-naive.toml")),
    ("hardware", include_str!("../../../presets/hardware.toml")),
    ("bounded", include_str!("../../../presets/bounded.toml")),
    ("unwind", include_str!("../../../presets/unwind.toml")),
    ("k-induction", include_str!("../../../presets/k-induction.toml")),
    ("invariants", include_str!("../../../presets/invariants.toml")),
    ("ic3", include_str!("../../../presets/ic3.toml")),
    ("ic3-ia", include_str!("../../../presets/ic3-ia.toml")),
    ("ic3-innards", include_str!("../../../presets/ic3-innards.toml")),
    ("accelerated", include_str!("../../../presets/accelerated.toml")),
    ("walks", include_str!("../../../presets/walks.toml")),
];

/// The names of the presets.
pub fn preset_names() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|&(name, _)| name)
}

/// The preset of a name, if there is one.
///
/// ```
/// use tamis_cegar::{Keep, preset};
/// let strategy = preset("magic-minimize").unwrap().unwrap();
/// assert_eq!(strategy.refinement.keep, Keep::Minimize);
/// assert!(preset("magik").is_none());
/// ```
pub fn preset(name: &str) -> Option<Result<Strategy, PresetError>> {
    PRESETS.iter().find(|&&(n, _)| n == name).map(|(_, text)| Strategy::from_toml(text))
}

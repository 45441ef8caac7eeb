//! What an editor says of checks.

use serde::Deserialize;
use serde_json::Value;

/// When a file is checked without being asked.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "lowercase")]
pub enum When {
    /// When it is saved.
    #[default]
    Save,
    /// When it is opened, too.
    Open,
    Never,
}

/// The settings, as `initializationOptions` or under `tamis` in the configuration.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(default)]
pub struct Settings {
    pub check: When,
    /// As `--timeout`.
    pub timeout: Option<String>,
    /// As `--memory`.
    pub memory: Option<String>,
    /// As `--property`.
    pub property: Vec<String>,
    /// Further options of a check, and files to link.
    pub arguments: Vec<String>,
}

impl Settings {
    /// Reads settings; what is wrong with them is for the user.
    pub fn read(value: &Value) -> Result<Settings, String> {
        let own = value.get("tamis").unwrap_or(value);
        if own.is_null() {
            return Ok(Settings::default());
        }
        Settings::deserialize(own).map_err(|e| format!("Tamis: the settings are not understood: {e}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn settings_are_read_with_and_without_their_name() {
        let plain = json!({"timeout": "5s", "property": ["no-overflow"], "check": "open"});
        let settings = Settings::read(&plain).expect("settings");
        assert_eq!((settings.timeout.as_deref(), settings.check), (Some("5s"), When::Open));
        assert_eq!(Settings::read(&json!({"tamis": plain})), Ok(settings));
        assert_eq!(Settings::read(&Value::Null), Ok(Settings::default()));
        assert!(Settings::read(&json!({"timeout": 5})).is_err());
    }
}

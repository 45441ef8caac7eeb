//! Values of options.

use super::PropertyChoice;
use std::path::PathBuf;
use std::time::Duration;
use tamis_cegar::{Strategy, preset, preset_names};
use tamis_program::SummaryKind;

pub fn parse_property(text: &str) -> Result<PropertyChoice, String> {
    Ok(match text.ends_with(".prp") {
        true => PropertyChoice::File(PathBuf::from(text)),
        false => PropertyChoice::Named(text.to_owned()),
    })
}

/// A preset: how the loop works, and over which summary of the program.
#[derive(Clone, PartialEq, Debug)]
pub struct Preset {
    /// For the loop.
    pub strategy: Strategy,
    /// For the program.
    pub summary: SummaryKind,
}

pub fn parse_preset(name: &str) -> Result<Preset, String> {
    let strategy = parse_strategy(name)?;
    let summary = strategy.summary.parse()?;
    Ok(Preset { strategy, summary })
}

fn parse_strategy(name: &str) -> Result<Strategy, String> {
    if let Some(strategy) = preset(name) {
        return strategy.map_err(|e| e.to_string());
    }
    if !name.ends_with(".toml") {
        let names: Vec<&str> = preset_names().collect();
        return Err(format!("no such preset; there are {}, or the name of a .toml file", names.join(", ")));
    }
    let text = std::fs::read_to_string(name).map_err(|e| e.to_string())?;
    Strategy::from_toml(&text).map_err(|e| e.to_string())
}

pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text);
    let factor = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit of time '{unit}' (s, min, h)")),
    };
    let seconds = parse_number(number)? * factor;
    Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())
}

pub fn parse_memory(text: &str) -> Result<u64, String> {
    let (number, unit) = split_unit(text);
    let factor = match unit.to_ascii_uppercase().as_str() {
        "" | "M" | "MB" => 1e6,
        "G" | "GB" => 1e9,
        _ => return Err(format!("unknown unit of memory '{unit}' (MB, GB)")),
    };
    Ok((parse_number(number)? * factor) as u64)
}

fn split_unit(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

fn parse_number(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 => Ok(number),
        _ => Err("a positive number is expected".to_owned()),
    }
}

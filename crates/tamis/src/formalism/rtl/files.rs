//! The files about a violation that are asked for.

use super::model::{Reduced, Violation};
use super::property::Property;
use super::waves;
use super::witness::{self, Numbers};
use crate::formalism::Case;
use crate::output::of_property;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use tamis_front_rtl::btor2;
use tamis_logic::Terms;

/// Writes a witness and waveforms, as far as they are asked for: what is to be said about them.
pub fn write(
    case: &Case<'_, Property>,
    terms: &Terms,
    model: &Reduced,
    violation: &Violation,
) -> Vec<String> {
    let mut said = Vec::new();
    let mut tell = |file: &Path, done: io::Result<()>| {
        if crate::output::check(file, done) {
            said.push(format!("written: {}", file.display()));
        }
    };
    if let Some(file) = &case.options.vcd {
        let file = of_property(file, &case.property.name, case.several);
        tell(&file, vcd(terms, model, violation, &file));
    }
    let Some(file) = &case.options.witness else { return said };
    let file = of_property(file, &case.property.name, case.several);
    let extension = case.options.input.files.first().and_then(|f| f.extension()).unwrap_or_default();
    match extension.to_string_lossy().to_ascii_lowercase().as_str() {
        "aig" | "aag" => tell(&file, fs::write(&file, witness::aiger(terms, model, violation))),
        "btor" | "btor2" => {
            tell(&file, fs::write(&file, witness::btor2(terms, model, violation, Numbers::Source)));
        }
        // What a witness of another design is about is written too.
        _ => {
            tell(&file, fs::write(&file, witness::btor2(terms, model, violation, Numbers::Written)));
            let design = file.with_extension("btor2");
            let text = btor2::write(terms, &model.whole).map_err(io::Error::other);
            tell(&design, text.and_then(|text| fs::write(&design, text)));
        }
    }
    if !violation.returns {
        said.push(
            "in the witness not all registers return to the start of the loop, but those that the property \
             depends on do"
                .to_owned(),
        );
    }
    said
}

fn vcd(terms: &Terms, model: &Reduced, violation: &Violation, file: &Path) -> io::Result<()> {
    let mut to = BufWriter::new(fs::File::create(file)?);
    waves::write(terms, model, violation, &mut to)?;
    to.flush()
}

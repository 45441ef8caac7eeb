//! CBMC's types.

use super::words::Words;
use super::{Refused, replaced};
use crate::options::DataModel;

/// A text with C's types.
pub(super) fn as_c(text: &str, model: DataModel) -> Result<String, Refused> {
    let words = Words::of(text);
    let [size, ssize] = match model {
        DataModel::Lp64 => ["unsigned long", "long"],
        DataModel::Ilp32 => ["unsigned int", "int"],
    };
    let mut pieces = Vec::new();
    for (i, word) in words.words.iter().enumerate() {
        let (new, end) = match words.word(i) {
            "__CPROVER_bool" => ("_Bool", i),
            "__CPROVER_size_t" => (size, i),
            "__CPROVER_ssize_t" => (ssize, i),
            "__CPROVER_bitvector" => match (words.word(i + 1), words.word(i + 2), words.word(i + 3)) {
                ("[", "8", "]") => ("char", i + 3),
                ("[", "16", "]") => ("short", i + 3),
                ("[", "32", "]") => ("int", i + 3),
                ("[", "64", "]") => ("long long", i + 3),
                ("[", "128", "]") => ("__int128", i + 3),
                _ => {
                    let message = "`__CPROVER_bitvector` of another width than 8, 16, 32, 64 and 128 is not supported yet";
                    return Err((word.at.start, message.to_owned()));
                }
            },
            name @ ("__CPROVER_integer" | "__CPROVER_rational" | "__CPROVER_real" | "__CPROVER_natural"
            | "__CPROVER_fixedbv" | "__CPROVER_floatbv") => {
                return Err((word.at.start, format!("the type `{name}` is not supported yet")));
            }
            _ => continue,
        };
        // Of the type without a sign in front, the sign is C's: a bit-vector of 8 bits has one.
        let new = match (new, i.checked_sub(1).map(|before| words.word(before))) {
            ("char", before) if !matches!(before, Some("signed" | "unsigned")) => "signed char",
            (new, _) => new,
        };
        pieces.push((word.at.start..words.words[end].at.end, new.to_owned()));
    }
    Ok(replaced(text, &pieces))
}

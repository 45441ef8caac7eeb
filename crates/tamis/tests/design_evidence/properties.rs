//! Several properties of one design: what was proved for one is known for the next, and each proof stands by itself.

use crate::{Folder, explore, random};
use tamis_front_rtl::btor2;
use tamis_logic::Terms;
use tamis_testing::Random;

fn verdicts(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    let arguments = [arguments, &["--json=r.json"]].concat();
    folder.tamis(&arguments);
    let json: serde_json::Value = serde_json::from_str(&folder.text("r.json")).expect("JSON");
    let properties = json["properties"].as_array().expect("properties");
    properties.iter().map(|p| p["verdict"].as_str().expect("a verdict").to_owned()).collect()
}

#[test]
fn each_property_has_its_verdict_and_its_proof() {
    let folder = Folder::new("several");
    let mut proofs = 0;
    for seed in 5000..5060 {
        let mut terms = Terms::new();
        let size = random::Size { state: 7, inputs: 2 };
        let design = random::design(&mut Random::new(seed), &mut terms, &size);
        let Ok(text) = btor2::write(&terms, &design) else { continue };
        if design.properties.len() < 2 {
            continue;
        }
        folder.write("design.btor2", &text);
        let _ = std::fs::remove_dir_all(folder.0.join("proofs"));
        let found = verdicts(&folder, &["check", "design.btor2", "--certificate", "proofs"]);
        let expected: Vec<&str> = explore::violations(&terms, &design)
            .iter()
            .map(|violated| if violated.is_some() { "false" } else { "true" })
            .collect();
        assert_eq!(found, expected, "design {seed}\n{text}");
        for property in (0..found.len()).filter(|&p| found[p] == "true") {
            let folder_of_proof = format!("proofs/p{property}");
            let again = folder.verdict(&["certify", &folder_of_proof, "design.btor2"]);
            assert_eq!(again, "true", "design {seed}, p{property}\n{text}");
            proofs += 1;
        }
    }
    assert!(proofs > 40, "only {proofs} proofs");
}

/// Two counters that go together. That their products are equal follows from what proves that
/// the counters are equal.
const TWINS: &str = "1 sort bitvec 6\n2 sort bitvec 1\n3 zero 1\n4 input 1 by\n5 state 1 a\n6 init 1 5 3\n7 add 1 5 4\n\
    8 next 1 5 7\n9 state 1 b\n10 init 1 9 3\n11 neg 1 4\n12 sub 1 9 11\n13 next 1 9 12\n14 neq 2 5 9\n15 bad 14 differ\n\
    16 mul 1 5 4\n17 mul 1 4 9\n18 neq 2 16 17\n19 bad 18 products\n";

#[test]
fn what_was_proved_is_known() {
    let folder = Folder::new("known");
    folder.write("twins.btor2", TWINS);
    // Whether the first proof is an invariant or by induction over one cycle, which is one too.
    for preset in ["ic3", "k-induction"] {
        let arguments = ["check", "twins.btor2", "--preset", preset, "--certificate", "proofs"];
        assert_eq!(verdicts(&folder, &arguments), ["true", "true"], "{preset}");
        for proof in ["proofs/differ", "proofs/products"] {
            assert_eq!(folder.verdict(&["certify", proof, "twins.btor2"]), "true", "{preset}");
        }
    }
}

//! The front end on damaged programs: whatever stands in a file, the answer is a program or a located error, soon.
//!
//! The programs of the regression suite and the examples are changed at random, byte by byte and token by token. Each
//! change comes from a seed of its own, so a failure can be made again from the seed that it names.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;
use tamis_front_c::{DataModel, Error, Options, translate_source};
use tamis_logic::Terms;
use tamis_testing::Random;

/// A translation that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(30);

/// What C has and the programs may not.
const WORDS: &str = "int unsigned char short long _Bool void double struct enum static extern \
    const volatile typedef auto register inline if else while do for switch \
    case default break continue goto return sizeof __int128";
const MARKS: &str = "( ) { } [ ] ; , : ? ... + - * / % & | ^ ~ ! < > = == << >> \
    ++ -- += <<= && || -> . 0 18446744073709551616 0x '\\ \"";

fn any_token(random: &mut Random) -> &'static str {
    let all: Vec<&str> = WORDS.split(' ').chain(MARKS.split(' ')).collect();
    random.pick(&all)
}

const BYTES: &[u8] = b"\0\t\n \"#%&'()*+,-./0189:;<=>?@AZ[\\]^_`az{|}~\x7f";

fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if word(first) { rest.find(|c| !word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        found.push(&rest[..end]);
        rest = &rest[end..];
    }
    found
}

fn mutate_bytes(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = random.below(bytes.len());
    let byte = BYTES[random.below(BYTES.len())];
    match random.below(5) {
        0 => drop(bytes.remove(at)),
        1 => bytes.insert(at, byte),
        2 => bytes[at] = byte,
        3 => bytes.truncate(at),
        _ => {
            let end = (at + random.below(40)).min(bytes.len());
            bytes.drain(at..end);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn mutate_tokens(text: &str, other: &str, random: &mut Random) -> String {
    let mut own = tokens(text);
    let others = tokens(other);
    let (at, with) = (random.below(own.len()), random.below(own.len()));
    match random.below(7) {
        0 => drop(own.remove(at)),
        1 => own.insert(at, any_token(random)),
        2 => own[at] = any_token(random),
        3 => own[at] = others.get(with).copied().unwrap_or(";"),
        4 => own.swap(at, with),
        5 => own.insert(at, own[with]),
        _ => {
            let end = (at + random.below(30)).min(own.len());
            let copy = own[at..end].to_vec();
            own.splice(with..with, copy);
        }
    }
    own.concat()
}

/// What kind of token one can take the place of: types, names, numbers, operators.
fn kind(token: &str) -> Option<u8> {
    match token.as_bytes()[0] {
        _ if ["int", "char", "short", "long"].contains(&token) => Some(3),
        _ if WORDS.split(' ').any(|word| word == token) => None,
        b'_' | b'a'..=b'z' | b'A'..=b'Z' => Some(0),
        b'0'..=b'9' => Some(1),
        b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'<' | b'>' | b'=' => Some(2),
        _ => None,
    }
}

/// Puts one token in the place of another of its kind: often enough, the result is C.
fn exchange_alike(text: &str, random: &mut Random) -> String {
    let mut own = tokens(text);
    let places: Vec<usize> = (0..own.len()).filter(|&i| kind(own[i]).is_some()).collect();
    if let Some(&at) = places.get(random.below(places.len())) {
        let alike: Vec<&str> = places.iter().map(|&i| own[i]).filter(|t| kind(t) == kind(own[at])).collect();
        own[at] = random.pick(&alike);
    }
    own.concat()
}

fn mutant(programs: &[String], seed: u64) -> String {
    let random = &mut Random::new(seed);
    let other = &programs[random.below(programs.len())];
    let mut text = programs[random.below(programs.len())].clone();
    for _ in 0..=random.below(3) {
        if text.is_empty() {
            break;
        }
        text = match random.below(6) {
            0 => mutate_bytes(&text, random),
            1 => mutate_tokens(&text, other, random),
            _ => exchange_alike(&text, random),
        };
    }
    text
}

fn sources(below: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(below).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "c") {
            found.push(path);
        }
    }
}

/// The programs, without what only a preprocessor understands.
fn programs() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    sources(&root.join("regression"), &mut files);
    sources(&root.join("examples"), &mut files);
    let text = |path: &PathBuf| String::from_utf8_lossy(&fs::read(path).expect("a program")).into_owned();
    let plain = |text: &String| text.lines().filter(|l| !l.starts_with('#')).collect::<Vec<_>>().join("\n");
    files.iter().map(text).map(|t| plain(&t)).collect()
}

/// How many mutants became programs, were refused as not C, and as not supported.
fn translate_mutants(seeds: std::ops::Range<u64>) -> [usize; 3] {
    let programs = programs();
    let mut outcomes = [0; 3];
    for seed in seeds {
        let text = mutant(&programs, seed);
        let options = Options {
            data_model: if seed % 2 == 0 { DataModel::Ilp32 } else { DataModel::Lp64 },
            ..Options::default()
        };
        let (sender, receiver) = mpsc::channel();
        let input = text.clone();
        std::thread::spawn(move || {
            let translate = || translate_source("mutant.i", &input, &options, &mut Terms::new()).map(drop);
            // Nobody listens any more after the time is up.
            let _ = sender.send(catch_unwind(AssertUnwindSafe(translate)));
        });
        match receiver.recv_timeout(PATIENCE) {
            Ok(Ok(Ok(()))) => outcomes[0] += 1,
            Ok(Ok(Err(error))) => {
                let diagnostic = error.diagnostic();
                assert!(!diagnostic.message.is_empty(), "seed {seed}: an error without a message\n{text}");
                outcomes[if matches!(error, Error::Unreadable(_)) { 1 } else { 2 }] += 1;
            }
            Ok(Err(_)) => panic!("seed {seed}: a panic\n{text}"),
            Err(_) => panic!("seed {seed}: no answer within {PATIENCE:?}\n{text}"),
        }
    }
    outcomes
}

#[test]
fn damaged_programs_get_an_answer() {
    let outcomes = translate_mutants(0..2400);
    // Little of C is not supported, so few mutants are refused for that.
    let least = [200, 200, 1];
    assert!(
        outcomes.iter().zip(least).all(|(&n, least)| n >= least),
        "the mutants are not varied enough: {outcomes:?}"
    );
}

#[test]
#[ignore = "takes minutes: for changes of the front end"]
fn many_damaged_programs_get_an_answer() {
    let outcomes = translate_mutants(1000..200_000);
    assert!(outcomes.iter().all(|&n| n >= 1000), "the mutants are not varied enough: {outcomes:?}");
}

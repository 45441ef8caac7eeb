//! Where the members of structs and unions are, compared with the compiler's answers.

mod compiler;

use compiler::{MODELS, run};
use std::fmt::Write;
use tamis_front_c::tree::{ExprKind, Record, Type, Unit};
use tamis_front_c::{DataModel, Options, parse};
use tamis_testing::Random;

const SCALARS: [&str; 16] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "_Bool",
    "float",
    "double",
    "long double",
    "void *",
    "int (*)(void)",
];
const BIT_FIELDS: [(&str, u64); 8] = [
    ("int", 32),
    ("unsigned", 32),
    ("signed char", 8),
    ("unsigned short", 16),
    ("long long", 64),
    ("unsigned long long", 64),
    ("_Bool", 1),
    ("enum e", 32),
];

/// The members of a random struct: their declarations, and the names of those that have one.
fn members(random: &mut Random, earlier: usize) -> (String, Vec<String>) {
    let (mut text, mut names) = (String::new(), Vec::new());
    for i in 0..=random.below(7) {
        let name = format!("m{i}");
        let aligned = if random.below(12) == 0 { " __attribute__((aligned(8)))" } else { "" };
        let packed = if random.below(12) == 0 { " __attribute__((packed))" } else { "" };
        match random.below(10) {
            0..=2 => {
                let (ty, width) = BIT_FIELDS[random.below(BIT_FIELDS.len() as u64) as usize];
                if random.below(6) == 0 {
                    let width = random.below(width + 1);
                    let _ = write!(text, "{ty} : {width}; ");
                    continue;
                }
                let width = 1 + random.below(width);
                let _ = write!(text, "{ty} {name} : {width}{packed}; ");
            }
            3 if earlier > 0 => {
                let other = random.below(earlier as u64);
                let _ = write!(text, "struct s{other} {name}; ");
            }
            4 => {
                let length = random.below(5);
                let ty = random.pick(&SCALARS[..14]);
                let _ = write!(text, "{ty} {name}[{length}]; ");
            }
            5 => {
                let (a, b) = (random.pick(&SCALARS[..14]), random.pick(&SCALARS[..14]));
                let keyword = random.pick(&["struct", "union"]);
                // The members of an anonymous member are those of the struct around it.
                let _ = write!(text, "{keyword} {{ {a} {name}a; {b} {name}b; }}; ");
                continue;
            }
            _ => {
                let ty = random.pick(&SCALARS);
                match ty.split_once("(*)") {
                    Some((before, after)) => {
                        let _ = write!(text, "{before}(*{name}){after}; ");
                    }
                    None => {
                        let _ = write!(text, "{ty} {name}{aligned}{packed}; ");
                    }
                }
            }
        }
        names.push(name);
    }
    (text, names)
}

/// Random structs and unions, with a variable of each.
fn declarations(random: &mut Random, count: usize) -> (String, Vec<Vec<String>>) {
    let mut text = "enum e { E0, E1, E2 };\n".to_owned();
    let mut all = Vec::new();
    for i in 0..count {
        let (body, names) = members(random, i);
        let keyword = if random.below(4) == 0 { "union" } else { "struct" };
        let attribute = random.pick(&["", "", "", "__attribute__((packed))", "__attribute__((aligned(16)))"]);
        let _ = writeln!(text, "struct s{i} {{ {keyword} {{ {body} }} {attribute} in; }} v{i};");
        all.push(names);
    }
    (text, all)
}

fn record<'a>(unit: &'a Unit, name: &str) -> &'a Record {
    let object = unit.objects().find(|&o| unit[o].name == name).expect("a variable of the name");
    let Type::Record(outer) = unit[object].ty else { panic!("{name} is no struct") };
    let Type::Record(inner) = unit[outer].fields[0].ty else { panic!("{name} has no struct in it") };
    &unit[inner]
}

/// What our layout says, in the words of the C program below.
fn ours(unit: &Unit, all: &[Vec<String>]) -> String {
    let mut text = String::new();
    for (i, names) in all.iter().enumerate() {
        let record = record(unit, &format!("v{i}"));
        let _ = writeln!(text, "{i} {} {}", record.size.expect("it is complete"), record.align);
        for name in names {
            let field = record.fields.iter().find(|f| f.name.as_ref() == Some(name)).expect("a member");
            let (first, width) = match field.bits {
                Some(bits) => (field.offset * 8 + u64::from(bits.first), u64::from(bits.width)),
                None => (field.offset * 8, 8 * unit.size_of(field.ty).expect("it has a size")),
            };
            let _ = writeln!(text, "{i} {name} {first} {width}");
        }
    }
    text
}

/// A program that prints where the compiler puts the members.
fn question(declarations: &str, all: &[Vec<String>], unit: &Unit) -> String {
    let mut text = format!("#include <stdio.h>\n#include <string.h>\n#include <stddef.h>\n{declarations}\n");
    text.push_str(
        "static void bits(const void *p, unsigned long n, int i, const char *name) {
            const unsigned char *b = p; long first = -1, count = 0;
            for (unsigned long k = 0; k < n * 8; k++)
                if (b[k / 8] >> (k % 8) & 1) { if (first < 0) first = k; count++; }
            printf(\"%d %s %ld %ld\\n\", i, name, first, count);
        }
        int main(void) {\n",
    );
    for (i, names) in all.iter().enumerate() {
        let _ = writeln!(
            text,
            "printf(\"{i} %lu %lu\\n\", (unsigned long)sizeof v{i}.in, (unsigned long)_Alignof(v{i}.in));"
        );
        let record = record(unit, &format!("v{i}"));
        for name in names {
            let field = record.fields.iter().find(|f| f.name.as_ref() == Some(name)).expect("a member");
            let _ = if field.bits.is_some() {
                writeln!(
                    text,
                    "memset(&v{i}, 0, sizeof v{i}); v{i}.in.{name} = -1; bits(&v{i}.in, sizeof v{i}.in, {i}, \"{name}\");"
                )
            } else {
                writeln!(
                    text,
                    "printf(\"{i} {name} %lu %lu\\n\", 8 * (unsigned long)((char *)&v{i}.in.{name} - (char *)&v{i}.in), \
                     8 * (unsigned long)sizeof v{i}.in.{name});"
                )
            };
        }
    }
    text.push_str("return 0; }\n");
    text
}

#[test]
fn members_are_where_the_compiler_puts_them() {
    for model in MODELS {
        for seed in 0..6 {
            let mut random = Random::new(seed * 7919 + 1);
            let (text, all) = declarations(&mut random, 25);
            let options = Options { data_model: model, ..Options::default() };
            let unit = parse("layout.i", &text, &options).unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert_eq!(unit.check(), Ok(()));
            let Some(theirs) = run(&question(&text, &all, &unit), model) else { continue };
            let ours = ours(&unit, &all);
            for (a, b) in ours.lines().zip(theirs.lines()) {
                assert_eq!(a, b, "ours, then theirs, {model:?}, in\n{text}");
            }
            assert_eq!(ours.lines().count(), theirs.lines().count());
        }
    }
}

#[test]
fn gnu_alignments_are_those_that_the_compiler_prefers() {
    let text = "struct s { double d; }; int k[] = {
        __alignof__(double), __alignof__(unsigned long long int), __alignof(const double), __alignof__(long double),
        __alignof__(long), __alignof__(double *), __alignof__(struct s), _Alignof(double), _Alignof(long long) };";
    for (model, expected) in
        [(DataModel::Ilp32, [8, 8, 8, 4, 4, 4, 4, 4, 4]), (DataModel::Lp64, [8, 8, 8, 16, 8, 8, 8, 8, 8])]
    {
        let options = Options { data_model: model, ..Options::default() };
        let unit = parse("align.i", text, &options).expect("C");
        let object = unit.objects().find(|&o| unit[o].name == "k").expect("the array");
        let entries = &unit[object].init().expect("its values").entries;
        let value = |e: tamis_front_c::tree::ExprId| match unit[e].kind {
            ExprKind::Convert(inner) => unit[inner].kind.clone(),
            ref kind => kind.clone(),
        };
        let found: Vec<ExprKind> = entries.iter().map(|entry| value(entry.value)).collect();
        assert_eq!(found, expected.map(ExprKind::Const), "{model:?}");
    }
    let hidden = "typedef double number;\nint k = __alignof__(number);";
    let options = Options { data_model: DataModel::Ilp32, ..Options::default() };
    let error = parse("align.i", hidden, &options).expect_err("it may be 4 or 8");
    assert_eq!((error.diagnostic().line, error.diagnostic().column), (2, 9));
}

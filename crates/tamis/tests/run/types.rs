//! Types and promotions are the compiler's. `bench/types` asks for many more.

use crate::compiled::same_as_compiled;
use crate::support::Folder;
use std::fmt::Write;

const DECLARED: [(&str, u32); 17] = [
    ("_Bool", 1),
    ("char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    // One of 32 bits is `long` to gcc, and refused in 32 bits beside a selection by types.
    ("long", 31),
    ("unsigned long", 31),
    ("long long", 64),
    ("unsigned long long", 64),
    ("enum natural", 32),
    ("enum integer", 32),
    ("enum large", 64),
    ("enum tiny", 8),
    ("name", 32),
    ("enum { X%, Y% }", 20),
];

const PRELUDE: &str = "#include <stdio.h>
enum natural { N0, N1 }; enum integer { I0 = -1, I1 }; enum large { L0 = 0x100000000LL };
enum __attribute__((packed)) tiny { T0, T1 }; typedef enum { A0, A1 } name;
#define KIND(e) _Generic((e), _Bool: 0, char: 1, signed char: 2, unsigned char: 3, short: 4, unsigned short: 5, int: 6, \\
    unsigned: 7, long: 8, unsigned long: 9, long long: 10, unsigned long long: 11, float: 12, double: 13, default: 99)
#define TYPES(a, b) printf(\"%d %d %d %d %d %d %d\\n\", KIND(+(a)), KIND((a) + (b)), KIND((a) << (b)), KIND(1 ? (a) : (b)), \\
    KIND(~(a)), KIND((a) < (b)), (int)sizeof((a) + (b)))
#define VALUES(a) printf(\"%lld %d %d %d %d %d %d\\n\", (long long)(a), (a) - 1 < 0, -(a) < 0, ~(a) < 0, (a) < -1, \\
    (1 ? (a) : 0u) > 5, (a) + 2 > 1); (a) = 2; printf(\"%d\\n\", (a)++ - 3 < 0)
";

#[test]
fn bit_fields_of_every_type_and_width() {
    let (mut fields, mut main) = (PRELUDE.to_owned(), "int main(void) {\n".to_owned());
    let all = DECLARED.iter().flat_map(|&(ty, most)| (1..=most).map(move |width| (ty, width)));
    for (number, (ty, width)) in all.enumerate() {
        let ty = ty.replace('%', &number.to_string());
        let _ = writeln!(fields, "static struct {{ {ty} f : {width}; }} b{number};");
        for other in ["1", "1u", "1l", "1ul", &format!("b{}.f", number / 2)] {
            let _ = writeln!(main, "TYPES(b{number}.f, {other});");
        }
        for value in ["0", "1", "-1"] {
            let _ = writeln!(main, "b{number}.f = {value}; VALUES(b{number}.f);");
        }
    }
    compare(&(fields + &main + "return 0; }\n"));
}

#[test]
fn pairs_of_types() {
    let types = DECLARED.iter().map(|&(ty, _)| ty).filter(|ty| !ty.contains('{'));
    let types: Vec<&str> = types.chain(["signed char"]).collect();
    let (mut text, mut main) = (PRELUDE.to_owned(), "int main(void) {\n".to_owned());
    for (i, ty) in types.iter().enumerate() {
        let _ = writeln!(text, "static {ty} v{i};");
        let _ = writeln!(main, "printf(\"%d %d\\n\", (int)sizeof({ty}), (int)_Alignof({ty}));");
        for (j, other) in types.iter().enumerate() {
            let _ = writeln!(main, "TYPES(v{i}, v{j}); printf(\"%d\\n\", ({ty})-1 < ({other})1);");
        }
    }
    compare(&(text + &main + "return 0; }\n"));
}

fn compare(text: &str) {
    let folder = Folder::new();
    let file = folder.path.join("types.c");
    std::fs::write(&file, text).expect("a written file");
    same_as_compiled(&file);
}

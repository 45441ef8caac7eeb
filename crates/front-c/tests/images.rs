//! What static variables hold before `main`, byte for byte as the compiler lays them out.

mod compiler;

use compiler::{MODELS, run};
use std::fmt::Write;
use tamis_front_c::tree::{ExprId, ExprKind, FloatType, Object, Type, Unit};
use tamis_front_c::{DataModel, Options, parse};

/// Variables whose initial values are numbers.
const VARIABLES: &str = r#"
typedef unsigned short wide;
struct point { char tag; int x, y; };
struct flags { unsigned a : 3; int b : 5; unsigned long long c : 37; _Bool d : 1; short e; unsigned f : 17; };
union both { int i; char c[6]; double d; };
struct deep { struct point p[2]; union both u; struct { int inner; short z; }; char text[5]; };
struct tail { int n; short rest[]; };
enum color { RED, GREEN = 7, BLUE };
char c0 = -3; unsigned char c1 = 300; short s0 = 70000; int i0 = 1 ? -5 : 4; long l0 = -1u; long long q0 = -1;
_Bool t0 = 42; _Bool t1 = 0.0; enum color e0 = BLUE; int tentative;
float f0 = 1.5f, f1 = -0.0f, f2 = 1e-45f, f3 = 3; double d0 = 0.1, d1 = -1e308 * 10, d2 = 1.0f / 3; long double x0 = 0.1L, x1 = -2;
double d3 = 5 / 2, d4 = (float)0.1; int i1 = 3.99, i2 = -3.99; unsigned u0 = -1 / 2 + 5u % 3; int i3 = sizeof(struct deep) << 2;
int a0[5] = {1, 2, [4] = 9}; int a1[] = {[3] = 1, 2}; int a2[2][3] = {{1}, {4, 5, 6}}; int a3[2][2] = {1, 2, 3};
int a4[] = {[0 ... 4] = 7, [2] = 1}; char h0[] = "hello"; char h1[3] = "abc"; char h2[8] = {"ab\0\377"}; wide h3[] = u"h\u00e9"; __typeof__(L' ') h4[4] = L"xy";
char h5[2][4] = {"abc", {'x'}}; char h6[] = "a" "b";
struct point p0 = {1, 2, 3}, p1 = {.y = 5}, p2 = {.x = 1, .tag = 'q', .x = 8}, p3[3] = {[1] = {2, 3, 4}, 5}, p4 = (struct point){7, 8, 9};
struct flags g0 = {5, -2, 0x1234567890, 1, -1, 99999}, g1 = {.c = -1, .f = 3}, g2[2] = {{1, 2}, {.d = 1}};
union both b0 = {-1}, b1 = {.d = 2.5}, b2 = {.c = {1, 2, 3}};
struct deep z0 = {{{1, 2, 3}, {.y = 4}}, {.c = "hi"}, {5, 6}, "abcd"}, z1 = {.u.d = 1, .inner = 3, .p[1].x = 2};
struct deep z2 = {.p = {[0] = {1, 1, 1}}, .p[0] = 2, .p[0].y = 9, .text = {'a', 'b'}, .p[1] = {4, 5, 6}};
int z3[3][3] = {[2] = {1}, [0] = {4, [0] = 5}, [1][1] = 3, [1][0] = 7};
struct tail w0 = {2, {10, 20, 30}}; const int n0 = 4; int n1 = n0 + 1; static unsigned char neg = ~0;
int k0 = __builtin_offsetof(struct deep, u), k1 = (int)(unsigned long)&((struct deep *)0)->p[1].y, k2 = _Alignof(double), k3 = __builtin_choose_expr(1, 5, 6);
int m2 = 'ab', m3 = '\xff', m4 = -7 / 2, m5 = -7 % 3, m6 = -1 >> 1, m7 = 1 << 31;
int r0 = __builtin_popcount(255) + __builtin_clz(1) + __builtin_bswap32(1), r1 = __builtin_constant_p(3), r2 = !5 || (0 && 1/0);
double inf0 = __builtin_inf(), nan0 = __builtin_nan("");
int main(void);
"#;

const LP64_ONLY: &str = "__int128 big = (__int128)1 << 100; unsigned __int128 bigger = -1; _Float128 quad = 0.1Q;\n\
     int m0 = __builtin_types_compatible_p(int, long), m1 = _Generic(1L, int: 1, long: 2, default: 3);\n";

fn bytes_of(unit: &Unit, value: ExprId) -> Option<(u128, u64)> {
    let size = unit.size_of(unit[value].ty)?;
    match unit[value].kind {
        ExprKind::Const(value) => Some((value as u128, size)),
        ExprKind::Float(bits) => match unit[value].ty {
            // The rest of its bytes hold nothing.
            Type::Float(FloatType::Extended) => Some((bits, 10)),
            _ => Some((bits, size)),
        },
        ref other => panic!("no number: {other:?}"),
    }
}

fn image(unit: &Unit, object: &Object) -> String {
    let mut bytes = vec![0u8; object.size.expect("it has a size") as usize];
    for entry in object.init().map_or(&[][..], |init| &init.entries) {
        let (value, size) = bytes_of(unit, entry.value).expect("a number of some size");
        let at = entry.offset as usize;
        match entry.bits {
            Some(bits) => {
                for i in 0..bits.width as usize {
                    let (byte, bit) = (at + (bits.first as usize + i) / 8, (bits.first as usize + i) % 8);
                    bytes[byte] &= !(1 << bit);
                    bytes[byte] |= ((value >> i & 1) as u8) << bit;
                }
            }
            None => bytes[at..at + size as usize].copy_from_slice(&value.to_le_bytes()[..size as usize]),
        }
    }
    bytes.iter().fold(String::new(), |mut text, b| {
        let _ = write!(text, "{b:02x}");
        text
    })
}

#[test]
fn initial_values_are_those_of_the_compiler() {
    for model in MODELS {
        let text = match model {
            DataModel::Lp64 => format!("{VARIABLES}{LP64_ONLY}"),
            DataModel::Ilp32 => VARIABLES.to_owned(),
        };
        let options = Options { data_model: model, ..Options::default() };
        let unit = parse("images.i", &text, &options).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(unit.check(), Ok(()));
        let mut question = format!(
            "#include <stdio.h>\n{text}\nstatic void dump(const char *n, const void *p, int size) {{
                printf(\"%s \", n); for (int i = 0; i < size; i++) printf(\"%02x\", ((unsigned char *)p)[i]); puts(\"\"); }}
             int main(void) {{\n"
        );
        let mut ours = String::new();
        for id in unit.objects() {
            let object = &unit[id];
            let _ = writeln!(ours, "{} {}", object.name, image(&unit, object));
            let _ = writeln!(question, "dump(\"{0}\", &{0}, {1});", object.name, object.size.unwrap_or(0));
        }
        question.push_str("return 0; }\n");
        let Some(theirs) = run(&question, model) else { continue };
        for (a, b) in ours.lines().zip(theirs.lines()) {
            assert_eq!(a, b, "ours, then theirs, {model:?}");
        }
        assert_eq!(ours.lines().count(), theirs.lines().count());
    }
}

/// Braces make 0 again what was there before: that is not taken, and never misread.
#[test]
fn initialisers_that_override_themselves_are_refused() {
    let refused = [
        "struct t v = {.p = {[0] = {1, 1, 1}}, .p[0] = {2}};",
        "struct t v = {.p[0].x = 1, .p[0] = {.y = 2}};",
        "struct t v = {.p = {{.x = 1}}, .p = {{.y = 2}}};",
        "struct p v[4] = {[0 ... 3] = {1, 2, 3}, [2] = {.x = 5}};",
        "struct p v[4] = {[ONE] = {1}, [UNO] = {.x = 5}};",
        "union u v = {.d = 2, .i = 1};",
        "char v[2][4] = {[1] = {1, 2, 3, 4}, [1] = \"x\"};",
        "struct t v = {.z = \"abc\", .z = \"x\"};",
    ];
    let taken = [
        "int v[9] = {[0 ... 8] = 1, [3] = 2};",
        "struct t v = {.p[0] = {1, 1, 1}, .p[0].x = 5};",
        "struct t v = {.z = \"abc\", .p = {[1] = {1}, [0] = {2}}};",
        "struct p v[4] = {[3] = {1, 2, 3}, [1] = {.x = 5}, [0] = {.y = 1, .x = 2}};",
    ];
    let prelude = "struct p { char tag; int x, y; }; struct t { struct p p[2]; char z[4]; }; union u { int i; double d; };
        enum { ONE = 1, UNO = 1 };";
    let is_refused = |text: &str| {
        let text = format!("{prelude} {text}");
        let unit = parse("o.i", &text, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(unit.check(), Ok(()));
        unit.exprs().any(|e| matches!(unit[e].kind, ExprKind::Unsupported(_)))
    };
    for text in refused {
        assert!(is_refused(text), "{text}");
    }
    for text in taken {
        assert!(!is_refused(text), "{text}");
    }
}

#[test]
fn addresses_are_known_before_the_program_runs() {
    let text = r#"
        struct s { int a; int b[3]; struct s *next; } x, y[4];
        static int f(int i) { return i; }
        int *p0 = &x.b[1], *p1 = x.b, *p2 = &y[2].b[2] - 1, *p3 = (int *)((char *)&x + 4), *p4 = 0, *p5 = (int *)16;
        struct s *q0 = y + 1, *q1 = &y[3], z = {1, {2}, &z};
        int (*h[])(int) = {f, &f, *f, 0}; char *t[] = {"one", "two" + 1}; void *v = &v; unsigned long u = (unsigned long)&x;
        int *l = (int[]){1, 2, 3}; struct s *m = &(struct s){.a = 4};
        int main(void) { static void *labels[] = {&&a, &&b}; static int apart = &&b - &&a; goto *labels[0]; a: b: return apart; }
    "#;
    for model in MODELS {
        let options = Options { data_model: model, ..Options::default() };
        let unit = parse("addresses.i", text, &options).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(unit.check(), Ok(()));
        for id in unit.exprs() {
            assert!(!matches!(unit[id].kind, ExprKind::Unsupported(_)), "{:?}", unit[id]);
        }
    }
}

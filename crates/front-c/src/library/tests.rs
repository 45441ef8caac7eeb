//! The texts, as C, and compiled by gcc beside the functions of its library.

use super::template::{Setting, templates};
use super::{OWN, SHARED, rucc};
use crate::options::DataModel;
use crate::tree::FunctionId;
use std::fmt::Write;

#[test]
fn every_text_is_c_and_defines_what_it_is_for() {
    for template in OWN.iter().chain(&SHARED).flat_map(|source| templates(source)) {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            for errno in [false, true] {
                let text = template.text(Setting { model, errno });
                let (unit, _) = rucc::parse("library", &text, model)
                    .unwrap_or_else(|e| panic!("{}: {}\n{text}", template.name, e.diagnostic().message));
                let defined = |f: &FunctionId| unit[*f].name == template.name && unit[*f].body.is_some();
                assert!(unit.functions().any(|f| defined(&f)), "{}", template.name);
                assert_eq!(unit.check(), Ok(()), "{}", template.name);
            }
        }
    }
}

/// A text with another name in the place of its own.
fn renamed(name: &str) -> String {
    let template = OWN.iter().chain(&SHARED).flat_map(|source| templates(source)).find(|t| t.name == name);
    let template = template.unwrap_or_else(|| panic!("there is no {name}"));
    let text = template.text(Setting { model: DataModel::Lp64, errno: true });
    format!("#define {name} own_{name}\n{text}\n#undef {name}\n")
}

const DRIVER: &str = r#"
const char *texts[] = {"", " ", "a", "abc", "ABC", "aabab", "hello, world", " \t12", "-0x1Fg", "0777", "99999999999999999999",
    "-9223372036854775809", "18446744073709551616", "+z", "0x", "2147483648", "a,b;;c", ",,", "\xff\x80", "4294967296"};
#define COUNT (int)(sizeof texts / sizeof *texts)
#define SAME(what, a, b) if ((long)(a) != (long)(b)) printf(what " %d %d: %ld %ld\n", i, k, (long)(a), (long)(b))
int main(void) {
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < COUNT; k++) {
            const char *s = texts[i], *t = texts[k];
            SAME("strstr", own_strstr(s, t), strstr(s, t));
            SAME("strcasestr", own_strcasestr(s, t), strcasestr(s, t));
            SAME("strspn", own_strspn(s, t), strspn(s, t));
            SAME("strcspn", own_strcspn(s, t), strcspn(s, t));
            SAME("strpbrk", own_strpbrk(s, t), strpbrk(s, t));
            SAME("strchr", own_strchr(s, *t), strchr(s, *t));
            SAME("strrchr", own_strrchr(s, *t), strrchr(s, *t));
            SAME("strchrnul", own_strchrnul(s, *t), strchrnul(s, *t));
            SAME("memmem", own_memmem(s, strlen(s), t, strlen(t)), memmem(s, strlen(s), t, strlen(t)));
            SAME("memrchr", own_memrchr(s, *t, strlen(s)), memrchr(s, *t, strlen(s)));
            char a[64] = "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq", b[64] = "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq";
            SAME("stpncpy", own_stpncpy(a, s, k) - a, stpncpy(b, s, k) - b);
            SAME("stpncpy", memcmp(a, b, 64), 0);
            SAME("strncpy", own_strncpy(a, s, k) - a, strncpy(b, s, k) - b);
            SAME("strncpy", memcmp(a, b, 64), 0);
            void *x = own_memccpy(a, s, *t, strlen(s)), *y = memccpy(b, s, *t, strlen(s));
            SAME("memccpy", x ? (char *)x - a : -1, y ? (char *)y - b : -1);
            SAME("memccpy", memcmp(a, b, 64), 0);
            strcpy(a, s), strcpy(b, s);
            SAME("strncat", own_strncat(a, t, i) - a, strncat(b, t, i) - b);
            SAME("strncat", memcmp(a, b, strlen(b) + 1), 0);
            strcpy(a, s), strcpy(b, s);
            char *p = own_strtok(a, t), *q = strtok(b, t);
            for (int n = 0; n < 9; n++, p = own_strtok(0, t), q = strtok(0, t))
                SAME("strtok", p ? p - a : -1, q ? q - b : -1);
            strcpy(a, s), strcpy(b, s);
            char *u, *v;
            p = own_strtok_r(a, t, &u), q = strtok_r(b, t, &v);
            for (int n = 0; n < 9; n++, p = own_strtok_r(0, t, &u), q = strtok_r(0, t, &v))
                SAME("strtok_r", p ? p - a : -1, q ? q - b : -1);
            strcpy(a, s), strcpy(b, s);
            for (u = a, v = b; u && v;) {
                p = own_strsep(&u, t), q = strsep(&v, t);
                SAME("strsep", p - a, q - b);
            }
            SAME("strsep", u, v);
        }
    for (int i = 0; i < COUNT; i++)
        for (int k = -1; k <= 37; k++) {
            char *a = 0, *b = 0;
            errno = 0;
            long x = own_strtol(texts[i], &a, k);
            int e = errno;
            errno = 0;
            long y = strtol(texts[i], &b, k);
            SAME("strtol", x, y);
            SAME("strtol's end", a, b);
            SAME("strtol's errno", e, errno);
            SAME("strtoll", own_strtoll(texts[i], &a, k), strtoll(texts[i], &b, k));
            SAME("strtoul", own_strtoul(texts[i], &a, k), strtoul(texts[i], &b, k));
            SAME("strtoul's end", a, b);
            SAME("strtoull", own_strtoull(texts[i], &a, k), strtoull(texts[i], &b, k));
            SAME("atoi", own_atoi(texts[i]), atoi(texts[i]));
            SAME("atoll", own_atoll(texts[i]), atoll(texts[i]));
        }
    const char *reals[] = {"1", "-1.5x", ".5", ".", "1.e3", "1e", "1e+", "1.5e-3z", " 12.", "e5", "+.e", "-", "x"};
    for (int i = 0, k = 0; i < 13; i++) {
        char *a, *b;
        own_strtod(reals[i], &a), strtod(reals[i], &b);
        SAME("strtod's end", a, b);
    }
    for (int c = -128, i = 0, k; k = c, c < 256; c++) {
        SAME("ctype", own___ctype_b_entry(c), (*__ctype_b_loc())[c]);
        SAME("toupper's table", own___ctype_toupper_entry(c), (*__ctype_toupper_loc())[c]);
        SAME("tolower's table", own___ctype_tolower_entry(c), (*__ctype_tolower_loc())[c]);
        SAME("toupper", own_toupper(c), toupper(c));
        SAME("tolower", own_tolower(c), tolower(c));
    }
    return 0;
}
"#;

#[test]
fn texts_do_what_the_library_does() {
    const NAMES: [&str; 36] = [
        "strlen",
        "strnlen",
        "strstr",
        "strcasestr",
        "strspn",
        "strcspn",
        "strpbrk",
        "strchr",
        "strrchr",
        "strchrnul",
        "memmem",
        "memrchr",
        "stpncpy",
        "strncpy",
        "memccpy",
        "strncat",
        "strtok",
        "strtok_r",
        "strsep",
        "strtol",
        "strtoll",
        "strtoul",
        "strtoull",
        "atoi",
        "atol",
        "atoll",
        "strtod",
        "__ctype_b_entry",
        "__ctype_toupper_entry",
        "__ctype_tolower_entry",
        "toupper",
        "tolower",
        "isascii",
        "toascii",
        "strcat",
        "strcpy",
    ];
    let mut text = "#define _GNU_SOURCE\n#include <ctype.h>\n#include <errno.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
                    #include <string.h>\n#undef errno\nextern int *__errno_location(void);\n\
                    void __VERIFIER_apart(const void *to, const void *from, unsigned long size) { }\n\
                    void __VERIFIER_assume(int c) { if (!c) abort(); }\n\
                    int __VERIFIER_approximated_errno(void) { return 0; }\n\
                    unsigned long __VERIFIER_approximated_length(void) { return 0; }\n\
                    double __VERIFIER_approximated_strtod(void) { return 0; }\n"
        .to_owned();
    for name in NAMES {
        // The texts name each other by the names of the library.
        let _ = writeln!(text, "{}", renamed(name));
    }
    let _ = writeln!(text, "#define errno (*__errno_location())\n{DRIVER}");
    super::format::tests::run("texts", &text);
}

/// Numbers with whose neighbours functions go another way, and some more.
const MATH: &str = r#"
static double numbers[] = {0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 3.5, 1e-310, 1e-40, 4194304.5, 8388607.5, 8388608.0, 16777217.0,
    2147483647.5, 4503599627370495.5, 4503599627370496.0, 4503599627370497.0, 9007199254740993.0, 1e300, 0.49999999999999994, 123456.78};
#define SAME(what, a, b) do { double u = (a), v = (b); \
    if (memcmp(&u, &v, sizeof u) && !(u != u && v != v)) printf(what " of %a: %a %a\n", x, u, v); } while (0)
static void of(double x)
{
    float f = x;
    SAME("fabs", own_fabs(x), fabs(x)); SAME("fabsf", own_fabsf(f), fabsf(f));
    SAME("copysign", own_copysign(3, x), copysign(3, x)); SAME("copysignf", own_copysignf(3, f), copysignf(3, f));
    SAME("trunc", own_trunc(x), trunc(x)); SAME("truncf", own_truncf(f), truncf(f));
    SAME("floor", own_floor(x), floor(x)); SAME("floorf", own_floorf(f), floorf(f));
    SAME("ceil", own_ceil(x), ceil(x)); SAME("ceilf", own_ceilf(f), ceilf(f));
    SAME("round", own_round(x), round(x)); SAME("roundf", own_roundf(f), roundf(f));
    SAME("rint", own_rint(x), rint(x)); SAME("rintf", own_rintf(f), rintf(f));
    SAME("nearbyint", own_nearbyint(x), nearbyint(x)); SAME("nearbyintf", own_nearbyintf(f), nearbyintf(f));
    SAME("fdim", own_fdim(x, 1), fdim(x, 1)); SAME("fdimf", own_fdimf(1, f), fdimf(1, f));
    if (fabs(x) < 1e15) {
        SAME("lround", own_lround(x), lround(x)); SAME("lroundf", own_lroundf(f), lroundf(f));
        SAME("llrint", own_llrint(x), llrint(x)); SAME("llrintf", own_llrintf(f), llrintf(f));
    }
    SAME("isnan", own___isnan(x), __isnan(x)); SAME("isnanf", own___isnanf(f), __isnanf(f));
    SAME("isinf", own___isinf(x), __isinf(x)); SAME("isinff", own___isinff(f), __isinff(f));
    SAME("finite", own___finite(x), __finite(x)); SAME("finitef", own___finitef(f), __finitef(f));
    SAME("fpclassify", own___fpclassify(x), __fpclassify(x)); SAME("fpclassifyf", own___fpclassifyf(f), __fpclassifyf(f));
}
int main(void)
{
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        of(numbers[i]), of(-numbers[i]);
    of(__builtin_inf()), of(-__builtin_inf()), of(__builtin_nan(""));
    return 0;
}
"#;

#[test]
fn texts_of_numbers_do_what_the_library_does() {
    let mut text = "#include <stdio.h>\n#include <string.h>\n".to_owned();
    for template in templates(include_str!("math.c")) {
        let name = &template.name;
        let header = format!("#define {name} own_{name}\n");
        let body = template.text(Setting { model: DataModel::Lp64, errno: true });
        let _ = writeln!(text, "{header}{body}\n#undef {name}");
    }
    let _ = writeln!(
        text,
        "#include <math.h>\nint __isnan(double); int __isnanf(float); int __isinf(double); int __isinff(float);\n{MATH}"
    );
    super::format::tests::run("numbers", &text);
}

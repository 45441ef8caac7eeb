//! A run that must be the only one stops where C leaves open what comes next, and nowhere else.

use crate::support::Folder;

#[track_caller]
fn ends(program: &str, options: &[&str], last: &str) {
    let folder = Folder::with("p.c", program);
    let run = folder.run(&[&["run", "p.c", "--determined"], options].concat());
    let line = run.stderr.lines().last().unwrap_or_default();
    assert!(line.contains(last), "{program}\n{}", run.stderr);
}

#[track_caller]
fn all(what: &str, bodies: &[&str]) {
    for body in bodies {
        ends(&format!("{HEAD}int main(void) {{ {body} return 0; }}"), &[], what);
    }
}

/// What the programs have in common.
const HEAD: &str = "#include <stdarg.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n
    extern void reach_error(void);
    struct S { char c; int i; }; struct B { unsigned a : 3, b : 6; };
    int a[4], b[4], n; static int next(void) { return ++n; } static int two(int x, int y) { return x - y; }
    static int set(int x) { n = x; return x; } static int *array(void) { n = 1; return a; }
    static int of_record(int x, struct S s) { return x + s.i; } struct S s; static int change(void) { return ++s.i; }
    static int padding(struct S s) { return ((char *)&s)[1]; } static struct S cleared(void) { return s; }
    static int nothing(int x) { if (x) return 1; } static long first(int n, ...) {
        va_list l; va_start(l, n); long x = va_arg(l, long); va_end(l); return x; }
    static int *dead(void) { int x = 1, *p = &x; return p; } static int leave(void) { exit(0); }\n";

#[test]
fn values_that_were_never_set() {
    all(
        "use of an uninitialised value",
        &[
            "int x; if (x) return 1;",
            "int *p = malloc(8); if (p[1]) return 1;",
            "char c[8]; int x; c[0] = 1; memcpy(&x, c, 4); if (x) return 1;",
            "char c[8], d[8]; c[0] = d[0] = 1; if (memcmp(c, d, 8)) return 1;",
            "struct S x = { 1, 2 }; if (((char *)&x)[1]) return 1;",
            "struct S x; memset(&x, 0, sizeof x); x = s; if (((char *)&x)[1]) return 1;",
            "struct S x = cleared(); if (((char *)&x)[1]) return 1;",
            "if (padding(s)) return 1;",
            "struct B x; x.a = 1; if (x.b) return 1;",
            "struct B x; x.a = 1; if (*(unsigned char *)&x) return 1;",
            "struct B x = { 1, 2 }, y = x; if (((unsigned char *)&y)[1]) return 1;",
            "long double x = 1; if (((char *)&x)[12]) return 1;",
            "union { char c; int i; } u = { 1 }; if (u.i) return 1;",
        ],
    );
    all("a function that returns no value", &["if (nothing(0)) return 1;"]);
    ends("int main(int argc, char **argv) { return argc > 1; }", &["--", "x"], "uninitialised value: argc");
}

#[test]
fn places_of_objects() {
    all(
        "a comparison of addresses",
        &[
            "if (a < b) return 1;",
            "if (a - b == 8) return 1;",
            "if (a + 4 == b) return 1;",
            "char *p = malloc(8), *q = malloc(8); if (p < q) return 1;",
            "char *p = malloc(8); free(p); char *q = malloc(8); if (p == q) return 1;",
            "char *p = malloc(8), *q = realloc(p, 9); if (p == q) return 1;",
            "char *p = \"abc\", *q = \"abc\"; if (p == q) return 1;",
            "char *p = \"xabc\", *q = \"abc\"; if (p + 1 == q) return 1;",
            "x: y: if (&&x == &&y) return 1;",
            "if (a == (int *)0x601040) return 1;",
        ],
    );
    all(
        "an address as a number",
        &["if ((uintptr_t)a >> 12 & 1) return 1;", "if ((int)(long)a % 3 == 1) return 1;"],
    );
    all(
        "a part of an address",
        &[
            "union { int *p; long n; } u; u.p = a; if (u.n % 3) return 1;",
            "int *p = a; if (((char *)&p)[1]) return 1;",
            "int *p = a; long n; memcpy(&n, &p, 8); if (n % 3) return 1;",
            "int *p = a, *q = &n, *r; memcpy(&r, &p, 4); memcpy((char *)&r + 4, (char *)&q + 4, 4); if (r == p) return 1;",
            "int *p = a; char c[8]; for (int i = 0; i < 8; i++) c[i] = ((char *)&p)[i];",
        ],
    );
    all(
        "an address outside of its object",
        &["int *p = a, i = 12; if (p[i]) return 1;", "int *p = a - 1; (void)p;"],
    );
    all(
        "whose life is over",
        &["if (dead()) return 1;", "int *p = 0; if (n == 0) p = (int[]){ 1 }; if (p[0]) return 1;"],
    );
    all("the text of an address", &["char t[40]; sprintf(t, \"%p\", (void *)a);"]);
    all(
        "an argument is taken for one of another type",
        &["if (first(1, a)) return 1;", "if (first(1, 7)) return 1;"],
    );
    all(
        "a call of a function of another type",
        &["long (*f)(void) = (long (*)(void))array; if (f()) return 1;"],
    );
}

#[test]
fn orders_of_evaluation() {
    all(
        "the order of evaluation",
        &[
            "if (two(next(), next())) return 1;",
            "int i = 1; if (i++ + i) return 1;",
            "int i = 0; a[i] = i++;",
            "int i = 0; i = i++;",
            "int i = 0; i = ((int[]){ i++ })[0];",
            "n += set(5);",
            "if (set(1) + n) return 1;",
            "int c[2] = { next(), next() }; if (c[0] == 2) return 1;",
            "if (array()[n]) return 1;",
            "if (of_record(change(), s)) return 1;",
            "int c[2], *p = c, **q = &p; *(*q)++ = (int)(p - c);",
            "if (two(n, set(3))) return 1;",
            "if (leave() + next()) return 1;",
        ],
    );
    all(
        "exit status: 0",
        &[
            "int i = 0; i = (i++, i + 1); if (i != 2) return 1;",
            "a[0] = a[1] = 3; if (a[0] + a[1] != 6) return 1;",
            "int i = 0, c[3]; c[i++] = 5; c[i++] = c[0]; if (i != 2 || c[1] != 5) return 1;",
            "char t[4] = \"abc\", u[4], *p = t, *q = u; while ((*q++ = *p++)) ; if (strcmp(t, u)) return 1;",
            "n = 0; n = set(4) + 1; if (n != 5) return 1;",
            "if (next() && next() != 2) return 1;",
            "s.i = 0; s.i = change() + 2; if (s.i != 3) return 1;",
        ],
    );
}

#[test]
fn what_is_not_promised() {
    all("the C library promises nothing", &["if (rand() == 3) return 1;", "if (getenv(\"HOME\")) return 1;"]);
    all(
        "promises the sign alone",
        &[
            "if (strcmp(\"b\", \"a\") == 1) return 1;",
            "int r = memcmp(\"b\", \"a\", 1); if (r == 1) return 1;",
        ],
    );
    all(
        "exit status: 0",
        &["if (strcmp(\"b\", \"a\") < 0 || !strcmp(\"a\", \"b\") || strcmp(\"a\", \"a\")) return 1;"],
    );
    all("an allocation", &["if (!malloc(0)) return 1;"]);
    all("a large allocation", &["if (malloc(SIZE_MAX / 2)) return 1;", "if (!malloc(1 << 29)) return 1;"]);
    all("whether output succeeds", &["if (printf(\"x\") != 1) return 1;"]);
    all("life is over", &["int *p = dead(); if (p == a) return 1;"]);
    all("a result that is not a number", &["volatile double z = 0; double x = z / z; if (x == x) return 1;"]);
    all(
        "write to read-only memory",
        &["static const int c = 5; *(int *)&c = 6;", "const int c = 5; *(int *)&c = 6;"],
    );
    all("neither 0 nor 1", &["_Bool t; memset(&t, 2, 1); if (t) return 1;"]);
    all("signed overflow", &["int x = 2147483647; x++;"]);
    ends("int abs(int x) { return 7; } int main(void) { return abs(-1); }", &[], "that the program defines");
    ends("int main(void) { double x = 1; return x > 2; }", &["--32"], "registers of the x87");
    ends("int main(void) { double x = 1; return x > 2; }", &[], "exit status: 0");
}

#[test]
fn addresses_may_be_used() {
    all(
        "exit status: 0",
        &[
            "for (int *p = a; p < a + 4; p++) *p = (int)(p - a); if (a[3] != 3) return 1;",
            "int *p = malloc(8), *q = malloc(8); if (!p || p == q || p == a) return 1; free(p); free(q);",
            "int *p = a, *q; memcpy(&q, &p, sizeof p); if (q != a || *q != 0) return 1;",
            "struct { int *p; char c; } x = { a, 1 }, y = x; if (y.p != a || y.c != 1) return 1;",
            "struct { int x, y; } *o = 0; if ((char *)&o->y - (char *)0 != 4) return 1;",
            "char *end; if (strtol(\"12x\", &end, 10) != 12 || *end != 'x') return 1;",
            "int (*f)(int, int) = two; if (f != two || f(3, 1) != 2) return 1;",
            "int *p = (int *)1; if (!p || p != (int *)1) return 1;",
            "int k = 3, v[k]; for (int i = 0; i < k; i++) v[i] = i; if (v[k - 1] != 2) return 1;",
            "struct B x; x.a = 5; x.b = 9; struct B y = x; if (y.a != 5 || y.b != 9) return 1;",
        ],
    );
}

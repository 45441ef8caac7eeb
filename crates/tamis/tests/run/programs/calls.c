/* Function pointers, recursion, variable arguments, old-style definitions. */
#include <stdio.h>
#include <stdarg.h>
#include <string.h>
struct P { int a; double b; }; struct L { long v[5]; };
static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; }
static int apply(int (*f)(int, int), int a, int b) { return f(a, b); }
static int (*pick(int k))(int, int) { return k ? add : sub; }
static long total(int n, ...) { va_list ap; va_start(ap, n); long s = 0; for (int i = 0; i < n; i++) s += va_arg(ap, int); va_end(ap); return s; }
static void mixed(const char *f, ...) { va_list ap, copy; va_start(ap, f); va_copy(copy, ap);
    for (const char *c = f; *c; c++) switch (*c) { case 'i': printf("%d ", va_arg(ap, int)); break; case 'l': printf("%lld ", va_arg(ap, long long)); break; case 'd': printf("%g ", va_arg(ap, double)); break; case 's': printf("%s ", va_arg(ap, char *)); break;
        case 'p': { struct P p = va_arg(ap, struct P); printf("%d/%g ", p.a, p.b); break; } case 'L': { struct L l = va_arg(ap, struct L); printf("%ld ", l.v[4]); break; } case 'e': printf("%Lg ", va_arg(ap, long double)); break; }
    printf("| %d\n", va_arg(copy, int)); va_end(copy); va_end(ap); }
static int vlog(const char *f, va_list ap) { return vprintf(f, ap); } static int logf2(const char *f, ...) { va_list ap; va_start(ap, f); int n = vlog(f, ap); va_end(ap); return n; }
static int old(a, b, c) int a; char b; float c; { return a + b + (int)(c * 2); }
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int odd(unsigned); static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); } static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int vla(int n, int m[n][n]) { int s = 0; for (int i = 0; i < n; i++) s += m[i][i]; return s; }
static int count(void) { static int n = 10; return n++; }
int main(void) {
    printf("%d %d %d\n", apply(add, 3, 4), apply(&sub, 3, 4), (*pick(0))(9, 1)); int (*tab[])(int, int) = { add, sub }; for (int i = 0; i < 2; i++) printf("%d ", tab[i](10, i)); printf("%d\n", tab[0] == add);
    printf("%ld %ld\n", total(0), total(5, 1, 2, 3, 4, -100)); mixed("ildspi", 1, 2LL, 3.5, "four", (struct P){ 5, 6.5 }, 7); mixed("iLeddddddddddliiiiiiii", 1, (struct L){ { 0, 0, 0, 0, 9 } }, 2.5L, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11LL, 1, 2, 3, 4, 5, 6, 7, 8);
    printf("%d\n", logf2("%d %s %5.2f|%-6d|%06x %c%%\n", 42, "str", 3.14159, 7, 0xabc, 'z')); printf("%d\n", old(1, 2, 3.5)); printf("%d %d %d\n", ack(2, 3), even(10), odd(7)); count(); count(); printf("%d\n", count());
    int m[3][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } }; printf("%d\n", vla(3, m)); int n = 4; for (int r = 1; r < n; r++) { int a[r]; for (int i = 0; i < r; i++) a[i] = i + r; printf("%d/%zu ", a[r - 1], sizeof a / sizeof *a); } printf("\n"); return 0;
}

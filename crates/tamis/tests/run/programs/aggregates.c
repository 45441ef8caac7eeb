/* Structs, unions, arrays: initialisers, copies, passing and returning. */
#include <stdio.h>
#include <stddef.h>
struct P { int x, y; };
struct Q { char tag; struct P p[3]; union { long l; char c[8]; double d; } u; short s; };
struct Big { int v[40]; };
struct Empty { };
static struct Q table[] = { { 'a', { { 1, 2 }, { 3 } }, { .c = "hi" }, 9 }, [2] = { .tag = 'c', .p[1].y = 7, .u.d = 1.5 }, { 'd' } };
static int matrix[3][4] = { { 1 }, { 2, 3 }, [2][3] = 9 };
static const char *names[] = { "zero", "one", [4] = "four" };
static char text[] = "text", cut[3] = "abcdef", padded[8] = "ab";
static struct P *where = &table[2].p[1]; static int *inner = &matrix[1][1]; static char *mid = text + 2;
struct Flex { int n; int data[]; }; static struct Flex flex = { 3, { 10, 20, 30 } };
static struct P add(struct P a, struct P b) { a.x += b.x; a.y += b.y; return a; }
static struct Big fill(int k) { struct Big b; for (int i = 0; i < 40; i++) b.v[i] = i * k; return b; }
static int sum(struct Big b, int scale) { int s = 0; for (int i = 0; i < 40; i++) s += b.v[i] * scale; b.v[0] = 99; return s; }
static struct Q change(struct Q q) { q.tag++; q.p[0].x = -1; q.u.l = 5; return q; }
static struct P *anon(void) { static struct P p; p.x++; return &p; }
int main(void) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        printf("%d %d %d %d %d %d\n", table[i].tag, table[i].p[0].x, table[i].p[0].y, table[i].p[1].x, table[i].p[1].y, table[i].s);
    printf("%s %g %d %d %s\n", table[0].u.c, table[2].u.d, matrix[1][1], matrix[2][3], names[4]); printf("%d %d %c %d\n", names[2] == 0, where->y, *mid, *inner);
    printf("%zu %zu %zu %zu\n", sizeof text, sizeof cut, sizeof(struct Q), offsetof(struct Q, u)); printf("%c%c%c %d\n", cut[0], cut[1], cut[2], padded[7]);
    struct P a = { 1, 2 }, b = { .y = 5 }, c; c = add(a, b); printf("%d %d %d\n", c.x, c.y, a.x); printf("%d\n", add(c, (struct P){ 10, 20 }).y);
    struct Big big = fill(3); printf("%d %d %d\n", sum(big, 2), big.v[0], fill(2).v[7]);
    struct Q q = change(table[0]); printf("%c %d %ld %d %c\n", q.tag, q.p[0].x, q.u.l, q.p[1].x, table[0].tag);
    struct P arr[4] = { a, b, [3] = c }; struct P (*pa)[4] = &arr; printf("%d %d %d\n", (*pa)[3].x, arr[2].x, (int)(&arr[3] - arr)); arr[1] = arr[2] = arr[0]; printf("%d %d\n", arr[1].y, arr[2].y);
    struct P *lit = (struct P[]){ { 7, 8 }, { 9, 10 } }; printf("%d\n", lit[1].x + (&(struct P){ 3, 4 })->y); anon()->y = 4; anon(); printf("%d\n", anon()->x); printf("%d\n", anon()->y);
    for (int i = 0; i < 3; i++) { int *once = (int[]){ i, i * 2 }; printf("%d ", once[1]); int z[3] = { i }; z[1] += i; printf("%d%d%d ", z[0], z[1], z[2]); } printf("\n");
    int n = 0; for (int i = 0; i < flex.n; i++) n += flex.data[i]; printf("%d %zu %zu\n", n, sizeof(struct Empty), sizeof flex);
    struct { struct P p; int k; } nest = { a, 4 }, nest2 = nest; nest2.p.x = 50; printf("%d %d %d\n", nest.p.x, nest2.p.x, nest2.k); int cond = n; printf("%d\n", (cond ? a : b).y); printf("%d\n", ({ struct P t = b; t.y *= 2; t; }).y);
    return 0;
}

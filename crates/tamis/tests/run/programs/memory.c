/* Unions, type punning, volatile, static and nested scopes, alloca, overlapping lifetimes. */
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
union V { int i; float f; unsigned char b[8]; struct { short lo, hi; } s; long long l; };
static volatile int vol = 3; extern int late; static int *ptr = &late; int late = 11; int tentative; int tentative;
typedef struct tree { int key; struct tree *kids[2]; } tree;
static tree *insert(tree *t, int key) { if (!t) { t = calloc(1, sizeof *t); t->key = key; } else { tree **k = &t->kids[key > t->key]; *k = insert(*k, key); } return t; }
static int walk(const tree *t, int *out, int n) { if (t) { n = walk(t->kids[0], out, n); out[n++] = t->key; n = walk(t->kids[1], out, n); } return n; }
static void drop(tree *t) { if (t) { drop(t->kids[0]); drop(t->kids[1]); free(t); } }
static int depth(int n) { char pad[64]; memset(pad, n, sizeof pad); return n ? depth(n - 1) + pad[5] : 0; }
int main(void) {
    union V v = { .l = 0 }; v.f = 1.0f; printf("%x %d %d\n", v.i, v.b[3], v.s.hi); v.s.lo = -1; printf("%x\n", v.i); union V w = v; w.b[0] = 7; printf("%x %x\n", v.i, w.i); vol += 4; printf("%d %d %d\n", vol, *ptr, tentative);
    char *p = alloca(10); strcpy(p, "stack"); puts(p); tree *t = 0; unsigned r = 12345; for (int i = 0; i < 50; i++) { r = r * 1103515245 + 12345; t = insert(t, r >> 16 & 255); } int out[50]; int n = walk(t, out, 0); for (int i = 0; i < n; i++) printf("%d ", out[i]); printf("\n"); drop(t); printf("%d\n", depth(200));
    int x = 1; { int x = 2; { extern int late; int x = late; printf("%d ", x); } printf("%d ", x); } printf("%d\n", x); static int s[3] = { 1, 2 }; s[2] += s[1]++; printf("%d %d\n", s[1], s[2]); char **grid = malloc(3 * sizeof *grid); for (int i = 0; i < 3; i++) { grid[i] = malloc(4); memset(grid[i], 'a' + i, 3); grid[i][3] = 0; } for (int i = 0; i < 3; i++) { printf("%s ", grid[i]); free(grid[i]); } free(grid); printf("\n");
    struct { int a; char b; } src = { 5, 'q' }, dst; memcpy(&dst, &src, sizeof dst); printf("%d %c %d\n", dst.a, dst.b, memcmp(&src, &dst, sizeof(int))); int *q = malloc(0); free(q); free(NULL); int m[4][5][6]; int k = 0; for (int a = 0; a < 4; a++) for (int b = 0; b < 5; b++) for (int c = 0; c < 6; c++) m[a][b][c] = k++; printf("%d %d %zu\n", m[3][4][5], *(*(*(m + 1) + 2) + 3), sizeof m[0]); return tentative;
}

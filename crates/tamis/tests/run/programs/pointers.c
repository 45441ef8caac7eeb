/* Pointer arithmetic, comparison, conversion; pointers to pointers, to arrays and into objects of other types. */
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct N { int v; struct N *next; };
static struct N *push(struct N *l, int v) { struct N *n = malloc(sizeof *n); n->v = v; n->next = l; return n; }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static int g[5] = { 1, 2, 3, 4, 5 };
int main(void) {
    int *p = g, *q = g + 4; printf("%d %d %d\n", (int)(q - p), p < q, q[-1]); p += 2; printf("%d\n", *p); printf("%d\n", *--p); printf("%d\n", *p++); printf("%d %d\n", *p, 2[g]);
    int **pp = &p; **pp = 30; printf("%d\n", g[2]); *pp = q; printf("%d\n", *p); swap(&g[0], &g[4]); printf("%d %d\n", g[0], g[4]);
    int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; int (*row)[3] = m; printf("%d %d %d\n", row[1][2], *(*(m + 1) + 1), (int)sizeof *row); row++; printf("%d\n", (*row)[0]);
    unsigned x = 0x11223344; unsigned char *c = (unsigned char *)&x; printf("%x %x %x %x\n", c[0], c[1], c[2], c[3]); c[3] = 0; printf("%x\n", x); *(unsigned short *)c = 0xbeef; printf("%x\n", x);
    uintptr_t i = (uintptr_t)&g[1]; printf("%d %d\n", *(int *)i, *(int *)(i + 4)); printf("%d %d\n", (void *)0 == NULL, !p); float f = 1.5f; uint32_t bits; memcpy(&bits, &f, 4); printf("%x\n", bits);
    struct N *l = 0; for (int k = 0; k < 5; k++) l = push(l, k * k); int s = 0; for (struct N *n = l; n; n = n->next) s = s * 10 + n->v; printf("%d\n", s); while (l) { struct N *n = l->next; free(l); l = n; }
    char buf[16] = "hello"; char *e = buf; while (*e) e++; printf("%d\n", (int)(e - buf)); for (char *a = buf, *b = e - 1; a < b; a++, b--) { char t = *a; *a = *b; *b = t; } puts(buf);
    int *h = calloc(4, sizeof(int)); h[3] = 7; h = realloc(h, 8 * sizeof(int)); h[7] = 1; printf("%d %d\n", h[3], h[7]); free(h); char d[4]; char *src = "xyz"; char *dst = d; while ((*dst++ = *src++)) ; puts(d);
    const char *strs[] = { "a", "bb", "ccc", 0 }; int len = 0; for (const char **t = strs; *t; t++) len += strlen(*t); printf("%d\n", len); long long big = -2; int *lowhalf = (int *)&big; printf("%d %d\n", lowhalf[0], lowhalf[1]);
    return 0;
}

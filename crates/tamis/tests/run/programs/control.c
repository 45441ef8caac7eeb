/* goto, switch, loops, computed goto, statement expressions, short circuit. */
#include <stdio.h>
static int calls; static int t(int v) { calls++; return v; }
static int duff(char *to, const char *from, int n) { int r = 0; switch (n % 4) { case 0: do { *to++ = *from++; r++; case 3: *to++ = *from++; r++; case 2: *to++ = *from++; r++; case 1: *to++ = *from++; r++; } while ((n -= 4) > 0); } return r; }
static int sw(long long v) { switch (v) { case -1: return 1; case 0 ... 9: return 2; case 1LL << 40: return 3; case 100: v++; case 101: return (int)v; default: return -1; } }
static int machine(const char *code) {
    static void *ops[] = { &&inc, &&dbl, &&neg, &&halt }; int acc = 1; goto *ops[*code++ - '0'];
inc: acc++; goto *ops[*code++ - '0'];
dbl: acc *= 2; goto *ops[*code++ - '0'];
neg: acc = -acc; goto *ops[*code++ - '0'];
halt: return acc; }
int main(void) {
    char buf[12] = { 0 }; printf("%d %s\n", duff(buf, "abcdefghi", 9), buf);
    printf("%d %d %d %d %d %d\n", sw(-1), sw(5), sw(1LL << 40), sw(100), sw(101), sw(7777));
    printf("%d\n", machine("00112013"));
    int i = 0, s = 0; again: if (i < 10) { s += i++; if (i == 5) goto skip; goto again; } goto done; skip: s += 1000; goto again; done: printf("%d\n", s);
    for (i = 0; i < 10; i++) { if (i == 3) continue; if (i == 7) break; s += i; } printf("%d %d\n", i, s); do { s -= 100; if (s % 3 == 0) continue; } while (s > 0); printf("%d\n", s);
    printf("%d %d\n", t(0) && t(1), t(1) || t(0)); printf("%d\n", calls); printf("%d %d\n", t(2) ? t(3) : t(4), t(5) ?: t(6)); printf("%d\n", calls);
    int v = ({ int a = 3; for (int k = 0; k < 4; k++) a *= 2; a; }); printf("%d\n", v); int w = ({ if (v > 10) goto out; 5; }); printf("no %d\n", w); out: printf("out\n");
    { int k = 0; loop: { int fresh = k * 2; printf("%d ", fresh); if (++k < 3) goto loop; } printf("\n"); } switch (2) { int hidden; case 1: hidden = 1; case 2: hidden = 4; printf("%d\n", hidden); } 
    for (int a = 0; a < 3; a++) for (int b = 0;; b++) { if (b > a) break; switch (b) { case 0: continue; case 1: break; default: goto end; } printf("[%d%d]", a, b); } end: printf("\n"); unsigned char u = 0; while (--u) if (u < 250) break; printf("%d\n", u); return (1, 2, 3);
}

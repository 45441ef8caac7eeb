/* Layout, extension and stores of bit-fields. */
#include <stdio.h>
#include <string.h>
struct A { int a : 3; unsigned b : 5; int c : 17; unsigned d : 9; };
struct B { char a; int b : 4; long long c : 40; unsigned char d : 1; int : 0; short e : 7; };
struct C { unsigned a : 1; unsigned : 6; unsigned b : 2; signed char c : 8; _Bool d : 1; };
struct __attribute__((packed)) D { unsigned a : 3; unsigned b : 30; char c; unsigned long long d : 60; };
union U { struct { unsigned lo : 12, mid : 12, hi : 8; } f; unsigned w; unsigned char bytes[4]; };
static struct A ga = { -1, 17, -65536, 300 };
static void dump(const void *p, unsigned n) { const unsigned char *q = p; for (unsigned i = 0; i < n; i++) printf("%02x", q[i]); printf("\n"); }
int main(void) {
    struct A a; struct B b; struct C c; struct D d; union U u;
    printf("%zu %zu %zu %zu %zu\n", sizeof a, sizeof b, sizeof c, sizeof d, sizeof u);
    printf("%d %u %d %u\n", ga.a, ga.b, ga.c, ga.d); dump(&ga, sizeof ga);
    memset(&a, 0, sizeof a); a.a = 5; a.b = 33; a.c = 123456; a.d = 513; printf("%d %u %d %u\n", a.a, a.b, a.c, a.d); dump(&a, sizeof a);
    int r = (a.a = 7); printf("%d\n", r); r = a.a++; printf("%d %d\n", r, a.a); r = ++a.b; printf("%d %u\n", r, a.b); a.c -= 70000; printf("%d\n", a.c); a.d *= 3; printf("%u\n", a.d);
    memset(&b, 0xff, sizeof b); b.a = 1; b.b = 7; b.c = -123456789012LL; b.d = 0; b.e = 63; printf("%d %d %lld %d %d\n", b.a, b.b, (long long)b.c, b.d, b.e);
    b.b += 5; b.c <<= 3; b.e++; printf("%d %lld %d\n", b.b, (long long)b.c, b.e); dump(&b, sizeof b);
    memset(&c, 0, sizeof c); c.a = 3; c.b = 2; c.c = 200; c.d = 2; printf("%d %d %d %d\n", c.a, c.b, c.c, c.d); dump(&c, sizeof c);
    memset(&d, 0, sizeof d); d.a = 6; d.b = 0x3fffffff; d.c = 'z'; d.d = 0x0fedcba987654321ULL; printf("%u %u %c %llx\n", d.a, d.b, d.c, (unsigned long long)d.d); dump(&d, sizeof d);
    u.w = 0; u.f.mid = 0xabc; u.f.hi = 0x7f; u.f.lo = u.f.mid >> 4; printf("%x %x %x %x\n", u.w, u.f.lo, u.bytes[1], u.bytes[3]);
    struct A e = a; e.a = 0; printf("%d %d\n", e.c == a.c, a.a); if (e.a - 1 < 0) puts("signed"); if (e.b - 100 < 0) puts("promoted");
    struct { unsigned x : 31; unsigned y : 32; } w = { 0, 0 }; printf("%d %d\n", w.x - 1 < 0, w.y - 1 < 0);
    return 0;
}

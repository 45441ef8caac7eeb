/* __int128 and the builtins on bits. */
#include <stdio.h>
#if __SIZEOF_INT128__
static __int128 a = 1; static unsigned __int128 b = 3;
static void show(unsigned __int128 v) { printf("%016llx%016llx\n", (unsigned long long)(v >> 64), (unsigned long long)v); }
static __int128 mul(__int128 x, __int128 y) { return x * y; }
static void wide(void) {
    a <<= 100; show(a); a -= 5; show(a); show(a / 7); show(a % 1000003); show(-a / 7); show(-a >> 64); show((unsigned __int128)-a >> 64); b = ~b; show(b); show(b / 10); show(b * b); show(mul(a, -3)); printf("%d %d %d\n", a < 0, -a < 0, a > b);
    show((__int128)-1LL); show((unsigned long long)-1); show(1.5e30); printf("%g %d %lld\n", (double)a, (int)a, (long long)-a); a++; --b; show(a); show(b); __int128 arr[2] = { 7, -7 }; show(arr[1]); printf("%d %d\n", !arr[0], arr[1] ? 1 : 2); struct { char c; __int128 v; } s = { 1, 2 }; printf("%zu\n", sizeof s); show(s.v += a); show(a ^ b); show(a | 1); show(a & b);
}
#else
static void wide(void) { }
#endif
int main(void) {
    wide(); unsigned x = 0x00f0; unsigned long long y = 1ULL << 40; printf("%d %d %d %d %d\n", __builtin_clz(x), __builtin_ctz(x), __builtin_popcount(x), __builtin_ffs(x), __builtin_parity(x)); printf("%d %d %d %d\n", __builtin_clzll(y), __builtin_ctzll(y), __builtin_popcountll(y - 1), __builtin_clrsb(-1));
    printf("%x %x %llx\n", __builtin_bswap16(0x1234), __builtin_bswap32(0x12345678), __builtin_bswap64(0x123456789abcdefULL)); int r; long long l; unsigned char c; printf("%d ", __builtin_add_overflow(2147483647, 1, &r)); printf("%d ", r); printf("%d ", __builtin_mul_overflow(1LL << 40, 1LL << 30, &l)); printf("%lld ", l); printf("%d ", __builtin_sub_overflow(1, 2, &c)); printf("%d\n", c); printf("%d %d\n", __builtin_expect(r, 1) == r, __builtin_constant_p(3)); return 0;
}

#include <assert.h>

extern int __VERIFIER_nondet_int(void);
typedef int v4 __attribute__((vector_size(16)));
typedef unsigned u4 __attribute__((vector_size(16)));
typedef short v8 __attribute__((vector_size(16)));
typedef long long v2 __attribute__((vector_size(16)));
typedef unsigned char v16 __attribute__((vector_size(16)));

struct pair { int first; v4 rest; };

v4 global = { 1, 2, 3, 4 };
v4 table[2] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } };
struct pair pair = { 7, { 9, 8, 7, 6 } };
int calls;

static v4 sum(v4 a, v4 b)
{
    return a + b;
}

static v4 *second(void)
{
    calls++;
    return &table[1];
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 1000)
        return 0;
    v4 a = { x, x + 1, x + 2, x + 3 }, b = sum(a, global);
    assert(b[0] == x + 1 && b[3] == x + 7);
    v4 c = a * 2 - b;
    assert(c[1] == x - 1);
    v4 mask = a < b;
    assert(mask[0] == -1 && (a > b)[2] == 0);
    assert(((a & mask) | (b & ~mask))[2] == x + 2);
    u4 halves = (u4)a;
    halves >>= 1;
    assert(halves[0] == (unsigned)x / 2);
    a[x & 3] = 42;
    assert(a[x & 3] == 42);
    v8 shorts = (v8)global;
    v2 longs = (v2)global;
    assert(shorts[0] == 1 && shorts[1] == 0 && shorts[2] == 2 && longs[0] == (2LL << 32 | 1));
    *second() += 10;
    assert(calls == 1 && table[1][3] == 18);
    v4 old = table[0]++;
    assert(old[0] == 1 && table[0][0] == 2);
    v4 r = __builtin_shuffle(global, (v4){ 3, 2, 5, 0 });
    assert(r[0] == 4 && r[2] == 2 && r[3] == 1);
    r = __builtin_shuffle(global, table[1], (v4){ 0, 4, 1, 7 });
    assert(r[0] == 1 && r[1] == 15 && r[2] == 2 && r[3] == 18);
    r = __builtin_shufflevector(global, table[1], 0, 5, 2, 7);
    assert(r[1] == 16 && (-r)[0] == -1 && (~r)[0] == -2 && (5 - r)[2] == 2 && (1 << r)[2] == 8);
    v16 bytes = { 200, 100 };
    bytes += bytes;
    assert(bytes[0] == 144 && bytes[1] == 200 && bytes[2] == 0);
    assert(pair.rest[0] == 9 && (pair.rest + 1)[1] == 9);
    assert(sizeof(v4) == 16 && _Alignof(v4) == 16);
    int *first = (int *)&global;
    first[3] = 5;
    assert(global[3] == 5);
    return 0;
}

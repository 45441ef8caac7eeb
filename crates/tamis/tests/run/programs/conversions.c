/* Promotions, conversions and wrap-around of every integer type. */
#include <stdio.h>
#include <limits.h>
#include <stdint.h>
#define SHOW(e) printf("%s = %lld\n", #e, (long long)(e))
static signed char sc = -128;
static unsigned char uc = 255;
static short ss = -32768;
static unsigned short us = 65535;
static int si = INT_MIN;
static unsigned ui = UINT_MAX;
static long sl = LONG_MIN;
static unsigned long ul = ULONG_MAX;
static long long sll = LLONG_MIN;
static unsigned long long ull = ULLONG_MAX;
static _Bool b = 7;
enum color { RED = -1, GREEN, BLUE = 1000000 };
int main(void) {
    SHOW(sc + uc); SHOW(sc - 1); SHOW((signed char)(sc - 1)); SHOW((unsigned char)(uc + 1)); SHOW(uc << 4);
    SHOW(ss * us); SHOW(us * us); SHOW((short)us); SHOW((unsigned short)ss); SHOW(-ss); SHOW(~us);
    SHOW(si - 1); SHOW(-si); SHOW(si / 2); SHOW(si % 7); SHOW(si >> 3); SHOW(ui >> 3); SHOW(ui + 1); SHOW(si < ui); SHOW(-1 < 0u);
    SHOW(-1 < (unsigned short)0); SHOW(sl < ui); SHOW(sl + ul); SHOW(ul > sll); SHOW(sll - 1); SHOW(ull + 1); SHOW(sll >> 63); SHOW(ull >> 63);
    SHOW((int)ull); SHOW((long)ui); SHOW((long long)ui); SHOW((unsigned long long)si); SHOW((unsigned)sll);
    SHOW(b); SHOW(b + b); SHOW((_Bool)256); SHOW((_Bool)0.5); SHOW((_Bool)&b); SHOW(!ui); SHOW(!!ui);
    SHOW(RED < 0); SHOW(BLUE); SHOW(sizeof(enum color)); SHOW((enum color)3);
    SHOW(sizeof(char)); SHOW(sizeof(short)); SHOW(sizeof(int)); SHOW(sizeof(long)); SHOW(sizeof(long long)); SHOW(sizeof(void *));
    SHOW(sizeof(long double)); SHOW('\377'); SHOW('ab'); SHOW(1 ? -1 : 0u); SHOW((1 ? -1 : 0u) < 0);
    sc++; SHOW(sc); sc = 127; sc++; SHOW(sc); uc++; SHOW(uc); us--; SHOW(us); b++; SHOW(b); b--; SHOW(b); b--; SHOW(b);
    sc = 100; sc += 100; SHOW(sc); uc = 200; uc *= 3; SHOW(uc); us = 1; us <<= 15; us <<= 1; SHOW(us); ss = -7; ss /= 2; SHOW(ss); ss %= 2; SHOW(ss);
    si = 1; si += 0.75; SHOW(si); si *= 2.6; SHOW(si); ui = 5; ui -= 10; SHOW(ui); b = 0; b |= 4; SHOW(b); ull = 1; ull <<= 40; SHOW(ull); sll = -5; sll /= 2u; SHOW(sll);
    SHOW((int8_t)0x80 == -128); SHOW((uint16_t)-1 == 0xffff); SHOW(0x80000000 > 0); SHOW(2147483648 > 0); SHOW(-2147483647 - 1);
    SHOW((char)200); SHOW((unsigned char)(char)200); SHOW(5 % -3); SHOW(-5 % 3); SHOW(-5 / 3); SHOW(5u % -3); SHOW(-8 >> 1); SHOW(1 << 30 << 1);
    return 0;
}

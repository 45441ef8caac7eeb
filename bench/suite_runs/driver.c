/* Linked to a program of a suite to see what it does: the verdict's words as functions that tell of themselves on stderr. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void tell(const char *what)
{
    if (write(2, "suite: ", 7) < 0 || write(2, what, strlen(what)) < 0 || write(2, "\n", 1) < 0)
        _exit(120);
}

static void violation(void)
{
    tell("violation");
    _exit(121);
}

__attribute__((weak)) void reach_error(void) { violation(); }
__attribute__((weak)) void __VERIFIER_error(void) { violation(); }
void __assert_fail(const char *e, const char *f, unsigned l, const char *n) { violation(); }
__attribute__((weak)) void assert(int c) { if (!c) violation(); }
__attribute__((weak)) void __VERIFIER_assume(int c)
{
    if (!c) {
        tell("assumption");
        _exit(122);
    }
}

/* What wrapped programs come to: their normal end, a status that is an error. */
void suite_end(void)
{
    tell("end");
    _exit(0);
}
void suite_error(void) { violation(); }

/* Seed 0 makes all inputs 0, seed 1 makes them 1; others mix small values, extreme ones and any. */
void suite_input(void *value, int kind, unsigned long size)
{
    static uint64_t seed, state, told;
    if (!told) {
        const char *given = getenv("SUITE_SEED");
        seed = given ? strtoull(given, 0, 10) : 0;
        state = seed * 0x9e3779b97f4a7c15u + 1;
        told = 1;
        tell("input");
    }
    uint64_t any[2];
    for (int i = 0; i < 2; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        any[i] = state;
    }
    uint64_t choice = any[1] >> 60, small = any[0] % 5, v = any[0];
    if (seed < 2)
        v = seed;
    else if (choice < 6)
        v = small;
    else if (choice < 9)
        v = any[0] % 200;
    else if (choice < 10)
        v = -small;
    else if (choice < 12)
        v = (size < 8 ? (uint64_t)1 << (size * 8 - 1) : (uint64_t)1 << 63) - small;
    if (kind == 1)
        *(_Bool *)value = v & 1;
    else if (kind == 2)
        *(float *)value = (float)(int64_t)v;
    else if (kind == 3)
        *(double *)value = (double)(int64_t)v;
    else
        for (unsigned long i = 0; i < size; i++)
            ((char *)value)[i] = i < 8 ? (char)(v >> (8 * i)) : (char)0;
}

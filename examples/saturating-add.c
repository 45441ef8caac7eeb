/* A volume control adds steps of either sign and must stay at its limits instead of wrapping around. The test for
   overflow has to be made before the addition, not on its result.

       tamis check saturating-add.c                proves it
       tamis check saturating-add.c -D TOO_LATE    finds two inputs that make a loud thing silent */

#include <assert.h>

extern signed char __VERIFIER_nondet_schar(void);

#define MAX 127
#define MIN (-128)

static signed char add(signed char a, signed char b)
{
#ifdef TOO_LATE
    signed char sum = a + b;
    if (sum > MAX)
        return MAX;
    if (sum < MIN)
        return MIN;
    return sum;
#else
    if (b > 0 && a > MAX - b)
        return MAX;
    if (b < 0 && a < MIN - b)
        return MIN;
    return a + b;
#endif
}

int main(void)
{
    signed char volume = 0;

    for (;;) {
        signed char step = __VERIFIER_nondet_schar();
        signed char louder = add(volume, step);
        if (step >= 0)
            assert(louder >= volume);
        else
            assert(louder <= volume);
        volume = louder;
    }
}

#include <string.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int array[6] = { 0, 1, 2, 3, 4 };
    unsigned at = __VERIFIER_nondet_uint(), up = __VERIFIER_nondet_uint() & 1;
    if (at > 4)
        return 0;
    if (up) {
        memmove(array + at + 1, array + at, (5 - at) * sizeof *array);
        for (unsigned i = 0; i < 6; i++)
            if (i != at && array[i] != (int)(i > at ? at : i))
                reach_error();
    } else {
        memmove(array + at, array + at + 1, (4 - at) * sizeof *array);
        for (unsigned i = 0; i < 4; i++)
            if (array[i] != (int)(i < at ? i : i + 1))
                reach_error();
    }
    return 0;
}

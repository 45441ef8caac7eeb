/* The bug that sat in binary searches for decades: near INT_MAX, lo + hi wraps around, and the midpoint is negative.

       tamis check midpoint.c                 finds it
       tamis check midpoint.c -D FIXED        proves that it is gone */

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#ifdef FIXED
#define MIDPOINT(lo, hi) ((lo) + ((hi) - (lo)) / 2)
#else
#define MIDPOINT(lo, hi) (((lo) + (hi)) / 2)
#endif

int main(void)
{
    /* We search among any number of elements. */
    int lo = 0;
    int hi = __VERIFIER_nondet_int();
    if (hi < 0)
        return 0;

    while (lo < hi) {
        int mid = MIDPOINT(lo, hi);
        assert(lo <= mid && mid < hi);
        /* Is what we look for behind the middle? */
        if (__VERIFIER_nondet_int())
            lo = mid + 1;
        else
            hi = mid;
    }
    return 0;
}

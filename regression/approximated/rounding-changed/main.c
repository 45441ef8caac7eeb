#include <fenv.h>

extern void reach_error(void);

int main(void)
{
    volatile double third = 1.0, three = 3.0;
    fesetround(FE_UPWARD);
    double up = third / three;
    fesetround(FE_TONEAREST);
    if (up != third / three)
        reach_error();
    return 0;
}

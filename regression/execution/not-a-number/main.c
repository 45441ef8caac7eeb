#include <string.h>

extern void reach_error(void);

// Whether the sign of what is not a number is set depends on who computes it: the machine, or the compiler.
int main(void) {
    volatile double zero = 0;
    double none = zero / zero;
    unsigned long bits;
    memcpy(&bits, &none, sizeof bits);
    if (!(bits >> 63))
        reach_error();
    return 0;
}

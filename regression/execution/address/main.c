#include <stdint.h>

extern void reach_error(void);

int object;

// In the interpreter's memory this holds. In others it need not.
int main(void) {
    if ((uintptr_t)&object % 4096 == 3)
        reach_error();
    return 0;
}

#include <setjmp.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
jmp_buf buffer;

static void leave(int x)
{
    if (x > 3)
        longjmp(buffer, 1);
}

int main(void)
{
    int *volatile block = malloc(sizeof(int));
    if (setjmp(buffer) == 0) {
        leave(__VERIFIER_nondet_int());
        *block = 1;
    }
    free(block);
    return 0;
}

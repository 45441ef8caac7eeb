#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int *stack[2], top;

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 2)
        return 0;
    while (top < n) {
        int *p = malloc(sizeof *p);
        stack[top++] = p;
    }
    while (top > 1)
        free(stack[--top]);
    return 0;
}

#include <string.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char a[] = "a", c[] = "c";
    int order = strcmp(a, c);
    if (order < 0 && __VERIFIER_nondet_int() == 7)
        reach_error();
    return 0;
}

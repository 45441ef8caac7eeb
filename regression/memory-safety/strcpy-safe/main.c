#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char a[4];
    strcpy(a, __VERIFIER_nondet_int() ? "12" : "123");
    return 0;
}

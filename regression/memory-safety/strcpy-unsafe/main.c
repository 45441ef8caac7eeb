#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char a[4];
    strcpy(a, __VERIFIER_nondet_int() ? "12" : "1234");
    return 0;
}

#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char a[16] = "1234567";
    int n = __VERIFIER_nondet_int();
    if (n == 4 || n == 5)
        memmove(a, a + 4, n);
    return 0;
}

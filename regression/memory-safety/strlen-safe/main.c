#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char a[4] = { 'a', 'b', 'c', 0 };
    if (__VERIFIER_nondet_int())
        a[3] = 0;
    return strlen(a) > 3;
}

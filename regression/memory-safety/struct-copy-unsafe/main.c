#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct pair { int a, b; };

int main(void)
{
    struct pair *p = malloc(4), q;
    p->a = __VERIFIER_nondet_int();
    q = *p;
    free(p);
    return q.a;
}

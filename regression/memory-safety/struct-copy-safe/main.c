#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct pair { int a, b; };

int main(void)
{
    struct pair *p = malloc(sizeof *p), q;
    p->a = __VERIFIER_nondet_int();
    p->b = 2;
    q = *p;
    free(p);
    return q.a;
}

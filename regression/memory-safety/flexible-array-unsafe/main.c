#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct message { int length; char text[]; };

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 50)
        return 0;
    struct message *m = malloc(sizeof *m + n);
    m->length = n;
    m->text[m->length + 0] = 0;
    free(m);
    return 0;
}

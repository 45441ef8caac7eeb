extern void *malloc(__SIZE_TYPE__);
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct block { unsigned length; int owner; char text[1]; };

int main(void)
{
    for (int i = 0; i < 2; i++) {
        unsigned n = __VERIFIER_nondet_uint();
        if (n < 1 || n > 200000)
            return 0;
        struct block *b = malloc(sizeof *b + n);
        b->length = n;
        b->owner = i;
        unsigned at = __VERIFIER_nondet_uint();
        if (at < n)
            b->text[at] = 1;
        if (n > 150000 && b->length == n)
            reach_error();
    }
    return 0;
}

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void *malloc(__SIZE_TYPE__);

struct string { char *owner; unsigned long length; unsigned char bytes[1]; };

int main(void)
{
    unsigned long n = __VERIFIER_nondet_uint();
    if (n > 1000)
        return 0;
    struct string *s = malloc(sizeof *s + n);
    char owner;
    s->owner = &owner;
    s->length = n;
    s->bytes[n] = 0;
    unsigned i = __VERIFIER_nondet_uint();
    if (i < n)
        s->bytes[i] = __VERIFIER_nondet_uchar();
    if (s->owner != &owner || s->length != n || s->bytes[s->length] != 0)
        reach_error();
    return 0;
}

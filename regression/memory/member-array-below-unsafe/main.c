extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void *malloc(__SIZE_TYPE__);

struct string { unsigned long length; char pad; unsigned char bytes[]; };

int main(void)
{
    struct string *s = malloc(sizeof *s + 8);
    s->length = 0;
    s->pad = 0;
    unsigned char *at = s->bytes;
    int i = __VERIFIER_nondet_int();
    if (i < -1 || i > 7)
        return 0;
    at[i] = 1;
    if (s->pad)
        reach_error();
    return 0;
}

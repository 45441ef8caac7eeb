extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void *memcpy(void *, const void *, __SIZE_TYPE__);

struct record { int size; char text[24]; int last; };

int main(void)
{
    struct record a = { 1, "abc", 2 }, b;
    unsigned i = __VERIFIER_nondet_uint();
    if (i >= 24)
        return 0;
    a.text[i] = 'z';
    if (__VERIFIER_nondet_int())
        memcpy(&b, &a, sizeof b);
    else
        b = a;
    if (b.text[i] != 'z' || b.size != 1 || b.last != 2)
        reach_error();
    return 0;
}

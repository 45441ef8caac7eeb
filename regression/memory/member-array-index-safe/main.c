extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct entry { char *text; int length; char name[8]; int count; };

int main(void)
{
    struct entry e = { 0, 3, "abc", 5 };
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 8)
        e.name[i] = 'x';
    if (e.length != 3 || e.count != 5 || e.text)
        reach_error();
    return 0;
}

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct entry { int id; char name[5]; char flag; };
struct table { int count; struct entry entries[3]; int end; };

static void fill(char *at, unsigned n)
{
    while (n--)
        *at++ = 'x';
}

int main(void)
{
    struct table t = { 3, { { 0 } }, 9 };
    unsigned i = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint();
    if (i >= 3 || n > 5)
        return 0;
    fill(t.entries[i].name, n);
    if (t.count != 3 || t.end != 9 || t.entries[i].id || t.entries[i].flag)
        reach_error();
    return 0;
}

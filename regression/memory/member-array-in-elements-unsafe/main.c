extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct entry { int id; char name[5]; char flag; };
struct table { int count; struct entry entries[3]; int end; };

int main(void)
{
    struct table t = { 3, { { 0 } }, 9 };
    unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
    if (i >= 3 || j >= 6)
        return 0;
    t.entries[i].name[j] = 'x';
    struct entry *e = &t.entries[i];
    if (t.count != 3 || t.end != 9 || e->id || e->flag || e->name[j] != 'x')
        reach_error();
    return 0;
}

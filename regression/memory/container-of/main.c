extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct in { int v; };
struct out { long pad; struct in member; int tail; };
int main(void)
{
    struct out o = { 1, { 2 }, 3 };
    struct in *i = &o.member;
    struct out *back = (struct out *)((char *)i - __builtin_offsetof(struct out, member));
    back->tail = 9;
    if (o.tail != 9 || back->member.v != 2) reach_error();
    return 0;
}

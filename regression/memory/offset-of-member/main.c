extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct s { int a; long b; };
int main(void)
{
    if ((unsigned long)&((struct s *)0)->b != sizeof(long)) reach_error();
    return 0;
}

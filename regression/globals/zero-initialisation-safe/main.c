extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int global;

int main(void)
{
    static long hidden;
    if (global != 0 || hidden != 0)
        reach_error();
    return 0;
}

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    if (sizeof(long) + sizeof(long long) + sizeof(int) != 20)
        reach_error();
    return 0;
}

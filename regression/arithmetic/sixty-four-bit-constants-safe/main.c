extern void reach_error(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);

int main(void)
{
    unsigned long long x = __VERIFIER_nondet_ulonglong();
    if (x == 0x123456789abcdefULL && x == 0x89abcdefULL)
        reach_error();
    return 0;
}

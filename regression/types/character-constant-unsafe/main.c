extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = (unsigned char)'\377';
    if (x > 0)
        reach_error();
    return 0;
}

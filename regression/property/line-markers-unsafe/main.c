extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
#line 100 "generated/model.y"
    int x = __VERIFIER_nondet_int();
    if (x > 5 && x < 7)
        reach_error();
    return 0;
}

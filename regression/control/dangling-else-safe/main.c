extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int x = 0;
    if (a) 
        if (b)
            x = 1;
    
        else
            x = 2;
    if (!a && x != 0)
        reach_error();
    return 0;
}

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

typedef unsigned int base;
typedef base alias;

int main(void)
{
    alias a = 70000;
    if (a != 70000)
        reach_error();
    return 0;
}

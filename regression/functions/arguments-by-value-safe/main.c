extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int x = 1;

void change(int x) { x = 2; }

int main(void)
{
    change(x);
    if (x != 1)
        reach_error();
    return 0;
}

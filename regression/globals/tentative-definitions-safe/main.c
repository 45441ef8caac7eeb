extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int shared;
extern int shared;
int shared;

int main(void)
{
    if (shared)
        reach_error();
    return 0;
}

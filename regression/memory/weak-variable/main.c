extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

__attribute__((weak)) int level = 3;
int main(void)
{
    if (level != 3) reach_error();
    return 0;
}

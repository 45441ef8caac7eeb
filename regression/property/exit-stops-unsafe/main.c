extern void exit(int status);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void inner(void) { return; }
void outer(void) { inner(); }

int main(void)
{
    outer();
    reach_error();
    return 0;
}

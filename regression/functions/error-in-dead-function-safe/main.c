extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void complain(void) { reach_error(); }
void silent(void) { }

int main(void)
{
    silent();
    return 0;
}

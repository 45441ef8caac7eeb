extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

extern void *malloc(unsigned long);
int main(void)
{
    int *last = 0;
    for (int i = 0; i < 2; i++) {
        int *p = malloc(sizeof(int));
        *p = i;
        if (last && *last == *p) reach_error();
        last = p;
    }
    return 0;
}

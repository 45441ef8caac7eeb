extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), i = 0;
    unsigned sum = 0;
    while (i < n) {
        sum += i;
        i++;
    }
    if (i > 90000 && sum == 704982704)
        reach_error();
    return 0;
}

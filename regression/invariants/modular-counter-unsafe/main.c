extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int hour = 0;
    while (1) {
        hour++;
        if (hour == 10 && __VERIFIER_nondet_int())
            hour = 0;
        if (hour == 10)
            reach_error();
    }
}

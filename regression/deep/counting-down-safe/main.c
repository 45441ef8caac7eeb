extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = 0;
    if (x < 0)
        return 0;
    while (x != 0) {
        x--;
        y++;
        if (x < 0)
            reach_error();
    }
    return 0;
}

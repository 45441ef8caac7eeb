extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 0, y = 0;
    while (__VERIFIER_nondet_int()) {
        x++;
        if (__VERIFIER_nondet_int()) {
            y++;
        } else {
            y--;
        }
        if (x != y)
            reach_error();
    }
    return 0;
}

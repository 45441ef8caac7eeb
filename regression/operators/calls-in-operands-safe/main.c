extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int ticks, tocks;

int tick(void) { return ++ticks; }
int tock(void) { return tocks += 1; }

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        if ((tick() + tock()) % 2 != 0)
            reach_error();
    }
    return 0;
}

extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int count = __VERIFIER_nondet_uchar() % 8 + 1;
    int done = 0, rounds = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { done++;
    case 3:      done++;
    case 2:      done++;
    case 1:      done++;
            } while (--rounds > 0);
    }
    if (done != count)
        reach_error();
    return 0;
}

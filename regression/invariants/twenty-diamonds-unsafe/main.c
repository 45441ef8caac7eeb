extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned int x = 0;
    for (;;) {
        if (__VERIFIER_nondet_int()) x += 2; else x -= 4;
        if (__VERIFIER_nondet_int()) x += 4; else x -= 6;
        if (__VERIFIER_nondet_int()) x += 6; else x -= 8;
        if (__VERIFIER_nondet_int()) x += 8; else x -= 10;
        if (__VERIFIER_nondet_int()) x += 10; else x -= 12;
        if (__VERIFIER_nondet_int()) x += 12; else x -= 14;
        if (__VERIFIER_nondet_int()) x += 14; else x -= 16;
        if (__VERIFIER_nondet_int()) x += 16; else x -= 18;
        if (__VERIFIER_nondet_int()) x += 18; else x -= 20;
        if (__VERIFIER_nondet_int()) x += 20; else x -= 22;
        if (__VERIFIER_nondet_int()) x += 22; else x -= 24;
        if (__VERIFIER_nondet_int()) x += 24; else x -= 26;
        if (__VERIFIER_nondet_int()) x += 26; else x -= 28;
        if (__VERIFIER_nondet_int()) x += 28; else x -= 30;
        if (__VERIFIER_nondet_int()) x += 30; else x -= 32;
        if (__VERIFIER_nondet_int()) x += 32; else x -= 34;
        if (__VERIFIER_nondet_int()) x += 34; else x -= 36;
        if (__VERIFIER_nondet_int()) x += 36; else x -= 38;
        if (__VERIFIER_nondet_int()) x += 38; else x -= 40;
        if (__VERIFIER_nondet_int()) x += 40; else x -= 42;
        if (__VERIFIER_nondet_int()) x += 100; else x -= 101;
        if (x & 1)
            reach_error();
    }
}

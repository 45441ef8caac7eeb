extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned char mask = 0x80;
    while (mask != 0) {
        if ((mask & (mask - 1)) != 0)
            reach_error();
        mask >>= 1;
        
    }
    return 0;
}

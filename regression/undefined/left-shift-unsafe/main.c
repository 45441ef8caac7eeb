extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned char byte = __VERIFIER_nondet_int();
    int word = (int)byte << 24;
    return word == 0;
}

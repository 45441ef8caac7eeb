extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct pair { char *text; int first, second; char last[8]; };

int main(void)
{
    struct pair s = {0};
    if (__VERIFIER_nondet_int())
        s.text = (char *)&s;
    if (!s.text)
        s.second = 1 << 24;
    int set = 0;
    for (unsigned i = 0; i < 24; i++)
        if (((const unsigned char *)&s)[i] != 0)
            set = 1;
    if (!set)
        reach_error();
    return 0;
}

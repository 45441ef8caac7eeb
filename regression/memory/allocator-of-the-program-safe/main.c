extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);

struct pair { int first, second; };

static void *allocate(unsigned long size)
{
    void *memory = malloc(size);
    return memory;
}

int main(void)
{
    struct pair *pair = allocate(sizeof *pair);
    unsigned char *bytes = allocate(8);
    pair->second = 7;
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 8)
        bytes[i] = 1;
    if (pair->second != 7)
        reach_error();
    return 0;
}

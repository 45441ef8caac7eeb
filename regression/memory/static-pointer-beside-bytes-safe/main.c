extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int object = 9;
static union { struct { int *pointer; char letter; } of; unsigned char bytes[16]; } value = { { &object, 'z' } };

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 8 || i > 15)
        return 0;
    if (i == 8 && value.bytes[i] != 'z')
        reach_error();
    value.bytes[i] = 1;
    if (*value.of.pointer != 9)
        reach_error();
    return 0;
}

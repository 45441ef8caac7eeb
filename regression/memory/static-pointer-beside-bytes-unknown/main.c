extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int object = 9;
static union { struct { int *pointer; char letter; } of; unsigned char bytes[16]; } value = { { &object, 'z' } };

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();
    if (i > 15)
        return 0;
    if (value.bytes[i] == 77)
        reach_error();
    value.bytes[i] = 1;
    if (*value.of.pointer != 9)
        reach_error();
    return 0;
}

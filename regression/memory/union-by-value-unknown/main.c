extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

union value { char letter; int *pointer; long number; };

static int object = 4;

static union value make(int pointer)
{
    union value value;
    value.number = 0;
    if (pointer)
        value.pointer = &object;
    else
        value.letter = 'q';
    return value;
}

static union value pick(int which, union value a, union value b)
{
    return which ? a : b;
}

int main(void)
{
    int which = __VERIFIER_nondet_int();
    union value value = pick(which, make(1), make(0));
    if (value.letter == 1)
        reach_error();
    return 0;
}

extern int __VERIFIER_nondet_int(void);

#define SIZE 50000

static int place[SIZE];

int main(void)
{
    for (int i = 0; i < SIZE; i++)
        place[i] = __VERIFIER_nondet_int();
    int wanted = __VERIFIER_nondet_int(), at = 0;
    while (place[at] != wanted)
        at++;
    return at;
}

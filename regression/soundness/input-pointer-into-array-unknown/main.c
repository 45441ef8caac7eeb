extern void reach_error(void);

extern void *__VERIFIER_nondet_pointer(void);
int row[4];

int main(void)
{
    int *p = __VERIFIER_nondet_pointer();
    row[2] = 0;
    if (p >= row && p < row + 4) {
        *p = 5;
        if (row[2] == 5)
            reach_error();
    }
    return 0;
}

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[3][5], b[3][5];
    int rows = __VERIFIER_nondet_int(), columns = __VERIFIER_nondet_int();
    if (rows < 1 || rows > 3 || columns < 1 || columns > 5)
        return 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            b[r][c] = __VERIFIER_nondet_int();
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            a[r][c] = b[r][c];
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            if (a[r][c] != b[r][c])
                reach_error();
    return 0;
}

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int rows = 20, columns = 8;
    int a[rows][columns], b[rows][columns];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            a[i][j] = __VERIFIER_nondet_int();
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            b[i][j] = a[i][j] ^ 1;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            if (b[i][j] == a[i][j])
                reach_error();
    return 0;
}

extern void reach_error(void);

int odd(unsigned int n);
int even(unsigned int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(unsigned int n) { return n == 0 ? 0 : even(n - 1); }

int main(void)
{
    if (!even(4))
        reach_error();
    return 0;
}

int nondet_int(void);

int main(void)
{
    int a[4] = {0}, i = nondet_int();
    if (i >= 0 && i < 4) {
        a[i] = 1;
        __CPROVER_assert(a[i] == 1, "written");
    }
    return 100 / (a[0] + 1);
}

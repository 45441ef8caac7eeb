int main(void)
{
    __ESBMC_loop_invariant(0);
    return 0;
}

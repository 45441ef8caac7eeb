void __CPROVER_assert(_Bool condition, const char *text)
{
}

int main(void)
{
    __CPROVER_assert(0, "nothing");
    return 0;
}

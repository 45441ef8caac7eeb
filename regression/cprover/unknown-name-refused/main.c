int main(void)
{
    __CPROVER_forget();
    return 0;
}

int main(void)
{
    void *target = &&out;
    int *p;
    {
        int y = 1;
        p = &y;
        goto *target;
    }
out:
    return *p;
}

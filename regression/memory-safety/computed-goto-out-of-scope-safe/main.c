int main(void)
{
    void *targets[] = { &&again, &&out };
    int *p, n = 0;
    int kept = 1;
    p = &kept;
again:
    {
        int y = 1;
        *p += y;
        p = n ? &kept : &y;
        *p = 2;
        p = &kept;
        goto *targets[n++];
    }
out:
    return *p - 2;
}

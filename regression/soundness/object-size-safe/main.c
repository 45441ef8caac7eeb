extern void reach_error(void);
int main(void)
{
    char a[10];
    unsigned long size = __builtin_object_size(a, 0);
    if (size < 5 && size > 5)
        reach_error();
    return 0;
}

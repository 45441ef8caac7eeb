extern void reach_error(void);
int main(void)
{
    char a[10];
    if (__builtin_object_size(a, 0) != 10)
        reach_error();
    return 0;
}

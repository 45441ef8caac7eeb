int get(int *p)
{
    return *p;
}

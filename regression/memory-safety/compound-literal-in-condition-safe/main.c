int main(void)
{
    int *p, r = 0;
    if (*(p = &(int){ 2 }))
        r = *p;
    return r;
}

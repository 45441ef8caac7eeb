int main(void)
{
    int *p;
    if (*(p = &(int){ 2 }))
        *p = 3;
    return *p;
}

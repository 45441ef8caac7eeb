int main(void)
{
    int *p = 0;
    switch (1)
    case 1:
        p = &(int){ 2 };
    return *p;
}

extern void reach_error(void);

volatile int device;

int main(void)
{
    int a = device;
    if (a != device)
        reach_error();
    return 0;
}

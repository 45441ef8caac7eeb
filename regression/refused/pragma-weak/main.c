extern void reach_error(void);
int a = 1;
#pragma weak b = a
extern int b;

int main(void)
{
    b = 2;
    if (a != 2)
        reach_error();
    return 0;
}

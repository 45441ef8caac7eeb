extern void reach_error(void);
extern unsigned char sensor(void);

int main(void)
{
    int value = sensor();
    if (value == 5)
        reach_error();
    return 0;
}

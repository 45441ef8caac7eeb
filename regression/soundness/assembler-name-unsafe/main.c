extern void reach_error(void);
extern void other(void) __asm__("reach_error");

int main(void)
{
    other();
    return 0;
}

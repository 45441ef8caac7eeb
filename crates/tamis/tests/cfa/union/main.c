extern void reach_error(void);

int main(void)
{
    union { unsigned whole; unsigned char byte[4]; } u;
    u.whole = 0x01020304;
    if (u.byte[0] != 4)
        reach_error();
    return 0;
}

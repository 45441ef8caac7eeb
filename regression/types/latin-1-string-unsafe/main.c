extern void reach_error(void);
char text[] = "ÿ";

int main(void)
{
    if (sizeof text == 2 && (unsigned char)text[0] == 255)
        reach_error();
    return 0;
}

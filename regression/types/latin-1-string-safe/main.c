extern void reach_error(void);
char text[] = "яд1"; /* я */

int main(void)
{
    if (sizeof text != 4 || text[0] != -1 || text[1] != (char)0xe4 || text[2] != '1' || 'я' != -1)
        reach_error();
    return 0;
}

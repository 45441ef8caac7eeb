extern void reach_error(void);
extern void *memset();
extern void exit();
char buffer[8];

int main(void)
{
    buffer[1] = 3;
    memset(buffer, 0, sizeof buffer);
    if (buffer[1])
        reach_error();
    exit(0);
    reach_error();
}

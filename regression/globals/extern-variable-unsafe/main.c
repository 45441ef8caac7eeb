extern void reach_error(void);
extern int configured;

int main(void)
{
    int seen = configured;
    if (configured != 0)
        reach_error();
    return 0;
}

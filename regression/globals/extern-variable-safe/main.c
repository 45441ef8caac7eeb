extern void reach_error(void);
extern int configured;

int main(void)
{
    int seen = configured;
    if (configured != seen)
        reach_error();
    return 0;
}

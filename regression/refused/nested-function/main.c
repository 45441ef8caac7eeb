extern void reach_error(void);

int main(void)
{
    void inner(void)
    {
        reach_error();
    }
    inner();
    return 0;
}

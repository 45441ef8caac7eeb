extern void exit(int);
extern void reach_error(int);

int main(void)
{
    reach_error(({ exit(0); 1; }));
    return 0;
}

extern void reach_error(void);
extern void elsewhere(int);

int main(void)
{
    elsewhere(3);
    reach_error();
    return 0;
}

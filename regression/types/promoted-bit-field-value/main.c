extern void reach_error(void);
struct {
    unsigned long a : 3;
} s;

int main(void)
{
    if (sizeof(+(s.a = 1)) != sizeof(int) || sizeof(s.a++ + 0) != sizeof(int))
        reach_error();
    return 0;
}

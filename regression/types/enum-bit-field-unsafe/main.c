extern void reach_error(void);
enum letter { A, B, C };
struct s {
    enum letter e : 2;
} s;

int main(void)
{
    s.e = A;
    if (!(s.e - 1 > 0))
        reach_error();
    return 0;
}

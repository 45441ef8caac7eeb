extern void reach_error(void);
enum letter { A, B, C };
typedef enum { LARGE = 0x100000000 } large;
struct s {
    enum letter narrow : 2;
    const enum letter full : 32;
    large wide : 20;
    enum { D, E } inner : 1;
} s;

int main(void)
{
    s.narrow = A;
    if (s.narrow - 1 > 0 || s.wide - 1 > 0 || s.inner - 1 > 0 || (s.narrow = B) - 2 > 0)
        reach_error();
    if (s.full - 1 < 0)
        reach_error();
    return 0;
}

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct f { unsigned a : 3; int b : 5; unsigned c : 8; };
int main(void)
{
    struct f x = { 0 };
    x.a = 9;
    x.b = 17;
    x.c = 255;
    x.c++;
    if (x.a != 1 || x.b != -15 || x.c != 0) reach_error();
    return 0;
}

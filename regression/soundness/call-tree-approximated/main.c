extern void reach_error(void);

int g(void) { return 1; }
int f7(void) { return g() + g() + g() + g() + g() + g() + g() + g() + g() + g(); }
int f6(void) { return f7() + f7() + f7() + f7() + f7() + f7() + f7() + f7() + f7() + f7(); }
int f5(void) { return f6() + f6() + f6() + f6() + f6() + f6() + f6() + f6() + f6() + f6(); }
int f4(void) { return f5() + f5() + f5() + f5() + f5() + f5() + f5() + f5() + f5() + f5(); }
int f3(void) { return f4() + f4() + f4() + f4() + f4() + f4() + f4() + f4() + f4() + f4(); }
int f2(void) { return f3() + f3() + f3() + f3() + f3() + f3() + f3() + f3() + f3() + f3(); }
int f1(void) { return f2() + f2() + f2() + f2() + f2() + f2() + f2() + f2() + f2() + f2(); }
int f0(void) { return f1() + f1() + f1() + f1() + f1() + f1() + f1() + f1() + f1() + f1(); }

int main(void)
{
    if (f0() == 0)
        reach_error();
    return 0;
}

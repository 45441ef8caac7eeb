void f(int x) { }
int main(void) { f(1); return 0; }

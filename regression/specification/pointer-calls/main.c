void f(void) { }
void g(void) { }
int main(void) {
    void (*table[2])(void) = { f, g };
    for (int i = 0; i < 2; i++)
        table[i]();
    return 0;
}

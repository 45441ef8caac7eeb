__attribute__((constructor)) static void prepare(void) { }
int main(void) {
    prepare();
    return 0;
}

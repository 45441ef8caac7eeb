extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int rows = __VERIFIER_nondet_int(), columns = __VERIFIER_nondet_int();
    if (rows < 8 || rows > 1024 || columns < 8 || columns > 1024) return 0;
    int cells = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) cells++;
    if (cells < 64) reach_error();
    return 0;
}

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern int read_sensor(void);

int main(void) {
    int a = read_sensor();
    if (a > 5)
        reach_error();
    return 0;
}

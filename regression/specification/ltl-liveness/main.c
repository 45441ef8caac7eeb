extern int __VERIFIER_nondet_int(void);
int level;
void lock(void) { }
void unlock(void) { }
int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n-- > 0) {
        lock();
        level++;
        ;
        unlock();
        level--;
    }
end:
    return 0;
}

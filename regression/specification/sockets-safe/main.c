extern int __VERIFIER_nondet_int(void);
int socket(int domain, int type, int protocol) { static int next = 3; return __VERIFIER_nondet_int() ? -1 : next++; }
int bind(int s, const void *address, unsigned size) { return 0; }
int listen(int s, int backlog) { return 0; }
int close(int s) { return 0; }
int main(void) {
    int s = socket(2, 1, 0);
    if (s < 0)
        return 1;
    if (bind(s, 0, 0) != 0) { close(s); return 1; }
    if (listen(s, 5) != 0) {
        close(s);
        return 1;
    }
    close(s);
    return 0;
}

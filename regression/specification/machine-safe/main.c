extern int __VERIFIER_nondet_int(void);
void receive(void) { }
int send(int x) { return x; }
int serve(int kind) {
    if (kind != 0)
        return send(send(kind));
    int n = __VERIFIER_nondet_int();
    while (n-- > 0) {
        receive();
        send(n % 20 + 1);
    }
    return 0;
}
int main(void) {
    serve(1);
    return serve(0);
}

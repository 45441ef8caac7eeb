extern int serve(int kind);
void receive(void) { }
int sent;
int send(int x) { sent += x > 0 && x < 100; return x; }
extern void reach_error(void);
int main(void) {
    int result = serve(0);
    if (result != 0 || sent > 0)
        reach_error();
    return 0;
}

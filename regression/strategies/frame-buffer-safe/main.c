extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct frame { unsigned char length, used; unsigned char bytes[6]; };

int main(void)
{
    struct frame f = { 0 };
    for (;;) {
        unsigned char b = __VERIFIER_nondet_uchar();
        if (f.used == f.length) {
            if (b == 0 || b > 6) continue;
            f.length = b;
            f.used = 0;
        } else {
            if (f.used >= 6) reach_error();
            f.bytes[f.used++] = b;
        }
    }
}

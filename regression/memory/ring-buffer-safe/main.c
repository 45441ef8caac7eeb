extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define SIZE 4

struct ring { unsigned char data[SIZE]; unsigned head, tail, count; };

int main(void)
{
    struct ring r = { { 0 }, 0, 0, 0 };
    for (;;) {
        unsigned char b = __VERIFIER_nondet_uchar();
        if (b & 1) {
            if (r.count < SIZE) {
                r.data[r.head] = b;
                r.head = (r.head + 1) % SIZE;
                r.count++;
            }
        } else if (r.count > 0) {
            r.tail = (r.tail + 1) % SIZE;
            r.count--;
        }
        if (r.head >= SIZE || r.tail >= SIZE || r.count > SIZE) reach_error();
    }
}

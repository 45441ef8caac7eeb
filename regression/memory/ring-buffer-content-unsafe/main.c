extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define SIZE 2

static unsigned char ring[SIZE];
static unsigned char head, tail, count;

int main(void)
{
    for (;;) {
        unsigned char b = __VERIFIER_nondet_uchar();
        if ((b & 1) || b == 200) {
            if (count < SIZE) {
                ring[head] = b;
                head = (head + 1) % SIZE;
                count++;
            }
        } else if (count > 0) {
            unsigned char out = ring[tail];
            tail = (tail + 1) % SIZE;
            count--;
            if (!(out & 1)) reach_error();
        }
    }
}

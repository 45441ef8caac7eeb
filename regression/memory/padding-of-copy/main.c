extern void reach_error(void);
extern void *memset(void *, int, unsigned long);

struct pair { char c; int i; };

int main(void) {
    struct pair a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.c = 3;
    b = a;
    if (((unsigned char *)&b)[2] != 0)
        reach_error();
    return 0;
}

extern void reach_error(void);
extern void *memset(void *, int, unsigned long);
extern void *memcpy(void *, const void *, unsigned long);

struct pair { char c; int i; };

int main(void) {
    struct pair a = {1, 2}, b, zero;
    b = a;
    unsigned char *bytes = (unsigned char *)&b;
    if (bytes[0] != 1 || bytes[4] != 2 || bytes[5] != 0)
        reach_error();
    memset(&zero, 0, sizeof zero);
    memcpy(&b, &zero, sizeof b);
    b.c = 7;
    if (bytes[1] != 0)
        reach_error();
    return 0;
}

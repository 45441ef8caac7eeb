extern void reach_error(void);

struct pair { char c; int i; };

int main(void) {
    struct pair p = {1, 2};
    unsigned char *bytes = (unsigned char *)&p;
    if (bytes[1] >= 0 && bytes[4] == 2)
        reach_error();
    return 0;
}

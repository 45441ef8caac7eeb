extern void reach_error(void);

struct pair { char c; int i; };

int main(void) {
    struct pair p = {1, 2};
    if (((unsigned char *)&p)[1] != 0)
        reach_error();
    return 0;
}

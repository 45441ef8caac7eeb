extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct point {
    int x, y;
};

static struct point mirrored(struct point p) {
    struct point q = { p.y, p.x };
    return q;
}

int main(void) {
    struct point p = { __VERIFIER_nondet_int(), 1 };
    p = mirrored(p);
    if (p.x != 1)
        reach_error();
    return 0;
}

extern int __VERIFIER_nondet_int(void);
static int begin(void) { return 1; }
static int end(int value) { return value; }
#define PAIR (begin(), end(1))
struct operations { int (*first)(void); int (*last)(int); };
static const struct operations table[] = { { begin, end } };
static int again(int n) { return n > 0 ? begin() && again(n - 1) : end(0); }
int main(void) {
    const struct operations *use = table;
    int choice = __VERIFIER_nondet_int();
    int pair = PAIR, held = choice && use->first();
    if (held && choice > 9 && (*use).last(1))
        pair++;
    for (int i = begin(); i < 3; i++, pair += sizeof end(1))
        ;
    switch (end(choice)) {
    case 1:
        return 0 && begin();
    default:
        return again(1) || (begin() && end(pair - choice)) ? 1 : (begin(), 0) || end(0);
    }
}

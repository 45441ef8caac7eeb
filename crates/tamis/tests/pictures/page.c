/* A page of C: a table, loops in loops, branches, a call. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static unsigned char table[64] = "a table of letters that is initialised byte by byte, one by one";

struct queue {
    int items[8];
    unsigned head, tail;
};

static struct queue waiting;

static int put(struct queue *q, int item)
{
    if (q->tail - q->head == 8)
        return 0;
    q->items[q->tail % 8] = item;
    q->tail++;
    return 1;
}

static int take(struct queue *q)
{
    int item = q->items[q->head % 8];
    q->head++;
    return item;
}

int main(void)
{
    unsigned letters = 0;
    int total = 0;

    for (unsigned i = 0; i < sizeof table; i++) {
        switch (table[i]) {
        case ' ':
            break;
        case ',':
            total++;
            break;
        default:
            letters++;
        }
    }
    while (__VERIFIER_nondet_int()) {
        int item = __VERIFIER_nondet_int();
        if (item < 0)
            continue;
        if (put(&waiting, item)) {
            total++;
        } else {
            while (waiting.head != waiting.tail) {
                if (take(&waiting) < 0)
                    reach_error();
            }
        }
    }
    if (waiting.tail - waiting.head > 8)
        reach_error();
    if (letters > 64)
        reach_error();
    return total;
}

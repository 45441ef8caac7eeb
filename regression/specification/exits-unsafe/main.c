#include <unistd.h>
extern int __VERIFIER_nondet_int(void);
typedef struct { int held; } spinlock_t;
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
static spinlock_t queue;
static int work(int depth) {
    if (depth > 3)
        _exit(2);
    return depth;
}
int main(void) {
    spin_lock(&queue);
    int done = work(__VERIFIER_nondet_int());
    spin_unlock(&queue);
    return done;
}

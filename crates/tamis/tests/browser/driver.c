/* A driver whose retry takes the lock that it has. */
typedef struct { int owner; } spinlock_t;
extern void spin_lock(spinlock_t *);
extern void spin_unlock(spinlock_t *);
extern int __VERIFIER_nondet_int(void);

static spinlock_t queue;

static int transfer(int retries)
{
    int status;
    do {
        spin_lock(&queue);
        status = __VERIFIER_nondet_int();
        if (status == 0)
            spin_unlock(&queue);
    } while (status != 0 && retries-- > 0);
    return status;
}

int main(void)
{
    transfer(3);
    return 0;
}

/* A driver takes a lock for each request that it works on. The lock must not be taken twice, nor given back twice: an
   automaton over one variable watches that. The loop ends when no new request came in while it was working.

       tamis check driver-lock.c              proves the discipline
       tamis check driver-lock.c -D RETRY     finds that a retried request takes the lock a second time */

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int locked = 0;

static void lock(void)
{
    assert(!locked);
    locked = 1;
}

static void unlock(void)
{
    assert(locked);
    locked = 0;
}

int main(void)
{
    /* How many requests have been worked on, and how many had been when the lock was taken. */
    unsigned int requests = 0;
    unsigned int seen;

    do {
        lock();
        seen = requests;
        /* Is a request waiting? It is worked on without the lock. */
        if (__VERIFIER_nondet_int()) {
#ifdef RETRY
            /* Did it fail? Then it is tried again. */
            if (__VERIFIER_nondet_int()) {
                requests++;
                continue;
            }
#endif
            unlock();
            requests++;
        }
    } while (seen != requests);
    unlock();
    return 0;
}

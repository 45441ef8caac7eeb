typedef struct { int taken; } pthread_mutex_t;
extern int __VERIFIER_nondet_int(void);
int pthread_mutex_lock(pthread_mutex_t *m) { m->taken = 1; return 0; }
int pthread_mutex_trylock(pthread_mutex_t *m) { if (m->taken || __VERIFIER_nondet_int()) return 16; m->taken = 1; return 0; }
int pthread_mutex_unlock(pthread_mutex_t *m) { m->taken = 0; return 0; }
pthread_mutex_t a;
int main(void) {
    for (int i = 0; i < 100; i++) {
        if (pthread_mutex_trylock(&a) != 0)
            continue;
        pthread_mutex_unlock(&a);
    }
    return 0;
}

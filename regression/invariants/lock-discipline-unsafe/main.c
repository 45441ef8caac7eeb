extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int held = 0;

void lock(void) { if (held) reach_error(); held = 1; }
void unlock(void) { if (!held) reach_error(); held = 0; }

int main(void)
{
    int requests, done;
    do {
        lock();
        requests = __VERIFIER_nondet_int();
        done = requests;
        if (requests) {
            unlock();
            done--, unlock();
        }
    } while (requests != done);
    unlock();
    return 0;
}

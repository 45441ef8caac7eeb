typedef unsigned long KSPIN_LOCK;
typedef unsigned char KIRQL;
extern int __VERIFIER_nondet_int(void);

void KeAcquireSpinLock(KSPIN_LOCK *lock, KIRQL *old) { *old = 2; *lock = 1; }
void KeReleaseSpinLock(KSPIN_LOCK *lock, KIRQL now) { *lock = 0; (void)now; }

KSPIN_LOCK queue, device;

static int take(int n) {
    KIRQL irql;
    KeAcquireSpinLock(&queue, &irql);
    if (n > 10) {
        ;
        return -1;
    }
    KeReleaseSpinLock(&queue, irql);
    return n;
}

int main(void) {
    KIRQL irql;
    int n = __VERIFIER_nondet_int();
    KeAcquireSpinLock(&device, &irql);
    for (int i = 0; i < n; i++)
        take(i);
    KeReleaseSpinLock(&device, irql);
    return 0;
}

extern int __VERIFIER_nondet_int(void);
void local_irq_disable(void);
void local_irq_enable(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n-- > 0) {
        local_irq_disable();
        ;
        local_irq_enable();
    }
    return 0;
}

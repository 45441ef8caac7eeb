extern int __VERIFIER_nondet_int(void);
struct account { int balance; struct account *next; };
static void pay(struct account *to, int amount)
{
    if (amount > 0 && to->balance >= 2147483647 - amount)
        to->balance += amount;
}
int main(void)
{
    struct account a = { 100, 0 }, b = { __VERIFIER_nondet_int(), &a };
    pay(b.next, __VERIFIER_nondet_int());
    pay(&b, __VERIFIER_nondet_int());
    return 0;
}

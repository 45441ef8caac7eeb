extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int balance = 100;

void withdraw(int amount)
{
    
    if (amount >= 0 && amount <= balance)
        balance -= amount;
}

int main(void)
{
    withdraw(60);
    withdraw(60);
    if (balance != 40)
        reach_error();
    return 0;
}

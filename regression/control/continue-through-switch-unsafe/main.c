extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    for (int i = 0; i < 3; i++) {
        switch (i) {
        case 1:
            break;
        }
        if (i == 1)
            reach_error();
    }
    return 0;
}

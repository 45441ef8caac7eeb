extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    if (__VERIFIER_nondet_int())
        goto late;
    return 0;
late:
    reach_error();
end:
    return 0;
}

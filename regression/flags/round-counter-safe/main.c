/* Nodes with different names pass the largest name on, and who gets its own name back leads. The number of the round stays at 4. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    unsigned char name1 = __VERIFIER_nondet_uchar();
    unsigned char name2 = __VERIFIER_nondet_uchar();
    unsigned char name3 = __VERIFIER_nondet_uchar();
    unsigned char mail1 = 0, mail2 = 0, mail3 = 0, round = 0;
    _Bool leads1 = 0, leads2 = 0, leads3 = 0;
    if (name1 == 0 || name2 == 0 || name3 == 0 || name1 == name2 || name1 == name3 || name2 == name3)
        return 0;
    while (1) {
        unsigned char next1 = round == 0 ? name3 : mail3 > name3 ? mail3 : 0;
        unsigned char next2 = round == 0 ? name1 : mail1 > name1 ? mail1 : 0;
        unsigned char next3 = round == 0 ? name2 : mail2 > name2 ? mail2 : 0;
        if (mail1 == name1)
            leads1 = 1;
        if (mail2 == name2)
            leads2 = 1;
        if (mail3 == name3)
            leads3 = 1;
        mail1 = next1;
        mail2 = next2;
        mail3 = next3;
        if (round == 4)
            round = 3;
        round = round + 1;
        if (round < 3 && (leads1 || leads2 || leads3))
            reach_error();
    }
}

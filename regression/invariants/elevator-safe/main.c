extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int floor = 0, target = 0, moving = 0, open = 1;
    while (1) {
        if (!moving) {
            target = __VERIFIER_nondet_int();
            if (target < 0 || target > 5 || target == floor)
                continue;
            open = 0;
            moving = 1;
        } else {
            floor += floor < target ? 1 : -1;
            if (floor == target) {
                open = 1;
                moving = 0;
            }
        }
        if (moving && open)
            reach_error();
        if (floor < 0 || floor > 5)
            reach_error();
    }
}

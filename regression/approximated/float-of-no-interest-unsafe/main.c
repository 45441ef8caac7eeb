extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct motor {
    unsigned power;
    int mode;
};

static struct motor motor;
static float gain;

static void control(int wanted)
{
    float level = (float)wanted / 100.0F * gain + 1.0F;
    motor.power = level;
}

int main(void)
{
    int rounds = 0;
    gain = 0.5F;
    while (rounds < 3) {
        int wanted = __VERIFIER_nondet_int();
        if (wanted < 0 || wanted > 100)
            return 0;
        control(wanted);
        if (wanted == 7 * rounds)
            motor.mode++;
        rounds++;
    }
    if (motor.mode == 3)
        reach_error();
    return 0;
}

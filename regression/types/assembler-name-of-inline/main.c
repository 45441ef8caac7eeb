extern void reach_error(void);
extern void elsewhere(int) __asm__("stop");
extern void never(int) __asm__("stop") __attribute__((noreturn));

extern inline __attribute__((always_inline, gnu_inline)) void stop(int status) {
    if (status != 0)
        never(status);
    else
        elsewhere(status);
}

int main(void) {
    stop(0);
    reach_error();
    return 0;
}

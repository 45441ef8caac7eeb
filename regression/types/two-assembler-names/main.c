extern void reach_error(void);
extern void one(int) __asm__("stop");
extern void other(int) __asm__("stop") __attribute__((noreturn));

int main(int argc, char **argv) {
    one(argc);
    reach_error();
    if (argc == 2)
        other(argc);
    return 0;
}

extern void reach_error(void);

// How a program is called is an input.
int main(int argc, char **argv) {
    long double count = argc;
    if (count > 3)
        reach_error();
    return 0;
}

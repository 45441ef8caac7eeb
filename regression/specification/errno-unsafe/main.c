extern long strtol(const char *text, char **end, int base);
extern int *__errno_location(void);
int main(void) {
    long a = strtol("12", 0, 10);
    
    long b = strtol("13", 0, 10);
    if (*__errno_location() != 0)
        return 2;
    return a < b;
}

extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define SIZE 4

enum { START, SECTION, KEY, VALUE, REST };

struct parser { unsigned char state, used, length; char name[SIZE]; char value[SIZE]; };

int main(void)
{
    struct parser p;
    p.state = START;
    p.used = p.length = 0;
    for (;;) {
        char c = (char)__VERIFIER_nondet_uchar();
        switch (p.state) {
        case START:
            p.used = p.length = 0;
            if (c == '[') p.state = SECTION;
            else if (c == ';') p.state = REST;
            else if (c != '\n' && c != ' ') { p.name[p.used++] = c; p.state = KEY; }
            break;
        case SECTION:
            if (c == ']') p.state = REST;
            else if (p.used < SIZE) p.name[p.used++] = c;
            break;
        case KEY:
            if (c == '=') p.state = VALUE;
            else if (c == '\n') p.state = START;
            else if (p.used < SIZE) p.name[p.used++] = c;
            break;
        case VALUE:
            if (c == '\n') p.state = START;
            else if (p.length < SIZE) p.value[p.length++] = c;
            break;
        case REST:
            if (c == '\n') p.state = START;
            break;
        default:
            reach_error();
        }
        if (p.used > SIZE || p.length > SIZE) reach_error();
    }
}

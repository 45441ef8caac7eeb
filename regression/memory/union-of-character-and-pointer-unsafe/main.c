extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct token { unsigned char kind; union { unsigned char letter; unsigned char *text; } of; };

static unsigned char text[4] = "ab";

int main(void)
{
    struct token tokens[3];
    int chosen = __VERIFIER_nondet_int();
    for (int i = 0; i < 3; i++) {
        tokens[i].kind = chosen >> i & 1;
        if (tokens[i].kind)
            tokens[i].of.text = text;
        else
            tokens[i].of.letter = 'x';
    }
    for (int i = 0; i < 3; i++) {
        struct token copy = tokens[i];
        if (copy.kind ? copy.of.text[0] != 'a' : copy.of.letter != 'y')
            reach_error();
    }
    return 0;
}

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

#include <string.h>

int main(void)
{
    char buffer[8];
    strcpy(buffer, "ab");
    strcat(buffer, "c");
    if (strlen(buffer) != 3) reach_error();
    return 0;
}

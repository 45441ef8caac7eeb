#include <stdio.h>

int main(void)
{
    char line[4];
    if (fgets(line, 4, stdin))
        return line[0];
    return 0;
}

#include <stdio.h>

int main(void)
{
    char line[4];
    if (fgets(line, 5, stdin))
        return line[0];
    return 0;
}

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf("argument %d is '%s'\n", i, argv[i]);
    fprintf(stderr, "giving up\n");
    return 3;
}

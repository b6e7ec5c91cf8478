/* SPDX-License-Identifier: MIT
 *
 * Files are state that no reset undoes: a process per execution, which the
 * report says.  getline's buffer may come from malloc.
 *
 * expect: 0 because of fopen
 * options: --model tso --runs 20
 */
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    FILE *f = fopen("libc-files.tmp", "w+");
    char word[16], *line = malloc(1), *stream;
    size_t room = 1, size;
    int n;

    assert(f);
    fprintf(f, "%s %d\n", "first", 1);
    fputs("a second line that is longer than the buffer was at first, so that "
          "it has to grow more than once before all of it fits\n",
          f);
    assert(fwrite("third", 1, 5, f) == 5);
    rewind(f);
    assert(fscanf(f, "%15s %d\n", word, &n) == 2 && n == 1);
    assert(strcmp(word, "first") == 0);
    assert(getline(&line, &room, f) > 100 && room > 100);
    assert(strncmp(line, "a second", 8) == 0);
    assert(fgets(word, sizeof(word), f) && strcmp(word, "third") == 0);
    assert(fgetc(f) == EOF && feof(f));
    free(line);
    fclose(f);
    unlink("libc-files.tmp");

    f = open_memstream(&stream, &size);
    fprintf(f, "in memory");
    fclose(f);
    assert(size == 9 && strcmp(stream, "in memory") == 0);
    free(stream);
    return 0;
}

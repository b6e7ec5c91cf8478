/* SPDX-License-Identifier: MIT
 *
 * Feeds a target every file of a folder, each as it is and with many small
 * changes from a fixed seed: the ordinary builds' share of fuzzing.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "fuzz.h"

#define CHANGES 300

static uint64_t state = 0x2545f4914f6cdd1dull;

static uint64_t any(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* A copy of exactly n bytes, so that a sanitizer sees what reads beyond. */
static void feed(const char *bytes, size_t n)
{
    uint8_t *copy = malloc(n ? n : 1);

    CHECK(copy != NULL);
    if (n)
        memcpy(copy, bytes, n);
    LLVMFuzzerTestOneInput(copy, n);
    free(copy);
}

static void feed_changed(struct buf *file)
{
    size_t n = file->count;

    for (int i = 0; i < CHANGES && n > 0; i++) {
        size_t at = any() % n;
        char old[8];
        size_t width = n - at < 8 ? n - at : 1 + any() % 8;

        memcpy(old, file->bytes + at, width);
        for (size_t k = 0; k < width; k++)
            file->bytes[at + k] = (char)any();
        feed(file->bytes, i % 4 == 3 ? any() % n : n);
        memcpy(file->bytes + at, old, width);
    }
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

int main(int argc, char **argv)
{
    char *names[1000];
    size_t count = 0;
    DIR *d = argc == 2 ? opendir(argv[1]) : NULL;

    if (!d) {
        fprintf(stderr, "usage: %s CORPUS\n", argv[0]);
        return 2;
    }
    for (const struct dirent *f = readdir(d); f && count < 1000; f = readdir(d))
        if (f->d_name[0] != '.')
            names[count++] = strdup(f->d_name);
    closedir(d);
    qsort(names, count, sizeof(*names), by_name);
    for (size_t i = 0; i < count; i++) {
        char path[4096];
        struct buf file = {0};
        struct err e;

        snprintf(path, sizeof(path), "%s/%s", argv[1], names[i]);
        if (!buf_read_file(&file, path, 1 << 24, &e)) {
            fprintf(stderr, "%s\n", e.text);
            return 1;
        }
        feed(file.bytes, file.count);
        feed_changed(&file);
        buf_free(&file);
        free(names[i]);
    }
    printf("%zu files\n", count);
    return count == 0;
}

/* SPDX-License-Identifier: MIT
 *
 * lsl_dump [--quiet] [--cflags FLAGS] FILE.c...: the load-store language of C
 * files, as text.  Exit code 0; 3 and a sentence for what is refused; 2 for
 * what does not compile; 1 for a program that lsl_check does not like.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "lower/lower.h"
#include "lsl_text.h"

static int dump(const char *const *sources, size_t count, const char *cflags,
                bool quiet)
{
    struct arena a = ARENA_INIT;
    struct lsl_program program;
    struct buf out = {0};
    struct err e;
    int code = 0;

    switch (lower_sources(sources, count, cflags, &a, &program, &e)) {
    case LOWER_DONE:
        if (!lsl_check(&program, &e))
            code = 1;
        lsl_put_program(&program, &out);
        if (!quiet)
            fwrite(out.bytes, 1, out.count, stdout);
        break;
    case LOWER_BAD_SOURCE:
        code = 2;
        break;
    case LOWER_REFUSED:
        code = 3;
    }
    if (code)
        printf("%s\n", e.text);
    buf_free(&out);
    arena_free(&a);
    return code;
}

int main(int argc, char **argv)
{
    const char *cflags = NULL;
    bool quiet = false;
    int at = 1;

    for (; at < argc && argv[at][0] == '-'; at++) {
        if (strcmp(argv[at], "--quiet") == 0)
            quiet = true;
        else if (strcmp(argv[at], "--cflags") == 0 && at + 1 < argc)
            cflags = argv[++at];
    }
    return dump((const char *const *)argv + at, (size_t)(argc - at), cflags,
                quiet);
}

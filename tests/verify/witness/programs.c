/* SPDX-License-Identifier: MIT
 *
 * See programs.h.
 */
#include "programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "generate.h"

static const enum family families[] = {
    FAMILY_FENCES, FAMILY_C11,     FAMILY_BRANCH,
    FAMILY_LOCKS,  FAMILY_THREADS, FAMILY_SEMAPHORES,
    FAMILY_RINGS,  FAMILY_SIZES,   FAMILY_BLOCKS,
};

const size_t programs_families = sizeof families / sizeof *families;

static struct tool tool_of(const struct folders *p, const char *tag)
{
    return (struct tool){p->fencer, p->litmus, p->scratch, tag};
}

static bool compile(const struct folders *p, const char *folder,
                    const char *name, struct compiled *c)
{
    struct tool t = tool_of(p, name);
    char source[PATH_ROOM];

    memset(c, 0, sizeof *c);
    snprintf(c->name, sizeof c->name, "%s", name);
    snprintf(source, sizeof source, "%s/%s.c", folder, name);
    snprintf(c->binary, sizeof c->binary, "%s/%s.exe", p->scratch, name);
    return tool_compile(&t, source, c->binary);
}

bool programs_litmus(const struct folders *p, const char *name,
                     struct compiled *c)
{
    return compile(p, p->litmus, name, c);
}

bool programs_own(const struct folders *p, const char *name, struct compiled *c)
{
    return compile(p, p->own, name, c);
}

bool programs_batch(const struct folders *p, size_t number, struct compiled *c)
{
    static struct program list[BATCH_SIZE];
    struct random r = {0x5eed + number};
    enum family family = families[number % programs_families];
    struct tool t;

    memset(c, 0, sizeof *c);
    snprintf(c->name, sizeof c->name, "%s-%zu", family_names[family], number);
    t = tool_of(p, c->name);
    for (unsigned i = 0; i < BATCH_SIZE; i++)
        generate(&list[i], family, 7, i, &r);
    return files_compile_batch(&t, c->name, list, BATCH_SIZE, c->source,
                               c->binary);
}

void programs_remove(const struct compiled *c)
{
    if (*c->source)
        unlink(c->source);
    unlink(c->binary);
}

char **programs_all_litmus(const struct folders *p)
{
    struct files f = files_find(p->litmus);
    char **names = calloc(f.count + 1, sizeof *names);

    for (size_t i = 0; names && i < f.count; i++) {
        const char *name = strrchr(f.paths[i], '/') + 1;

        names[i] = strndup(name, strlen(name) - 2);
    }
    files_free(&f);
    return names;
}

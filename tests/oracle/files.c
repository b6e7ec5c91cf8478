/* SPDX-License-Identifier: MIT
 *
 * A file that cannot be read or written ends the test.
 */
#include "files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "print.h"

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

struct files files_find(const char *folder)
{
    struct files f = {0};
    DIR *d = opendir(folder);
    struct dirent *e;

    REQUIRE(d, "%s: cannot be read", folder);
    while ((e = readdir(d))) {
        size_t length = strlen(e->d_name);

        if (length < 3 || strcmp(e->d_name + length - 2, ".c"))
            continue;
        f.paths = realloc(f.paths, (f.count + 1) * sizeof *f.paths);
        REQUIRE(f.paths, "out of memory");
        snprintf(f.paths[f.count++], MAX_PATH, "%s/%s", folder, e->d_name);
    }
    closedir(d);
    REQUIRE(f.count >= 150, "only %zu litmus tests", f.count);
    qsort(f.paths, f.count, sizeof *f.paths, by_name);
    return f;
}

void files_free(struct files *f)
{
    free(f->paths);
    memset(f, 0, sizeof *f);
}

struct program files_parse(const char *path)
{
    struct programs found;
    struct program p;
    char error[256];

    REQUIRE(parse_file(path, &found, error, sizeof error), "%s: %s", path,
            error);
    REQUIRE(found.count == 1, "%s: one LITMUS expected", path);
    p = found.list[0];
    programs_free(&found);
    return p;
}

void files_keep(const struct tool *t, const struct program *p)
{
    char path[MAX_PATH];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s.c", t->scratch, p->name);
    f = fopen(path, "w");
    REQUIRE(f, "%s: cannot be written", path);
    print_litmus(f, p);
    REQUIRE(!fclose(f), "%s: cannot be written", path);
    fprintf(stderr, "%s: see %s\n", p->name, path);
}

bool files_compile_batch(const struct tool *t, const char *name,
                         const struct program *list, size_t count, char *source,
                         char *binary)
{
    struct tool tool = *t;
    FILE *f;

    tool.tag = name;
    snprintf(source, MAX_PATH, "%s/%s.c", t->scratch, name);
    snprintf(binary, MAX_PATH, "%s/%s.exe", t->scratch, name);
    f = fopen(source, "w");
    REQUIRE(f, "%s: cannot be written", source);
    print_batch(f, list, count);
    REQUIRE(!fclose(f), "%s: cannot be written", source);
    return tool_compile(&tool, source, binary);
}

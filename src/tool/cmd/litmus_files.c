/* SPDX-License-Identifier: MIT
 *
 * Files, folders and lists of litmus tests.
 */
#include "cmd/litmus_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"

#define DEPTH_MAX 32
#define LIST_SIZE_MAX (64u << 20)

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int visible(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

static bool is_litmus(const char *name)
{
    size_t n = strlen(name);

    return n > 7 && strcmp(name + n - 7, ".litmus") == 0;
}

static bool add_folder(struct litmus_files *f, const char *path, unsigned depth,
                       struct arena *a, struct err *e)
{
    struct dirent **entries;
    int count = scandir(path, &entries, visible, by_name);
    bool ok = true;

    if (count < 0)
        return err_set(e, "%s: %s", path, strerror(errno));
    for (int i = 0; i < count; i++) {
        const char *inside = arena_printf(a, "%s/%s", path, entries[i]->d_name);
        struct stat s;

        if (ok && stat(inside, &s) == 0) {
            if (S_ISDIR(s.st_mode) && depth < DEPTH_MAX)
                ok = add_folder(f, inside, depth + 1, a, e);
            else if (S_ISREG(s.st_mode) && is_litmus(inside))
                VEC_PUSH_IN(a, f, inside);
        }
        free(entries[i]);
    }
    free(entries);
    return ok;
}

/* The folder of a file, with its slash. */
static const char *folder_of(const char *path, struct arena *a)
{
    const char *slash = strrchr(path, '/');

    return slash ? arena_copy_n(a, path, (size_t)(slash - path) + 1) : "";
}

static bool add_list(struct litmus_files *f, const char *path, struct arena *a,
                     struct err *e)
{
    struct buf text = {0};
    const char *folder = folder_of(path, a);
    char *save = NULL, *copy;

    if (!buf_read_file(&text, path, LIST_SIZE_MAX, e))
        return false;
    copy = arena_copy(a, text.count ? text.bytes : "");
    buf_free(&text);
    for (char *line = strtok_r(copy, "\r\n", &save); line;
         line = strtok_r(NULL, "\r\n", &save)) {
        line[strcspn(line, "#")] = '\0';
        line += strspn(line, " \t");
        line[strcspn(line, " \t")] = '\0';
        if (*line)
            VEC_PUSH_IN(a, f,
                        *line == '/' ? line
                                     : arena_printf(a, "%s%s", folder, line));
    }
    return true;
}

bool litmus_files_add(struct litmus_files *f, const char *operand,
                      struct arena *a, struct err *e)
{
    struct stat s;

    if (*operand == '@')
        return add_list(f, operand + 1, a, e);
    if (stat(operand, &s) != 0)
        return err_set(e, "%s: %s", operand, strerror(errno));
    if (S_ISDIR(s.st_mode))
        return add_folder(f, operand, 0, a, e);
    VEC_PUSH_IN(a, f, operand);
    return true;
}

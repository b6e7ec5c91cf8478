/* SPDX-License-Identifier: MIT
 *
 * The place in the source of an instruction that faulted where no hook was
 * under way: on a fast path, in a division, in code that touches only what is
 * private.  Its line is in the debug information, which llvm-symbolizer reads;
 * the site is the one of that line, best of that column.
 *
 * A question costs as much as thousands of executions, so answers are kept:
 * here for the jobs to come of this process, and in the channel for processes
 * of one execution each.
 */
#include "runtime/place.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SYMBOLIZER "llvm-symbolizer-19"

struct line {
    char text[512];
    const char *file; /* in `text` */
    uint32_t line, column;
};

static bool spawn(const char *object, const char *address, int to)
{
    char *argv[] = {(char[]){SYMBOLIZER}, (char[]){"--functions=none"},
                    (char *)object, (char *)address, NULL};
    posix_spawn_file_actions_t actions;
    int status = -1;
    pid_t pid;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    if (posix_spawnp(&pid, SYMBOLIZER, &actions, NULL, argv, environ) == 0)
        waitpid(pid, &status, 0);
    posix_spawn_file_actions_destroy(&actions);
    return status == 0;
}

/* Its answer is short enough for a pipe that nobody reads yet. */
static bool ask(uint64_t pc, struct line *l)
{
    char object[64], address[32];
    int ends[2], file = open("/proc/self/exe", O_RDONLY);
    ssize_t n;

    if (file < 0 || pipe(ends) != 0)
        return false;
    /* By descriptor: its name may be gone by now, and our number is another
     * in other namespaces. */
    snprintf(object, sizeof object, "--obj=/proc/self/fd/%d", file);
    snprintf(address, sizeof address, "0x%llx", (unsigned long long)pc);
    n = spawn(object, address, ends[1])
            ? read(ends[0], l->text, sizeof l->text - 1)
            : 0;
    close(ends[0]);
    close(ends[1]);
    close(file);
    l->text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* The last number of the text, after a colon, which becomes its end. */
static bool cut_number(char *text, uint32_t *number)
{
    char *colon = strrchr(text, ':');

    if (!colon)
        return false;
    *colon = '\0';
    *number = (uint32_t)strtoul(colon + 1, NULL, 10);
    return true;
}

/* Inlined code is where it was written, which comes first. */
static bool find_line(uint64_t pc, struct line *l)
{
    if (!ask(pc, l))
        return false;
    l->text[strcspn(l->text, "\n")] = '\0';
    l->file = l->text;
    return cut_number(l->text, &l->column) && cut_number(l->text, &l->line) &&
           l->line;
}

/* The site has the name that the compiler was given. */
static bool is_file(const char *path, const char *file)
{
    size_t n = strlen(path), m = strlen(file);

    if (strncmp(file, "./", 2) == 0)
        return is_file(path, file + 2);
    return n >= m && strcmp(path + n - m, file) == 0 &&
           (n == m || path[n - m - 1] == '/');
}

static uint32_t site_of(const struct line *l)
{
    uint32_t best = 0;

    for (uint32_t i = 1; i < __fencer_program.site_count; i++) {
        const struct fencer_site *s = &__fencer_program.sites[i];

        if (s->line != l->line || !is_file(l->file, s->file))
            continue;
        if (s->column == l->column)
            return i;
        if (!best)
            best = i;
    }
    return best;
}

#define KEPT 8 /* places at which a program faults, mostly one */

static struct channel_place *find_kept(uint64_t pc)
{
    static struct channel_place kept[KEPT];
    static unsigned next;
    struct line l;

    for (size_t i = 0; i < KEPT; i++) {
        if (kept[i].pc == pc)
            return &kept[i];
    }
    next = (next + 1) % KEPT;
    kept[next] = (struct channel_place){
        .pc = pc, .site = find_line(pc, &l) ? site_of(&l) : 0};
    return &kept[next];
}

uint32_t place_find(uint64_t pc)
{
    struct channel_place *known = &rt.channel->place;

    if (known->pc != pc)
        *known = *find_kept(pc);
    return known->site;
}

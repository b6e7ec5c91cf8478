/* SPDX-License-Identifier: MIT
 *
 * What a tested program works: it starts a process for its executions, and
 * waits for that.  /proc knows who these are, and what those worked that have
 * ended.
 */
#include "worker/worked.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Of the process itself. */
static uint64_t own_ms(pid_t pid)
{
    struct timespec worked;
    clockid_t clock;

    if (clock_getcpuclockid(pid, &clock) != 0 ||
        clock_gettime(clock, &worked) != 0)
        return 0;
    return (uint64_t)worked.tv_sec * 1000 + (uint64_t)worked.tv_nsec / 1000000;
}

static FILE *open_of(pid_t pid, const char *name)
{
    char path[96];

    snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
    return fopen(path, "re");
}

/* Of children that it waited for.  Its name, in brackets, may hold anything. */
static uint64_t ended_ms(pid_t pid)
{
    unsigned long long user = 0, system = 0;
    long ticks = sysconf(_SC_CLK_TCK);
    char line[1024];
    FILE *f = open_of(pid, "stat");
    size_t n = f ? fread(line, 1, sizeof(line) - 1, f) : 0;
    const char *after;

    if (f)
        fclose(f);
    line[n] = '\0';
    after = strrchr(line, ')');
    if (!after || ticks <= 0 ||
        sscanf(after + 1,
               " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %llu %llu",
               &user, &system) != 2)
        return 0;
    return (user + system) * 1000 / (uint64_t)ticks;
}

/* Of children at work.  A kernel may not tell. */
static uint64_t children_ms(pid_t pid)
{
    char name[64];
    uint64_t sum = 0;
    FILE *f;
    int child;

    snprintf(name, sizeof(name), "task/%d/children", (int)pid);
    f = open_of(pid, name);
    while (f && fscanf(f, "%d", &child) == 1)
        sum += own_ms(child) + ended_ms(child);
    if (f)
        fclose(f);
    return sum;
}

uint64_t worked_ms(pid_t pid)
{
    return own_ms(pid) + ended_ms(pid) + children_ms(pid);
}

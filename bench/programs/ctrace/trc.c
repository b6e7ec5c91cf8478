/* SPDX-License-Identifier: MIT
 *
 * One mutex guards everything: the table of threads, their records and the
 * lines.  A thread never keeps a pointer to its record outside the lock.
 */
#include "trc.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ring.h"
#include "table.h"

#define CALLS 1 /* the level of entering and returning */

static struct {
    pthread_mutex_t lock;
    struct table threads;
    struct ring lines;
    int calls, traced; /* of threads that are gone */
} trc = {.lock = PTHREAD_MUTEX_INITIALIZER};

void trc_init(void)
{
    pthread_mutex_lock(&trc.lock);
    table_init(&trc.threads);
    ring_init(&trc.lines);
    trc.calls = trc.traced = 0;
    pthread_mutex_unlock(&trc.lock);
}

static struct record *new_record(const char *name, int level, unsigned units)
{
    struct record *r = malloc(sizeof *r);

    *r = (struct record){
        .thread = pthread_self(), .on = true, .level = level, .units = units};
    strncpy(r->name, name, NAME_SIZE - 1);
    return r;
}

bool trc_add_thread(const char *name, int level, unsigned units)
{
    struct record *r = new_record(name, level, units);
    bool added;

    pthread_mutex_lock(&trc.lock);
    added = table_add(&trc.threads, r);
    pthread_mutex_unlock(&trc.lock);
    if (!added)
        free(r);
    return added;
}

void trc_remove_thread(void)
{
    struct record *r;

    pthread_mutex_lock(&trc.lock);
    r = table_remove(&trc.threads, pthread_self());
    if (r) {
        trc.calls += r->calls;
        trc.traced += r->lines;
    }
    pthread_mutex_unlock(&trc.lock);
    free(r);
}

bool trc_turn_on(const char *name, int level, unsigned units)
{
    struct record *r;

    pthread_mutex_lock(&trc.lock);
    r = table_find_name(&trc.threads, name);
    if (r) {
        r->on = true;
        r->level = level;
        r->units = units;
    }
    pthread_mutex_unlock(&trc.lock);
    return r != NULL;
}

bool trc_turn_off(const char *name)
{
    struct record *r;

    pthread_mutex_lock(&trc.lock);
    r = table_find_name(&trc.threads, name);
    if (r)
        r->on = false;
    pthread_mutex_unlock(&trc.lock);
    return r != NULL;
}

/* With the lock held: one more line of this thread. */
static void add_line(struct record *r, const char *format, ...)
{
    int number = trc.lines.count, used;
    char *line = ring_add(&trc.lines);
    va_list values;

    r->lines++;
    used = snprintf(line, LINE_SIZE, "%d %s %d ", number, r->name, r->depth);
    va_start(values, format);
    vsnprintf(line + used, (size_t)(LINE_SIZE - used), format, values);
    va_end(values);
}

static bool is_traced(const struct record *r, unsigned unit, int level)
{
    return r->on && level <= r->level && (unit & r->units);
}

void trc_enter(unsigned unit, const char *function)
{
    struct record *r;

    pthread_mutex_lock(&trc.lock);
    r = table_find(&trc.threads, pthread_self());
    if (r) {
        r->calls++;
        r->depth++;
        if (is_traced(r, unit, CALLS))
            add_line(r, "> %s", function);
    }
    pthread_mutex_unlock(&trc.lock);
}

void trc_return(unsigned unit, const char *function)
{
    struct record *r;

    pthread_mutex_lock(&trc.lock);
    r = table_find(&trc.threads, pthread_self());
    if (r) {
        if (is_traced(r, unit, CALLS))
            add_line(r, "< %s", function);
        r->depth--;
    }
    pthread_mutex_unlock(&trc.lock);
}

void trc_value(unsigned unit, int level, const char *name, long value)
{
    struct record *r;

    pthread_mutex_lock(&trc.lock);
    r = table_find(&trc.threads, pthread_self());
    if (r && is_traced(r, unit, level))
        add_line(r, "%s = %ld", name, value);
    pthread_mutex_unlock(&trc.lock);
}

int trc_calls(void)
{
    int calls;

    pthread_mutex_lock(&trc.lock);
    calls = trc.calls;
    pthread_mutex_unlock(&trc.lock);
    return calls;
}

int trc_lines(void)
{
    int lines;

    pthread_mutex_lock(&trc.lock);
    lines = trc.traced;
    pthread_mutex_unlock(&trc.lock);
    return lines;
}

const char *trc_line(int number)
{
    const char *line;

    pthread_mutex_lock(&trc.lock);
    line = ring_line(&trc.lines, number);
    pthread_mutex_unlock(&trc.lock);
    return line;
}

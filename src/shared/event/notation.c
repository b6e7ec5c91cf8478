/* SPDX-License-Identifier: MIT
 *
 * Reads the notation from left to right, one call at a time.  No memory is
 * taken, for one of the readers lives in the tested program.
 */
#include "event/notation.h"

#include <stddef.h>
#include <string.h>

static bool is_one_of(char c, const char *set)
{
    while (*set && *set != c)
        set++;
    return *set != '\0';
}

static void skip_space(struct notation *n)
{
    while (is_one_of(*n->at, " \t\n\v\f\r"))
        n->at++;
}

static enum notation_step refuse(struct notation *n,
                                 enum notation_mistake mistake)
{
    n->mistake = mistake;
    return NOTATION_WRONG;
}

/* ---- Calls ---- */

/* The length of the longest name that fits here; 0: there is none. */
static size_t find_operation(const struct notation *n, uint32_t *operation)
{
    size_t longest = 0;
    const char *name;

    for (uint32_t i = 0; (name = n->name_of(n->names, i)); i++) {
        size_t length = strlen(name);

        if (length > longest && strncmp(n->at, name, length) == 0) {
            *operation = i;
            longest = length;
        }
    }
    return longest;
}

static enum notation_step read_call(struct notation *n,
                                    struct notation_call *out)
{
    size_t length = find_operation(n, &out->operation);

    if (!length)
        return refuse(n, NOTATION_UNKNOWN);
    n->at += length;
    out->once = *n->at == '\'';
    n->at += out->once;
    out->thread = n->thread;
    n->calls++;
    return NOTATION_CALL;
}

/* ---- Threads ---- */

static bool ends_calls(char c)
{
    return c == '\0' || is_one_of(c, "(|)");
}

static void begin_thread(struct notation *n)
{
    n->thread++;
    n->calls = 0;
}

/* What stands between calls: a parenthesis, a bar or the end. */
static bool read_mark(struct notation *n)
{
    bool inside = n->has_threads && n->thread > 0;
    char mark = *n->at;

    if (mark == '(' && !inside) {
        begin_thread(n);
    } else if (!n->calls) {
        n->mistake = NOTATION_EMPTY;
        return false;
    } else if (mark == '|' && inside) {
        begin_thread(n);
    } else if (mark == (inside ? ')' : '\0') && n->thread > 0) {
        n->ended = true;
    } else {
        n->mistake = inside ? NOTATION_UNCLOSED : NOTATION_MORE;
        return false;
    }
    n->at += mark != '\0';
    return true;
}

/* ---- The door ---- */

struct notation notation_begin(const char *text,
                               const char *(*name_of)(const void *, uint32_t),
                               const void *names)
{
    bool has_threads = false;

    for (const char *p = text; *p; p++)
        has_threads |= *p == '(';
    return (struct notation){.at = text,
                             .name_of = name_of,
                             .names = names,
                             .has_threads = has_threads,
                             .thread = has_threads ? 0 : 1};
}

enum notation_step notation_next(struct notation *n, struct notation_call *out)
{
    for (;;) {
        skip_space(n);
        if (n->ended)
            return *n->at ? refuse(n, NOTATION_MORE) : NOTATION_END;
        if (!ends_calls(*n->at))
            return read_call(n, out);
        if (!read_mark(n))
            return NOTATION_WRONG;
    }
}

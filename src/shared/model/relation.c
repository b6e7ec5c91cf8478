/* SPDX-License-Identifier: MIT
 *
 * The reader of the relation language: one function for each level of
 * precedence, loosest first.
 */
#include "model/relation.h"

#include <string.h>

#define MARK(name, text, words) text,
const char *const relation_mark_names[] = {RELATION_MARKS(MARK)};
#undef MARK
#define MARK(name, text, words) words,
const char *const relation_mark_words[] = {RELATION_MARKS(MARK)};
#undef MARK
#define BASE(name, text, words) text,
const char *const relation_base_names[] = {RELATION_BASES(BASE)};
#undef BASE
#define BASE(name, text, words) words,
const char *const relation_base_words[] = {RELATION_BASES(BASE)};
#undef BASE

#define NONE 255

struct reader {
    const char *text, *at;
    const struct relation_let *lets;
    struct relation_tree *out;
    bool failed;
    unsigned depth;
};

static uint8_t add_node(struct reader *r, enum relation_op op, uint8_t number,
                        uint8_t a, uint8_t b)
{
    if (r->out->count == RELATION_NODES_MAX)
        r->failed = true;
    if (r->failed)
        return 0;
    r->out->nodes[r->out->count] =
        (struct relation_node){(uint8_t)op, number, a, b};
    return (uint8_t)r->out->count++;
}

static bool take_char(struct reader *r, char c)
{
    while (*r->at == ' ')
        r->at++;
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_';
}

/* A name, as long as it goes; "^-1" never follows one without its `^'. */
static size_t name_length(struct reader *r)
{
    size_t n = 0;

    while (*r->at == ' ')
        r->at++;
    while (in_name(r->at[n]))
        n++;
    return n;
}

static uint8_t find_name(const char *const *names, size_t count,
                         const char *name, size_t n)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == n && memcmp(names[i], name, n) == 0)
            return (uint8_t)i;
    return NONE;
}

static uint8_t find_let(const struct reader *r, const char *name, size_t n)
{
    for (size_t i = 0; r->lets && r->lets[i].name; i++)
        if (strlen(r->lets[i].name) == n &&
            memcmp(r->lets[i].name, name, n) == 0)
            return (uint8_t)i;
    return NONE;
}

static uint8_t fail(struct reader *r)
{
    r->failed = true;
    return 0;
}

/* ---- sets ---- */

static uint8_t read_marks(struct reader *r);

/* M is R|W: short, since it is everywhere. */
static uint8_t read_mark(struct reader *r)
{
    uint8_t node;

    if (take_char(r, '(')) {
        node = ++r->depth > 32 ? fail(r) : read_marks(r);
        r->depth--;
        return take_char(r, ')') ? node : fail(r);
    }

    size_t n = name_length(r);
    const char *name = r->at;
    uint8_t number = find_name(relation_mark_names, MARK_COUNT, name, n);

    r->at += n;
    if (n == 1 && *name == 'M') {
        node = add_node(r, RELATION_MARKED, MARK_NUMBER_R, 0, 0);
        return add_node(r, RELATION_UNION, 0, node,
                        add_node(r, RELATION_MARKED, MARK_NUMBER_W, 0, 0));
    }
    return number == NONE ? fail(r)
                          : add_node(r, RELATION_MARKED, number, 0, 0);
}

static uint8_t read_marks_both(struct reader *r)
{
    uint8_t node = read_mark(r);

    while (!r->failed) {
        if (take_char(r, '&'))
            node = add_node(r, RELATION_BOTH, 0, node, read_mark(r));
        else if (take_char(r, '\\'))
            node = add_node(r, RELATION_WITHOUT, 0, node, read_mark(r));
        else
            break;
    }
    return node;
}

static uint8_t read_marks(struct reader *r)
{
    uint8_t node = read_marks_both(r);

    while (!r->failed && take_char(r, '|'))
        node = add_node(r, RELATION_UNION, 0, node, read_marks_both(r));
    return node;
}

/* ---- relations ---- */

static uint8_t read_union(struct reader *r);

static uint8_t read_named(struct reader *r)
{
    size_t n = name_length(r);
    uint8_t base = find_name(relation_base_names, BASE_COUNT, r->at, n);
    uint8_t let = find_let(r, r->at, n);

    if (n == 0 || (base == NONE && let == NONE))
        return fail(r);
    r->at += n;
    return let != NONE ? add_node(r, RELATION_LET, let, 0, 0)
                       : add_node(r, RELATION_BASE, base, 0, 0);
}

static uint8_t read_primary(struct reader *r)
{
    uint8_t node;

    if (take_char(r, '(')) {
        node = ++r->depth > 32 ? fail(r) : read_union(r);
        r->depth--;
        return take_char(r, ')') ? node : fail(r);
    }
    if (take_char(r, '[')) {
        node = read_marks(r);
        return take_char(r, ']') ? add_node(r, RELATION_SET, 0, node, 0)
                                 : fail(r);
    }
    return read_named(r);
}

static uint8_t read_postfix(struct reader *r)
{
    uint8_t node = read_primary(r);

    while (!r->failed) {
        if (take_char(r, '+'))
            node = add_node(r, RELATION_PLUS, 0, node, 0);
        else if (take_char(r, '*'))
            node = add_node(r, RELATION_STAR, 0, node, 0);
        else if (take_char(r, '?'))
            node = add_node(r, RELATION_OPTIONAL, 0, node, 0);
        else if (strncmp(r->at, "^-1", 3) == 0) {
            r->at += 3;
            node = add_node(r, RELATION_INVERSE, 0, node, 0);
        } else
            break;
    }
    return node;
}

static uint8_t read_both(struct reader *r)
{
    uint8_t node = read_postfix(r);

    while (!r->failed) {
        if (take_char(r, '&'))
            node = add_node(r, RELATION_BOTH, 0, node, read_postfix(r));
        else if (take_char(r, '\\'))
            node = add_node(r, RELATION_WITHOUT, 0, node, read_postfix(r));
        else
            break;
    }
    return node;
}

static uint8_t read_then(struct reader *r)
{
    uint8_t node = read_both(r);

    while (!r->failed && take_char(r, ';'))
        node = add_node(r, RELATION_THEN, 0, node, read_both(r));
    return node;
}

static uint8_t read_union(struct reader *r)
{
    uint8_t node = read_then(r);

    while (!r->failed && take_char(r, '|'))
        node = add_node(r, RELATION_UNION, 0, node, read_then(r));
    return node;
}

bool relation_read(const char *text, const struct relation_let *lets,
                   struct relation_tree *out, size_t *at)
{
    struct reader r = {.text = text, .at = text, .lets = lets, .out = out};

    out->count = 0;
    read_union(&r);
    while (*r.at == ' ')
        r.at++;
    *at = (size_t)(r.at - r.text);
    return !r.failed && *r.at == '\0';
}

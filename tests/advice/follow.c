/* SPDX-License-Identifier: MIT
 *
 * follow ANSWER.json SOURCE.c: does to the source what the first finding of the
 * answer says, as somebody would who reads it: the order named in that line is
 * replaced, or a fence put before it.  Where the line has no order, because it
 * calls a wrapper or uses a macro, the order is sought in there.
 */
#include <ctype.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX (1 << 18)
#define DEEPEST 4

static char text[TEXT_MAX];

/* ---- The source ---- */

static bool read_source(const char *path)
{
    FILE *f = fopen(path, "r");
    size_t n;

    if (!f)
        return false;
    n = fread(text, 1, sizeof text - 1, f);
    text[n] = '\0';
    return fclose(f) == 0;
}

static bool write_source(const char *path)
{
    FILE *f = fopen(path, "w");

    if (!f)
        return false;
    fputs(text, f);
    return fclose(f) == 0;
}

static char *line_start(unsigned line)
{
    char *p = text;

    while (--line && p)
        p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL;
    return p;
}

static void replace(char *at, size_t length, const char *by)
{
    size_t n = strlen(by);

    if (strlen(text) + n >= sizeof text)
        exit(3);
    memmove(at + n, at + length, strlen(at + length) + 1);
    memcpy(at, by, n);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The word that begins at or after p, before end. */
static char *next_word(char *p, const char *end, size_t *length)
{
    while (p < end && !is_word(*p))
        p++;
    for (*length = 0; p + *length < end && is_word(p[*length]);)
        ++*length;
    return *length ? p : NULL;
}

/* ---- Where its order is ---- */

struct place {
    char *at;
    size_t length;
    bool is_gcc; /* __ATOMIC_RELAXED */
};

static void spell(char *to, size_t size, bool gcc, const char *order)
{
    snprintf(to, size, "%s%s", gcc ? "__ATOMIC_" : "memory_order_", order);
    for (char *p = to; gcc && *p; p++)
        *p = (char)toupper((unsigned char)*p);
}

static bool is_order(const char *word, size_t length, bool gcc,
                     const char *order)
{
    char spelt[64];

    spell(spelt, sizeof spelt, gcc, order);
    return strlen(spelt) == length && !memcmp(spelt, word, length);
}

/* Is that word defined as the order? */
static bool stands_for(const char *word, size_t length, bool gcc,
                       const char *order)
{
    char line[160], spelt[64];

    spell(spelt, sizeof spelt, gcc, order);
    snprintf(line, sizeof line, "#define %.*s %s\n", (int)length, word, spelt);
    return strstr(text, line);
}

/* The order in that stretch; of a CAS that fails, the last. */
static bool find_here(char *from, const char *end, const char *order, bool last,
                      struct place *place)
{
    bool found = false;
    size_t length;

    for (char *w = from; (w = next_word(w, end, &length)); w += length) {
        for (int gcc = 0; gcc < 2; gcc++) {
            if (!is_order(w, length, gcc, order) &&
                !stands_for(w, length, gcc, order))
                continue;
            *place = (struct place){w, length, gcc};
            found = true;
        }
        if (found && !last)
            return true;
    }
    return found;
}

/* The body of that macro or function, if it is in the file. */
static bool find_body(const char *name, size_t length, char **from, char **end)
{
    for (char *p = text; (p = strstr(p, "\n")); p++) {
        char *paren = strchr(p + 1, '('), *line_end = strchr(p + 1, '\n');

        if (!paren || !line_end || paren > line_end || p[1] == ' ' ||
            (size_t)(paren - p) < length + 2 ||
            is_word(paren[-1 - (int)length]) ||
            memcmp(paren - length, name, length) != 0)
            continue;
        *from = paren;
        if (p[1] == '#')
            while (line_end[-1] == '\\')
                line_end = strchr(line_end + 1, '\n');
        else
            line_end = strstr(p, "\n}");
        *end = line_end;
        return line_end;
    }
    return false;
}

static bool find_order(char *from, const char *end, const char *order,
                       bool last, unsigned depth, struct place *place)
{
    size_t length;

    if (find_here(from, end, order, last, place))
        return true;
    for (char *w = from; depth && (w = next_word(w, end, &length));
         w += length) {
        char *body, *body_end;

        if (w[length] == '(' && find_body(w, length, &body, &body_end) &&
            (from < body || from > body_end) &&
            find_order(body, body_end, order, last, depth - 1, place))
            return true;
    }
    return false;
}

/* Where the call that begins there ends, else the statement. */
static char *end_of_call(char *from)
{
    char *p = from;
    int depth = 0;

    while (is_word(*p))
        p++;
    if (*p != '(')
        return strchr(from, ';');
    do {
        depth += (*p == '(') - (*p == ')');
        p++;
    } while (depth && *p);
    return p;
}

/* ---- What is asked for ---- */

static const char *string_of(json_t *change, const char *key)
{
    const char *s = json_string_value(json_object_get(change, key));

    return s ? s : "";
}

static bool change_order(json_t *change)
{
    unsigned line =
        (unsigned)json_integer_value(json_object_get(change, "line"));
    unsigned column =
        (unsigned)json_integer_value(json_object_get(change, "column"));
    bool last = !strcmp(string_of(change, "of"), "failure");
    char *from = line_start(line), *end, by[64];
    struct place place;

    if (!from)
        return false;
    from += column ? column - 1 : 0;
    end = end_of_call(from);
    if (!find_order(from, end, string_of(change, "from"), last, DEEPEST,
                    &place)) {
        /* A macro that has it since the last change. */
        if (find_order(from, end, string_of(change, "to"), last, DEEPEST,
                       &place))
            return true;
        fprintf(stderr, "line %u: no order there\n", line);
        return false;
    }
    spell(by, sizeof by, place.is_gcc, string_of(change, "to"));
    replace(place.at, place.length, by);
    return true;
}

/* Where the block or statement that begins there ends. */
static char *end_of_branch(char *at)
{
    int depth = 0;

    for (; *at; at++) {
        depth += (*at == '{') - (*at == '}');
        if (!depth && (*at == ';' || *at == '}'))
            return at + 1;
    }
    return at;
}

static bool begins_with(const char *line, const char *word)
{
    line += strspn(line, " \t}");
    return !strncmp(line, word, strlen(word)) && !is_word(line[strlen(word)]);
}

/* The line that ends there is a condition: the fence goes to the beginning of
 * its branch, and to where it goes on if the condition does not hold. */
static void fence_both_ways(char *line, char *end, const char *fence)
{
    bool brace = end[-1] == '{';
    char *branch = brace ? end - 1 : end, *after = end_of_branch(branch);
    bool has_else = begins_with(after + strspn(after, "\n"), "else");
    char put[128];

    snprintf(put, sizeof put, "%s%s %s", brace ? "" : "}",
             has_else                  ? ""
             : begins_with(line, "if") ? " else"
                                       : "",
             has_else ? "" : fence);
    replace(after, 0, put);
    snprintf(put, sizeof put, "%s%s", brace ? "" : "{", fence);
    replace(end, 0, put);
}

static bool is_condition(const char *line, const char *end)
{
    return (begins_with(line, "if") || begins_with(line, "while")) &&
           (end[-1] == ')' || end[-1] == '{');
}

static bool add_fence(json_t *change)
{
    const char *kind = string_of(change, "kind");
    const char *order = !strcmp(kind, "ss")   ? "RELEASE"
                        : !strcmp(kind, "ll") ? "ACQUIRE"
                                              : "SEQ_CST";
    char *at = line_start(
        (unsigned)json_integer_value(json_object_get(change, "line")));
    char fence[80], *line;

    if (!at || at == text)
        return false;
    snprintf(fence, sizeof fence, "__atomic_thread_fence(__ATOMIC_%s);", order);
    at--; /* at the end of the line before, so that none moves */
    for (line = at; line > text && line[-1] != '\n';)
        line--;
    if (is_condition(line, at))
        fence_both_ways(line, at, fence);
    else
        replace(at, 0, fence);
    return true;
}

static bool follow(json_t *changes)
{
    json_t *c;
    size_t i;
    bool ok = json_array_size(changes) > 0;

    json_array_foreach(changes, i, c)
    {
        bool fence =
            !json_object_get(c, "to") || !strcmp(string_of(c, "to"), "fence");

        ok = (fence ? add_fence(c) : change_order(c)) && ok;
    }
    return ok;
}

int main(int argc, char **argv)
{
    json_t *answer = argc == 3 ? json_load_file(argv[1], 0, NULL) : NULL;
    json_t *first = json_array_get(json_object_get(answer, "findings"), 0);
    json_t *cure = json_object_get(first, "cure");
    bool ok;

    if (!first || !read_source(argv[2]))
        return 2;
    if (!json_array_size(cure))
        cure = json_object_get(first, "fences");
    ok = follow(cure) && write_source(argv[2]);
    json_decref(answer);
    return ok ? 0 : 1;
}

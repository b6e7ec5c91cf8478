/* SPDX-License-Identifier: MIT
 *
 * Lines of the user's sources.  A file that is not there any more leaves the
 * report without source text, no more.
 */
#include "report/steps.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE_MAX (64u << 20)

struct source {
    struct source *next;
    const char *dir, *file; /* lent by the first site that asked */
    struct buf text;
    const char *whole;  /* as it was read */
    const char **lines; /* NUL-ended in text; NULL: not readable */
    size_t count;
};

struct sources {
    struct source *files;
    struct arena arena;
};

struct sources *sources_new(void)
{
    struct sources *s = calloc(1, sizeof(*s));

    CHECK(s != NULL);
    return s;
}

static bool read_source(struct source *f, struct arena *a)
{
    struct err e;

    if (*f->file == '\0')
        return false;
    if (*f->file != '/' && *f->dir) {
        const char *path = arena_printf(a, "%s/%s", f->dir, f->file);

        if (buf_read_file(&f->text, path, SOURCE_MAX, &e))
            return true;
        buf_clear(&f->text);
    }
    return buf_read_file(&f->text, f->file, SOURCE_MAX, &e);
}

static char *trim(char *line)
{
    while (isspace((unsigned char)*line))
        line++;

    size_t n = strlen(line);

    while (n > 0 && isspace((unsigned char)line[n - 1]))
        line[--n] = '\0';
    for (size_t i = 0; i < n; i++) {
        if (iscntrl((unsigned char)line[i]))
            line[i] = ' ';
    }
    return line;
}

static void split(struct source *f, struct arena *a)
{
    size_t n = 1;

    for (size_t i = 0; i < f->text.count; i++)
        n += f->text.bytes[i] == '\n';
    f->lines = arena_array(a, n, sizeof(*f->lines));

    char *line = f->text.bytes;

    while (line) {
        char *end = strchr(line, '\n');

        if (end)
            *end = '\0';
        f->lines[f->count++] = trim(line);
        line = end ? end + 1 : NULL;
    }
}

static struct source *find(struct sources *s, const struct fencer_site *site)
{
    struct source *f;

    for (f = s->files; f; f = f->next) {
        if (strcmp(f->file, site->file) == 0 && strcmp(f->dir, site->dir) == 0)
            return f;
    }
    f = arena_alloc(&s->arena, sizeof(*f));
    f->dir = site->dir;
    f->file = site->file;
    f->next = s->files;
    s->files = f;
    if (read_source(f, &s->arena)) {
        f->whole = arena_copy_n(&s->arena, f->text.bytes, f->text.count);
        split(f, &s->arena);
    }
    return f;
}

const char *sources_text(struct sources *s, const struct fencer_site *site)
{
    return find(s, site)->whole;
}

const char *sources_line(struct sources *s, const struct fencer_site *site)
{
    if (site->line == 0)
        return NULL;

    const struct source *f = find(s, site);

    if (site->line > f->count || *f->lines[site->line - 1] == '\0')
        return NULL;
    return f->lines[site->line - 1];
}

/* After a string, a character or a comment that begins here; the same place
 * if none does.  *open: a comment goes on in the next line. */
static const char *skip(const char *at, bool *open)
{
    const char *end;

    if (*at == '"' || *at == '\'') {
        for (end = at + 1; *end && *end != *at; end++)
            end += *end == '\\' && end[1];
        return end + (*end != '\0');
    }
    if (strncmp(at, "//", 2) == 0)
        return at + strlen(at);
    if (strncmp(at, "/*", 2) != 0 && !*open)
        return at;
    end = strstr(*open ? at : at + 2, "*/");
    *open = !end;
    return end ? end + 2 : at + strlen(at);
}

/* Does the line begin with a condition? */
static bool is_condition(const char *at)
{
    static const char *const words[] = {"if", "while", "for", "switch"};

    while (*at && strchr(" \t}", *at))
        at++;
    if (strncmp(at, "else ", 5) == 0)
        at += 5;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);

        if (strncmp(at, words[i], n) == 0 && (at[n] == ' ' || at[n] == '('))
            return true;
    }
    return false;
}

/* Is there nothing in this line but the end of a loop without body? */
static bool is_empty_statement(const char *at)
{
    return at[strspn(at, " \t")] == ';';
}

/* Does a statement, or a condition before a block, end in this line?  `depth`
 * counts parentheses. */
static bool ends_here(const char *at, int *depth, bool *open)
{
    while (*at) {
        const char *after = skip(at, open);

        if (after != at) {
            at = after;
            continue;
        }
        *depth += (*at == '(') - (*at == ')');
        if (*depth <= 0 && (*at == ';' || *at == '{'))
            return true;
        at++;
    }
    return false;
}

unsigned sources_statement_end(struct sources *s,
                               const struct fencer_site *site)
{
    const struct source *f = site->line ? find(s, site) : NULL;
    int depth = 0;
    bool open = false, condition = false;

    for (unsigned line = site->line; f && line <= f->count; line++) {
        const char *text = f->lines[line - 1];

        condition = condition || (line == site->line && is_condition(text));
        if (ends_here(text, &depth, &open))
            return line;
        /* Its branch has no braces. */
        if (condition && !open && depth <= 0 &&
            !(line < f->count && is_empty_statement(f->lines[line])))
            return line;
    }
    return site->line;
}

bool sources_in_condition(struct sources *s, const struct fencer_site *site)
{
    const struct source *f = site->line ? find(s, site) : NULL;
    unsigned end = sources_statement_end(s, site);
    const char *last;

    if (!f || end > f->count || !is_condition(f->lines[site->line - 1]))
        return false;
    last = f->lines[end - 1];
    return *last == '\0' || last[strlen(last) - 1] != ';';
}

void sources_free(struct sources *s)
{
    for (struct source *f = s->files; f; f = f->next)
        buf_free(&f->text);
    arena_free(&s->arena);
    free(s);
}

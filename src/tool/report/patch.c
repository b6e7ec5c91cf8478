/* SPDX-License-Identifier: MIT
 *
 * The cure as changes of lines, and as a diff that `git apply` takes.  It is
 * made only where a line of C can be changed without understanding the program:
 * a fence after a statement that stands by itself, a memory order that is spelt
 * out once.  Else there is none, and the words of the report have to do.
 */
#include "report/patch.h"

#include <ctype.h>
#include <string.h>

#define CONTEXT 3

static void split_lines(struct patch *p, const char *text)
{
    size_t n = 1;

    for (const char *at = text; *at; at++)
        n += *at == '\n';
    p->lines = arena_array(p->arena, n, sizeof(*p->lines));
    p->instead = arena_array(p->arena, n, sizeof(*p->instead));
    p->after = arena_array(p->arena, n, sizeof(*p->after));
    p->ends = true;
    while (*text) {
        size_t length = strcspn(text, "\n");

        p->lines[p->count++] = arena_copy_n(p->arena, text, length);
        p->ends = text[length] != '\0';
        text += length + p->ends;
    }
}

static struct patch *patch_of(struct patches *all,
                              const struct fencer_site *site)
{
    const char *text = sources_text(all->sources, site);

    for (size_t i = 0; i < all->count; i++) {
        if (strcmp(all->list[i].site->file, site->file) == 0 &&
            strcmp(all->list[i].site->dir, site->dir) == 0)
            return &all->list[i];
    }
    if (!text)
        return NULL;
    VEC_PUSH(all, {.site = site, .arena = &all->arena});
    split_lines(&VEC_LAST(all), text);
    return &VEC_LAST(all);
}

/* ---- A fence ---- */

static const char *skip_space(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

static bool begins_with_word(const char *line, const char *word)
{
    size_t n = strlen(word);

    return strncmp(line, word, n) == 0 && !isalnum((unsigned char)line[n]) &&
           line[n] != '_';
}

/* After these no statement of its own follows, or not in the same place. */
static bool is_controlled(const char *line)
{
    static const char *const words[] = {"if",     "else",   "for",  "while",
                                        "do",     "switch", "case", "default",
                                        "return", "goto"};

    line = skip_space(line);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (begins_with_word(line, words[i]))
            return true;
    }
    return *line == '}' || *line == '#';
}

static char last_sign(const char *line)
{
    size_t n = strlen(line);

    while (n > 0 && isspace((unsigned char)line[n - 1]))
        n--;
    return n ? line[n - 1] : '\0';
}

/* Is the line above the end of something?  A line that ends in a comment may
 * be anything, but for those that are nothing else. */
static bool follows_statement(const struct patch *p, size_t line)
{
    while (line-- > 1) {
        const char *above = skip_space(p->lines[line - 1]);
        char last = last_sign(above);

        if (last == '\0' || *above == '#' || strncmp(above, "/*", 2) == 0 ||
            strncmp(above, "//", 2) == 0 || *above == '*')
            continue;
        return last == ';' || last == '{' || last == '}' || last == ':';
    }
    return false;
}

static bool precedes_else(const struct patch *p, size_t line)
{
    while (line < p->count && !*skip_space(p->lines[line]))
        line++;
    return line < p->count &&
           begins_with_word(skip_space(p->lines[line]), "else");
}

static bool stands_alone(const struct patch *p, size_t first, size_t last)
{
    return first >= 1 && last <= p->count &&
           !is_controlled(p->lines[first - 1]) &&
           last_sign(p->lines[last - 1]) == ';' &&
           follows_statement(p, first) && !precedes_else(p, last);
}

static bool includes(const struct patch *p, const char *header)
{
    for (size_t i = 0; i < p->count; i++) {
        const char *line = skip_space(p->lines[i]);

        if (*line == '#' && strstr(line, "include") && strstr(line, header))
            return true;
    }
    return false;
}

/* What the file can call without another header. */
static const char *fence_call(const struct patch *p, uint32_t bits)
{
    const char *order = report_fence_order(bits);
    char *upper;

    if (includes(p, "fencer.h"))
        return arena_printf(p->arena, "fencer_fence_%s();",
                            report_fence_kind(bits));
    if (includes(p, "stdatomic.h"))
        return arena_printf(p->arena, "atomic_thread_fence(memory_order_%s);",
                            order);
    upper =
        arena_printf(p->arena, "__atomic_thread_fence(__ATOMIC_%s);", order);
    for (char *at = upper + strlen("__atomic_thread_fence("); *at; at++)
        *at = (char)toupper((unsigned char)*at);
    return upper;
}

static bool add_fence(struct patch *p, const struct fencer_site *site,
                      unsigned last, uint32_t bits)
{
    const char *line = site->line <= p->count ? p->lines[site->line - 1] : "";
    int indent = (int)(skip_space(line) - line);
    const char *text;

    if (site->line > p->count || !stands_alone(p, site->line, last))
        return false;
    text = arena_printf(p->arena, "%.*s%s", indent, line, fence_call(p, bits));
    if (p->after[last - 1] && strcmp(p->after[last - 1], text) != 0)
        return false;
    p->after[last - 1] = text;
    return true;
}

/* ---- An order ---- */

/* The next order that is spelt out, and what is before its name. */
static const char *next_order(const char *text, const char **prefix)
{
    const char *c11 = strstr(text, "memory_order_");
    const char *gnu = strstr(text, "__ATOMIC_");

    if (!c11 && !gnu)
        return NULL;
    *prefix = !gnu || (c11 && c11 < gnu) ? "memory_order_" : "__ATOMIC_";
    return *prefix[0] == 'm' ? c11 : gnu;
}

static const char *spelt(struct arena *a, const char *prefix,
                         enum event_order order)
{
    char *text = arena_printf(a, "%s%s", prefix, order_words(order));

    for (char *at = text; *prefix == '_' && *at; at++)
        *at = (char)toupper((unsigned char)*at);
    return text;
}

static size_t count_orders(const struct patch *p, size_t first, size_t last)
{
    const char *prefix;
    size_t n = 0;

    for (size_t i = first; i <= last && i <= p->count; i++) {
        const char *at = p->lines[i - 1];

        while ((at = next_order(at, &prefix)) != NULL) {
            n++;
            at++;
        }
    }
    return n;
}

/* Replaces the order number `which` of those lines, if it is `from`. */
static bool replace_order(struct patch *p, size_t first, size_t last,
                          size_t which, const struct channel_fence *change)
{
    const char *prefix;

    for (size_t i = first; i <= last && i <= p->count; i++) {
        const char *line =
            p->instead[i - 1] ? p->instead[i - 1] : p->lines[i - 1];
        const char *at = line;

        for (; (at = next_order(at, &prefix)) != NULL; at++) {
            const char *from, *to;

            if (which-- > 0)
                continue;
            from = spelt(p->arena, prefix, report_order_from(change));
            to = spelt(p->arena, prefix, report_order_to(change));
            if (!begins_with_word(at, from))
                return false;
            p->instead[i - 1] =
                arena_printf(p->arena, "%.*s%s%s", (int)(at - line), line, to,
                             at + strlen(from));
            return true;
        }
    }
    return false;
}

/* Where the parenthesis that is open there ends; `comma`: the last comma
 * directly inside it.  NULL: not in this line. */
static const char *closing(const char *at, const char **comma)
{
    int depth = 1;

    *comma = NULL;
    for (; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0)
            return at;
        if (depth == 1 && *at == ',')
            *comma = at;
        if (*at == '"' || *at == '\'')
            return NULL;
    }
    return NULL;
}

/* The last argument of atomic_load_explicit and its like is the order, however
 * it is spelt; of a compare-and-swap there are two, which is left alone. */
static bool replace_argument(struct patch *p, size_t line,
                             const struct channel_fence *change)
{
    const char *text =
        p->instead[line - 1] ? p->instead[line - 1] : p->lines[line - 1];
    const char *call = strstr(text, "_explicit(");
    const char *comma, *end;

    if (!call || strstr(call + 1, "_explicit(") || strstr(text, "compare"))
        return false;
    end = closing(call + strlen("_explicit("), &comma);
    if (!end || !comma)
        return false;
    p->instead[line - 1] = arena_printf(
        p->arena, "%.*s, %s%s", (int)(comma - text), text,
        spelt(p->arena, "memory_order_", report_order_to(change)), end);
    return true;
}

/* A compare-and-swap has two, and the second is that of a failure. */
static bool change_order(struct patch *p, const struct fencer_site *site,
                         unsigned last, const struct channel_fence *change)
{
    size_t orders = count_orders(p, site->line, last);
    bool failure = change->bits & CHANNEL_FENCE_FAILURE;

    if (orders == 0 && !failure && site->line <= p->count)
        return replace_argument(p, site->line, change);
    if (orders != 1 && !(orders == 2 && site->kind == EV_RMW))
        return false;
    if (failure && orders != 2)
        return false;
    return replace_order(p, site->line, last, failure, change);
}

/* ---- The diff ---- */

static bool is_changed(const struct patch *p, size_t i)
{
    return p->instead[i] || p->after[i];
}

static void put_hunk(const struct patch *p, size_t first, size_t end,
                     long *moved, struct buf *out)
{
    size_t more = 0;

    for (size_t i = first; i < end; i++)
        more += p->after[i] != NULL;
    buf_printf(out, "@@ -%zu,%zu +%zu,%zu @@\n", first + 1, end - first,
               (size_t)((long)first + 1 + *moved), end - first + more);
    for (size_t i = first; i < end; i++) {
        bool last = i + 1 == p->count && !p->ends;
        const char *mark = last ? "\n\\ No newline at end of file\n" : "\n";

        buf_printf(out, "%c%s%s", p->instead[i] ? '-' : ' ', p->lines[i], mark);
        if (p->instead[i])
            buf_printf(out, "+%s%s", p->instead[i], mark);
        if (p->after[i])
            buf_printf(out, "+%s\n", p->after[i]);
    }
    *moved += (long)more;
}

static void put_patch(const struct patch *p, struct buf *out)
{
    bool absolute = *p->site->file == '/';
    long moved = 0;

    buf_printf(out, "--- %s%s\n+++ %s%s\n", absolute ? "" : "a/", p->site->file,
               absolute ? "" : "b/", p->site->file);
    for (size_t i = 0; i < p->count; i++) {
        size_t first, end, last = i;

        if (!is_changed(p, i))
            continue;
        for (size_t k = i; k < p->count && k <= last + 2 * CONTEXT; k++) {
            if (is_changed(p, k))
                last = k;
        }
        first = i > CONTEXT ? i - CONTEXT : 0;
        end = last + CONTEXT + 1 < p->count ? last + CONTEXT + 1 : p->count;
        put_hunk(p, first, end, &moved, out);
        i = last;
    }
}

static bool add_change(struct patches *all, const struct trace *t,
                       const struct channel_fence *change)
{
    const struct fencer_site *site = &t->sites[change->site];
    struct patch *p = site->line ? patch_of(all, site) : NULL;
    unsigned last = sources_statement_end(all->sources, site);

    if (!p)
        return false;
    return report_is_order(change) ? change_order(p, site, last, change)
                                   : add_fence(p, site, last, change->bits);
}

bool patches_of(const struct shown *f, struct sources *s, struct patches *p)
{
    const struct channel_fence *list = f->cure_count ? f->cure : f->fences;
    size_t count = f->cure_count ? f->cure_count : f->fence_count;
    bool ok = count > 0;

    *p = (struct patches){.sources = s};
    for (size_t i = 0; i < count && ok; i++)
        ok = add_change(p, &f->trace, &list[i]);
    return ok;
}

void patches_free(struct patches *p)
{
    VEC_FREE(p);
    arena_free(&p->arena);
}

bool patches_diff(const struct shown *f, struct sources *s, struct buf *out)
{
    struct patches all;
    bool ok = patches_of(f, s, &all);

    for (size_t i = 0; i < all.count && ok; i++)
        put_patch(&all.list[i], out);
    patches_free(&all);
    return ok;
}

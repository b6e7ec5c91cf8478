/* SPDX-License-Identifier: MIT
 *
 * One pass over the text, line by line; `at` never goes back over a newline.
 * What may be defined twice, and what not, follows TOML 1.0: a table has one
 * header, keys of a header's table are not added by a dotted key elsewhere, and
 * what is written in braces or brackets is complete.
 */
#include "base/toml.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/clean.h"
#include "base/words.h"

#define DEPTH_MAX 32

struct parser {
    const char *at; /* ends with a NUL */
    size_t line;
    unsigned depth;
    struct arena *arena;
    struct toml *root, *table; /* where keys go */
    struct err *e;
};

const char *toml_words(enum toml_type type)
{
    static const char *const words[] = {"string",  "integer", "number",
                                        "boolean", "array",   "table"};

    return words[type];
}

const struct toml *toml_get(const struct toml *table, const char *key)
{
    const struct toml *t = table->first;

    while (t && strcmp(t->key, key) != 0)
        t = t->next;
    return t;
}

/* ---- Small things ---- */

static bool fail(struct parser *p, const char *what)
{
    err_set(p->e, "%s", what);
    return err_in(p->e, "line %zu", p->line);
}

static bool fail_key(struct parser *p, const char *key, const char *what)
{
    err_set(p->e, "'%s' %s", key, what);
    return err_in(p->e, "line %zu", p->line);
}

static struct toml *add(struct parser *p, struct toml *to, const char *key,
                        enum toml_type type, enum toml_origin origin)
{
    struct toml *t = arena_alloc(p->arena, sizeof(*t));

    *t = (struct toml){
        .type = type, .key = key, .line = p->line, .origin = origin};
    if (to->last)
        to->last->next = t;
    else
        to->first = t;
    to->last = t;
    return t;
}

static void skip_blanks(struct parser *p)
{
    while (*p->at == ' ' || *p->at == '\t')
        p->at++;
}

/* A comment may have anything but control characters. */
static bool skip_comment(struct parser *p)
{
    skip_blanks(p);
    if (*p->at != '#')
        return true;
    while (*p->at && *p->at != '\n' && strncmp(p->at, "\r\n", 2) != 0) {
        unsigned char c = (unsigned char)*p->at;

        if ((c < 0x20 && c != '\t') || c == 0x7f)
            return fail(p, "a control character in a comment");
        p->at++;
    }
    return true;
}

static bool take_newline(struct parser *p)
{
    size_t n = strncmp(p->at, "\r\n", 2) == 0 ? 2 : *p->at == '\n';

    p->at += n;
    p->line += n > 0;
    return n > 0;
}

static bool end_line(struct parser *p)
{
    if (!skip_comment(p))
        return false;
    return *p->at == '\0' || take_newline(p) ||
           fail(p, "something after the value, or a newline is missing");
}

/* Blanks, comments and newlines, inside brackets. */
static bool skip_lines(struct parser *p)
{
    do {
        if (!skip_comment(p))
            return false;
    } while (take_newline(p));
    return true;
}

/* ---- Strings ---- */

static void put_code(struct buf *out, uint32_t code)
{
    if (code < 0x80) {
        buf_putc(out, (char)code);
        return;
    }
    if (code < 0x800) {
        buf_putc(out, (char)(0xc0 | code >> 6));
    } else {
        if (code < 0x10000) {
            buf_putc(out, (char)(0xe0 | code >> 12));
        } else {
            buf_putc(out, (char)(0xf0 | code >> 18));
            buf_putc(out, (char)(0x80 | (code >> 12 & 0x3f)));
        }
        buf_putc(out, (char)(0x80 | (code >> 6 & 0x3f)));
    }
    buf_putc(out, (char)(0x80 | (code & 0x3f)));
}

/* \uXXXX and \UXXXXXXXX.  A NUL would end our strings. */
static bool take_code(struct parser *p, size_t digits, struct buf *out)
{
    uint32_t code = 0;

    for (size_t i = 0; i < digits; i++) {
        char c = *p->at;

        if (!isxdigit((unsigned char)c))
            return fail(p, "\\u takes four hexadecimal digits, \\U eight");
        code = code << 4 |
               (uint32_t)(isdigit((unsigned char)c) ? c - '0'
                                                    : (c | 32) - 'a' + 10);
        p->at++;
    }
    if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return fail(p, "a character that there is not, or NUL");
    put_code(out, code);
    return true;
}

static bool take_escape(struct parser *p, struct buf *out)
{
    static const char names[] = "btnfr\"\\", values[] = "\b\t\n\f\r\"\\";
    char c = *p->at ? *p->at++ : '\0';
    const char *name = c ? strchr(names, c) : NULL;

    if (name)
        buf_putc(out, values[name - names]);
    else if (c == 'u' || c == 'U')
        return take_code(p, c == 'u' ? 4 : 8, out);
    else
        return fail(p, "an escape that TOML does not have");
    return true;
}

/* After the quote; `quote` is " or '. */
static bool take_quoted(struct parser *p, char quote, struct buf *out)
{
    if (p->at[0] == quote && p->at[1] == quote)
        return fail(p, "strings over several lines are not supported");
    while (*p->at != quote) {
        unsigned char c = (unsigned char)*p->at;

        if (c == '\0' || c == '\n')
            return fail(p, "a string that does not end in its line");
        if ((c < 0x20 && c != '\t') || c == 0x7f)
            return fail(p, "a control character in a string");
        p->at++;
        if (c == '\\' && quote == '"') {
            if (!take_escape(p, out))
                return false;
        } else {
            buf_putc(out, (char)c);
        }
    }
    p->at++;
    return true;
}

/* NULL: it failed. */
static const char *take_string(struct parser *p)
{
    struct buf text = {0};
    char quote = *p->at++;
    const char *copy = NULL;

    if (take_quoted(p, quote, &text))
        copy = arena_copy(p->arena, text.count ? text.bytes : "");
    buf_free(&text);
    return copy;
}

/* ---- Keys ---- */

static bool is_bare(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

static const char *take_key(struct parser *p)
{
    const char *from = p->at;

    if (*p->at == '"' || *p->at == '\'')
        return take_string(p);
    while (is_bare(*p->at))
        p->at++;
    if (p->at == from) {
        fail(p, "a key is missing");
        return NULL;
    }
    return arena_copy_n(p->arena, from, (size_t)(p->at - from));
}

/* More of a dotted key? */
static bool take_dot(struct parser *p)
{
    skip_blanks(p);
    if (*p->at != '.')
        return false;
    p->at++;
    skip_blanks(p);
    return true;
}

/* ---- Values ---- */

static bool take_value(struct parser *p, struct toml *to, const char *key);
static bool take_pair(struct parser *p, struct toml *table);

static bool take_array(struct parser *p, struct toml *t)
{
    p->at++;
    for (;;) {
        if (!skip_lines(p))
            return false;
        if (*p->at == ']')
            break;
        if (!take_value(p, t, NULL) || !skip_lines(p))
            return false;
        if (*p->at == ',')
            p->at++;
        else if (*p->at != ']')
            return fail(p, "an array goes on with ',' or ends with ']'");
    }
    p->at++;
    return true;
}

/* In one line, and without a comma at the end. */
static bool take_inline(struct parser *p, struct toml *t)
{
    p->at++;
    skip_blanks(p);
    if (*p->at == '}') {
        p->at++;
        return true;
    }
    for (;;) {
        skip_blanks(p);
        if (!take_pair(p, t))
            return false;
        skip_blanks(p);
        if (*p->at == '}')
            break;
        if (*p->at != ',')
            return fail(p, "a table in braces goes on with ',' or ends with "
                           "'}', in the same line");
        p->at++;
    }
    p->at++;
    return true;
}

/* Dotted keys inside it are complete too. */
static void close_table(struct toml *t)
{
    t->origin = ORIGIN_VALUE;
    for (struct toml *c = t->first; c; c = c->next) {
        if (c->type == TOML_TABLE)
            close_table(c);
    }
}

/* Digits with `_' only between digits. */
static size_t take_digits(const char *at, struct buf *out)
{
    size_t i = 0;

    while (isdigit((unsigned char)at[i]) ||
           (i && at[i] == '_' && isdigit((unsigned char)at[i - 1]) &&
            isdigit((unsigned char)at[i + 1]))) {
        if (at[i] != '_')
            buf_putc(out, at[i]);
        i++;
    }
    return i;
}

/* "1.5e-3" after its whole part. */
static bool take_fraction(struct parser *p, struct buf *text, bool *real)
{
    size_t n;

    if (*p->at == '.') {
        *real = true;
        buf_putc(text, *p->at++);
        n = take_digits(p->at, text);
        p->at += n;
        if (n == 0)
            return fail(p, "digits are missing after the point");
    }
    if (*p->at == 'e' || *p->at == 'E') {
        *real = true;
        buf_putc(text, *p->at++);
        if (*p->at == '-' || *p->at == '+')
            buf_putc(text, *p->at++);
        n = take_digits(p->at, text);
        p->at += n;
        if (n == 0)
            return fail(p, "digits are missing in the exponent");
    }
    return true;
}

static bool finish_number(struct parser *p, struct toml *t,
                          const struct buf *text, size_t sign, bool real)
{
    const char *digits = text->bytes + sign;
    uint64_t n = 0;
    bool negative = *text->bytes == '-';

    if (digits[0] == '0' && isdigit((unsigned char)digits[1]))
        return fail(p, "a number does not begin with 0");
    t->type = real ? TOML_REAL : TOML_INTEGER;
    t->text = arena_copy(p->arena, text->bytes);
    if (!real && !words_number(digits, 0, INT64_MAX, &n))
        return fail(p, "a number that is too large");
    t->integer = negative ? -(int64_t)n : (int64_t)n;
    if (is_bare(*p->at) || *p->at == ':')
        return fail(p, "not a decimal number; dates are not supported");
    return true;
}

static bool take_number(struct parser *p, struct toml *t)
{
    struct buf text = {0};
    size_t sign = *p->at == '-' || *p->at == '+', n;
    bool real = false, ok;

    buf_puts(&text, "");
    if (sign)
        buf_putc(&text, *p->at++);
    n = take_digits(p->at, &text);
    p->at += n;
    ok = n ? take_fraction(p, &text, &real) &&
                 finish_number(p, t, &text, sign, real)
           : fail(p, "a value is missing: a string in quotes, a number, true, "
                     "false, [...] or {...}");
    buf_free(&text);
    return ok;
}

static bool take_word(struct parser *p, struct toml *t)
{
    size_t n = strncmp(p->at, "true", 4) == 0    ? 4
               : strncmp(p->at, "false", 5) == 0 ? 5
                                                 : 0;

    if (n == 0 || is_bare(p->at[n]))
        return take_number(p, t);
    t->type = TOML_BOOLEAN;
    t->truth = n == 4;
    p->at += n;
    return true;
}

static bool take_nested(struct parser *p, struct toml *t)
{
    bool ok;

    if (p->depth == DEPTH_MAX)
        return fail(p, "too many brackets inside one another");
    p->depth++;
    t->type = *p->at == '[' ? TOML_ARRAY : TOML_TABLE;
    if (t->type == TOML_TABLE)
        t->origin = ORIGIN_DOTTED; /* until it is complete */
    ok = t->type == TOML_ARRAY ? take_array(p, t) : take_inline(p, t);
    if (t->type == TOML_TABLE)
        close_table(t);
    p->depth--;
    return ok;
}

static bool take_value(struct parser *p, struct toml *to, const char *key)
{
    struct toml *t = add(p, to, key, TOML_STRING, ORIGIN_VALUE);

    if (*p->at == '[' || *p->at == '{')
        return take_nested(p, t);
    if (*p->at != '"' && *p->at != '\'')
        return take_word(p, t);
    t->text = take_string(p);
    return t->text != NULL;
}

/* ---- Lines ---- */

static struct toml *find(struct toml *table, const char *key)
{
    return (struct toml *)toml_get(table, key);
}

/* The table that `a.' means in `a.b = 1'; NULL: it failed. */
static struct toml *enter_dotted(struct parser *p, struct toml *table,
                                 const char *key)
{
    struct toml *t = find(table, key);

    if (!t)
        return add(p, table, key, TOML_TABLE, ORIGIN_DOTTED);
    if (t->type == TOML_TABLE && t->origin == ORIGIN_DOTTED)
        return t;
    fail_key(p, key, "is there already, and nothing can be added to it here");
    return NULL;
}

/* key = value, key.key = value */
static bool take_pair(struct parser *p, struct toml *table)
{
    const char *key = take_key(p);
    unsigned parts = 1;

    while (key && take_dot(p)) {
        if (parts++ == DEPTH_MAX)
            return fail(p, "too many dots in a key");
        table = enter_dotted(p, table, key);
        key = table ? take_key(p) : NULL;
    }
    if (!key)
        return false;
    if (*p->at != '=')
        return fail_key(p, key, "is not followed by '='");
    p->at++;
    skip_blanks(p);
    if (find(table, key))
        return fail_key(p, key, "is there already");
    return take_value(p, table, key);
}

/* The table that `a.' means in [a.b]: of an array of tables the last. */
static struct toml *enter_header(struct parser *p, struct toml *table,
                                 const char *key)
{
    struct toml *t = find(table, key);

    if (!t)
        return add(p, table, key, TOML_TABLE, ORIGIN_IMPLICIT);
    if (t->type == TOML_ARRAY && t->origin == ORIGIN_HEADER)
        return t->last;
    if (t->type == TOML_TABLE && t->origin != ORIGIN_VALUE)
        return t;
    fail_key(p, key, "is there already, and is no table that can be added to");
    return NULL;
}

static bool begin_table(struct parser *p, struct toml *in, const char *key)
{
    struct toml *t = find(in, key);

    if (t && (t->type != TOML_TABLE || t->origin != ORIGIN_IMPLICIT))
        return fail_key(p, key, "is there already");
    if (!t)
        t = add(p, in, key, TOML_TABLE, ORIGIN_HEADER);
    t->origin = ORIGIN_HEADER;
    t->line = p->line;
    p->table = t;
    return true;
}

static bool begin_element(struct parser *p, struct toml *in, const char *key)
{
    struct toml *t = find(in, key);

    if (t && (t->type != TOML_ARRAY || t->origin != ORIGIN_HEADER))
        return fail_key(p, key, "is there already");
    if (!t)
        t = add(p, in, key, TOML_ARRAY, ORIGIN_HEADER);
    p->table = add(p, t, NULL, TOML_TABLE, ORIGIN_HEADER);
    return true;
}

/* [a.b] or [[a.b]] */
static bool take_header(struct parser *p)
{
    bool element = p->at[1] == '[';
    struct toml *in = p->root;
    const char *key;

    p->at += 1 + element;
    skip_blanks(p);
    key = take_key(p);
    while (key && take_dot(p)) {
        in = enter_header(p, in, key);
        key = in ? take_key(p) : NULL;
    }
    if (!key)
        return false;
    if (p->at[0] != ']' || (element && p->at[1] != ']'))
        return fail(p, element ? "']]' is missing" : "']' is missing");
    p->at += 1 + element;
    return element ? begin_element(p, in, key) : begin_table(p, in, key);
}

/* Control characters are refused where they stand. */
static bool is_text(struct parser *p, const char *text, size_t n)
{
    if (strlen(text) != n)
        return err_set(p->e, "line 1: there is a NUL in it");
    for (; *text; p->line++) {
        size_t length = strcspn(text, "\n");

        if (!clean_is_utf8(text, length))
            return fail(p, "not UTF-8");
        text += length + (text[length] == '\n');
    }
    p->line = 1;
    return true;
}

static bool take_line(struct parser *p)
{
    skip_blanks(p);
    if (*p->at == '[') {
        if (!take_header(p))
            return false;
    } else if (*p->at && *p->at != '#' && *p->at != '\n' && *p->at != '\r') {
        if (!take_pair(p, p->table))
            return false;
    }
    return end_line(p);
}

bool toml_parse(const char *text, size_t n, struct arena *a,
                const struct toml **root, struct err *e)
{
    struct toml *all = arena_alloc(a, sizeof(*all));
    const char *copy = arena_copy_n(a, text, n);
    struct parser p = {
        .at = copy, .line = 1, .arena = a, .root = all, .table = all, .e = e};

    *all =
        (struct toml){.type = TOML_TABLE, .line = 1, .origin = ORIGIN_HEADER};
    *root = all;
    if (!is_text(&p, copy, n))
        return false;
    while (*p.at) {
        if (!take_line(&p))
            return false;
    }
    return true;
}

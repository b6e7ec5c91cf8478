/* SPDX-License-Identifier: MIT
 *
 * Cuts a file into tokens.
 */
#include "litmus/lexer.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Signs of two characters; any other printing character is a sign by itself. */
static const char *const pairs[] = {
    "/\\", "\\/", "==", "!=", "<=", ">=", "&&", "||"};

static void blank(char *from, const char *to)
{
    for (; from < to; from++)
        if (*from != '\n')
            *from = ' ';
}

/* The end of a comment that begins here, or NULL. */
static char *end_of_nested(char *at)
{
    unsigned depth = 0;

    if (strncmp(at, "(*", 2) != 0)
        return NULL;
    for (; *at; at++) {
        if (strncmp(at, "(*", 2) == 0) {
            depth++;
            at++;
        } else if (strncmp(at, "*)", 2) == 0) {
            at++;
            if (--depth == 0)
                return at + 1;
        }
    }
    return at;
}

static char *end_of_c(char *at)
{
    char *end = NULL;

    if (strncmp(at, "//", 2) == 0) {
        end = at + strcspn(at, "\n");
    } else if (strncmp(at, "/*", 2) == 0) {
        end = strstr(at + 2, "*/");
        end = end ? end + 2 : at + strlen(at);
    }
    return end;
}

/* In C, (*b) is code: there (* is a comment before P0 only. */
void lexer_blank(char *text, bool c)
{
    bool code = false;

    for (char *at = text; *at;) {
        char *end = code ? NULL : end_of_nested(at);

        if (!end && c)
            end = end_of_c(at);
        if (end) {
            blank(at, end);
            at = end;
            continue;
        }
        if (c && at[0] == 'P' && at[1] == '0' &&
            (at == text || isspace((unsigned char)at[-1])))
            code = true;
        at++;
    }
}

static bool begins_word(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static size_t length_of_word(const char *at)
{
    size_t n = 0;

    while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '.')
        n++;
    return n;
}

static size_t length_of_sign(const char *at)
{
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        if (strncmp(at, pairs[i], 2) == 0)
            return 2;
    return 1;
}

static size_t take_number(const char *at, int64_t *number)
{
    char *end;

    errno = 0;
    *number = (int64_t)strtoull(at, &end, 0);
    return errno ? 0 : (size_t)(end - at);
}

static bool cut_one(const char **at, uint32_t line, struct arena *a,
                    struct tokens *out)
{
    struct token t = {.line = line, .kind = TOKEN_SIGN};
    size_t n;

    if (begins_word(**at)) {
        t.kind = TOKEN_WORD;
        n = length_of_word(*at);
    } else if (isdigit((unsigned char)**at)) {
        t.kind = TOKEN_NUMBER;
        n = take_number(*at, &t.number);
    } else {
        n = isprint((unsigned char)**at) ? length_of_sign(*at) : 0;
    }
    t.text = arena_copy_n(a, *at, n);
    VEC_PUSH_IN(a, out, t);
    *at += n;
    return n > 0;
}

bool lexer_cut(const char *text, uint32_t line, struct arena *a,
               struct tokens *out, struct err *e)
{
    *out = (struct tokens){.err = e};
    while (*text) {
        if (*text == '\n')
            line++;
        if (isspace((unsigned char)*text))
            text++;
        else if (!cut_one(&text, line, a, out))
            return err_set(e, "line %u: '%.8s' is no part of a litmus test",
                           line, text);
    }
    VEC_PUSH_IN(a, out, {.kind = TOKEN_END, .text = "", .line = line});
    return true;
}

const struct token *lexer_peek(const struct tokens *t, size_t ahead)
{
    size_t at = t->at + ahead;

    return &t->list[at < t->count ? at : t->count - 1];
}

bool lexer_is(const struct tokens *t, const char *text)
{
    const struct token *next = lexer_peek(t, 0);

    return next->kind != TOKEN_END && strcmp(next->text, text) == 0;
}

bool lexer_take(struct tokens *t, const char *text)
{
    if (!lexer_is(t, text))
        return false;
    t->at++;
    return true;
}

bool lexer_need(struct tokens *t, const char *text)
{
    return lexer_take(t, text) || lexer_fail(t, "'%s' is missing", text);
}

bool lexer_need_word(struct tokens *t, const char *what, const char **word)
{
    const struct token *next = lexer_peek(t, 0);

    if (next->kind != TOKEN_WORD)
        return lexer_fail(t, "%s is missing", what);
    *word = next->text;
    t->at++;
    return true;
}

bool lexer_take_number(struct tokens *t, int64_t *number)
{
    size_t at = t->at;
    bool minus;

    if (!lexer_take(t, "#"))
        lexer_take(t, "$");
    minus = lexer_take(t, "-");
    if (lexer_peek(t, 0)->kind != TOKEN_NUMBER) {
        t->at = at;
        return false;
    }
    *number = lexer_peek(t, 0)->number;
    if (minus)
        *number = (int64_t)(0 - (uint64_t)*number);
    t->at++;
    return true;
}

bool lexer_fail(struct tokens *t, const char *fmt, ...)
{
    const struct token *next = lexer_peek(t, 0);
    char what[256];
    va_list args;

    va_start(args, fmt);
    vsnprintf(what, sizeof(what), fmt, args);
    va_end(args);
    if (next->kind == TOKEN_END)
        return err_set(t->err, "line %u: %s at the end of the file", next->line,
                       what);
    return err_set(t->err, "line %u: %s before '%.40s'", next->line, what,
                   next->text);
}

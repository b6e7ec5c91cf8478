/* SPDX-License-Identifier: MIT
 *
 * Words of the restricted C.  Comments and preprocessor lines are skipped:
 * what they say is for the compiler and the reader.
 */
#include "lex.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void lex_fail(struct lexer *p, const char *format, ...)
{
    int used = snprintf(p->error, p->error_size, "line %d: ", p->line);
    va_list args;

    va_start(args, format);
    vsnprintf(p->error + used, p->error_size - (size_t)used, format, args);
    va_end(args);
    longjmp(p->failed, 1);
}

static void skip_to(struct lexer *p, const char *end)
{
    while (*p->at && strncmp(p->at, end, strlen(end)))
        p->line += *p->at++ == '\n';
    p->at += *p->at ? strlen(end) : 0;
}

static void skip_space(struct lexer *p)
{
    for (;;) {
        while (isspace((unsigned char)*p->at))
            p->line += *p->at++ == '\n';
        if (!strncmp(p->at, "/*", 2)) {
            skip_to(p, "*/");
        } else if (!strncmp(p->at, "//", 2) || *p->at == '#') {
            skip_to(p, "\n");
            p->line++;
        } else {
            return;
        }
    }
}

void lex_next(struct lexer *p)
{
    static const char *const pairs[] = {"==", "!=", "&&", "||"};
    size_t length = 0;

    skip_space(p);
    p->is_name = isalpha((unsigned char)*p->at) || *p->at == '_';
    p->is_number = isdigit((unsigned char)*p->at);
    if (p->is_name || p->is_number)
        while (isalnum((unsigned char)p->at[length]) || p->at[length] == '_')
            length++;
    else if (*p->at)
        length = 1;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (!strncmp(p->at, pairs[i], 2))
            length = 2;
    if (length >= sizeof p->token)
        lex_fail(p, "a word of %zu letters", length);
    memcpy(p->token, p->at, length);
    p->token[length] = 0;
    if (p->is_number)
        p->number = strtoull(p->token, NULL, 0);
    p->at += length;
}

static bool lex_is(const struct lexer *p, const char *text)
{
    return !strcmp(p->token, text);
}

bool lex_accept(struct lexer *p, const char *text)
{
    if (!lex_is(p, text))
        return false;
    lex_next(p);
    return true;
}

void lex_expect(struct lexer *p, const char *text)
{
    if (!lex_accept(p, text))
        lex_fail(p, "'%s' expected, not '%s'", text, p->token);
}

void lex_name(struct lexer *p, char name[MAX_NAME])
{
    if (!p->is_name || strlen(p->token) >= MAX_NAME)
        lex_fail(p, "a name expected, not '%s'", p->token);
    strcpy(name, p->token);
    lex_next(p);
}

uint64_t lex_number(struct lexer *p)
{
    uint64_t value = p->number;

    if (!p->is_number)
        lex_fail(p, "a number expected, not '%s'", p->token);
    lex_next(p);
    return value;
}

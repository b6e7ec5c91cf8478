/* SPDX-License-Identifier: MIT
 *
 * The words of a litmus file, one at a time, for parse.c.  A mistake leaves by
 * longjmp, with "line 3: ..." in `error`.
 */
#ifndef ORACLE_LEX_H
#define ORACLE_LEX_H

#include <setjmp.h>

#include "program.h"

struct lexer {
    const char *at;
    int line;
    char token[64]; /* the current one; empty at the end */
    bool is_name, is_number;
    uint64_t number;
    jmp_buf failed;
    char *error;
    size_t error_size;
};

_Noreturn void lex_fail(struct lexer *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void lex_next(struct lexer *p);

/* If the current word is that one, goes on to the next; lex_expect fails
 * otherwise. */
bool lex_accept(struct lexer *p, const char *text);
void lex_expect(struct lexer *p, const char *text);

void lex_name(struct lexer *p, char name[MAX_NAME]);
uint64_t lex_number(struct lexer *p);

#endif

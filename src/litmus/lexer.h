/* SPDX-License-Identifier: MIT
 *
 * A litmus file as words, numbers and signs, each with its line.
 */
#ifndef LITMUS_LEXER_H
#define LITMUS_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_SIGN };

struct token {
    enum token_kind kind;
    const char *text; /* ends with NUL, lives in the arena */
    int64_t number;
    uint32_t line;
};

struct tokens {
    VEC(struct token); /* the last is TOKEN_END */
    size_t at;
    struct err *err;
};

/* Blanks out comments, lines stay.  `nested': (* *), up to `until' only; `c':
 * those of C. */
void lexer_blank(char *text, bool c);

/* Cuts text, which begins on that line, into tokens. */
bool lexer_cut(const char *text, uint32_t line, struct arena *a,
               struct tokens *out, struct err *e);

/* The token that comes next, or a later one. */
const struct token *lexer_peek(const struct tokens *t, size_t ahead);

/* Does that sign, or word, come next?  `take' goes past it. */
bool lexer_is(const struct tokens *t, const char *text);
bool lexer_take(struct tokens *t, const char *text);

/* Goes past what must be there. */
bool lexer_need(struct tokens *t, const char *text);
bool lexer_need_word(struct tokens *t, const char *what, const char **word);

/* A number with its sign, and whatever marks it ($1, #1). */
bool lexer_take_number(struct tokens *t, int64_t *number);

/* "line 7: unexpected ')'", or what fmt says instead. */
bool lexer_fail(struct tokens *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif

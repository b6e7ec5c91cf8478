/* SPDX-License-Identifier: MIT
 *
 * MUST(cond) states what must hold in the half of Fencer that lives in the
 * tested program, in release builds too: a proof that goes on after a broken
 * invariant is none.  It ends the run: the channel says which invariant broke,
 * where, and the tool says it to the user.  For our own mistakes only; what the
 * program does wrong is a finding (rt_fail).
 *
 * Code that is linked into the tool as well, for its unit tests, stops there as
 * base/check.h does.
 */
#ifndef EVENT_MUST_H
#define EVENT_MUST_H

#ifdef FENCER_RUNTIME
/* In one text, so that a check costs its caller one instruction and no
 * register. */
_Noreturn __attribute__((cold)) void must_fail(const char *place_and_condition);

#define MUST_TEXT(text) #text
#define MUST_LINE(line) MUST_TEXT(line)
#define MUST(cond)                                                             \
    (__builtin_expect(!!(cond), 1)                                             \
         ? (void)0                                                             \
         : must_fail(__FILE__ ":" MUST_LINE(__LINE__) ": " #cond))
#else
_Noreturn void check_failed(const char *file, int line, const char *what);

#define MUST(cond) ((cond) ? (void)0 : check_failed(__FILE__, __LINE__, #cond))
#endif

#endif

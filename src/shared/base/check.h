/* SPDX-License-Identifier: MIT
 *
 * CHECK(cond) states what must hold, in release builds too: a tool that goes
 * on after a broken invariant lies.  For our own mistakes only; the world's
 * are a struct err (base/err.h).
 */
#ifndef BASE_CHECK_H
#define BASE_CHECK_H

_Noreturn void check_failed(const char *file, int line, const char *what);

#define CHECK(cond) ((cond) ? (void)0 : check_failed(__FILE__, __LINE__, #cond))

#endif

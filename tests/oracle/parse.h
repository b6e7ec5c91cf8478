/* SPDX-License-Identifier: MIT
 *
 * Reads the abstract program from the C file that `fencer cc` compiles, so
 * that nothing is typed twice.  The C is restricted (see litmus/litmus.h):
 *
 *   int x, y = 1;                  also _Atomic int, union cell,
 *   pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
 *   sem_t s;                       begins as zero
 *   fencer_ghost long r0, r1;
 *   THREAD(left) { x = 1; r0 = __atomic_load_n(&y, __ATOMIC_ACQUIRE); }
 *   THREAD(right) { ... if (r1 == 0) { ... } }
 *   THREAD(third) { fencer_atomic { r2 = x; y = r2 + 1; } }
 *   LITMUS(left, right) { OBSERVE(r0); OBSERVE(x); EXISTS(r0 == 0); }
 *
 * A file with many programs has PROGRAM(name, threads...) in place of LITMUS
 * and ends with BATCH(names...).
 */
#ifndef ORACLE_PARSE_H
#define ORACLE_PARSE_H

#include "program.h"

struct programs {
    size_t count;
    struct program *list; /* in the order of the file */
};

/* Reads all programs of the text; on a mistake returns false with the reason,
 * "line 3: ...", in error.  `name` names a LITMUS program. */
bool parse_text(const char *text, const char *name, struct programs *out,
                char *error, size_t error_size);
bool parse_file(const char *path, struct programs *out, char *error,
                size_t error_size);
void programs_free(struct programs *p);

#endif

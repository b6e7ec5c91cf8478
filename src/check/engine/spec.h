/* SPDX-License-Identifier: MIT
 *
 * Specifications: the observations of serial executions, mined when they are
 * needed and kept in a file.  What is kept is found again by content: by the
 * program as a serial execution sees it, without fences, memory orders and
 * places in the source.  So experiments with fences mine once.
 */
#ifndef ENGINE_SPEC_H
#define ENGINE_SPEC_H

#include "lsl/lsl.h"
#include "lsl/lsl_test.h"
#include "serial/serial.h"

struct spec_store;

bool spec_open(const char *file, struct spec_store **store, struct err *e);
void spec_close(struct spec_store *s); /* NULL is fine */

/* As serial_mine, but what is kept is not mined again.  *kept says so, unless
 * the run that mined it was killed: this one continues it.  Store
 * NULL: nothing is kept.  A store that cannot be written to is no reason to
 * fail: it is closed to us from then on. */
enum serial_end spec_mine(struct spec_store *s, const struct lsl_program *p,
                          const struct test *t,
                          const struct serial_options *options, struct arena *a,
                          struct observation_set *out, bool *kept,
                          struct serial_failure *failure, struct err *e);

/* The same test for a reference implementation, whose operations are found by
 * name.  False: one is missing. */
bool spec_translate(const struct lsl_program *p, const struct test *t,
                    const struct lsl_program *reference, struct arena *a,
                    struct test *out, struct err *e);

/* Do the test's operations observe under the same labels in the program as
 * those of the reference did, by whose executions `mined` was found?  True also
 * if the program has no serial execution to compare with. */
bool spec_same_labels(const struct lsl_program *p, const struct test *t,
                      const struct observation_set *mined, struct err *e);

/* Can the reference specify that test?  Both of the former, without mining. */
bool spec_fits(const struct lsl_program *p, const struct test *t,
               const struct lsl_program *reference, struct err *e);

/* What the program is to a serial execution of the test, as text. */
void spec_put_program(const struct lsl_program *p, struct buf *out);
void spec_put_test(const struct lsl_program *p, const struct test *t,
                   struct buf *out);

#endif

/* SPDX-License-Identifier: MIT
 *
 * One line on a terminal that says how far it is; nothing where nobody looks.
 */
#ifndef CMD_TEST_PROGRESS_H
#define CMD_TEST_PROGRESS_H

#include <stdbool.h>

#include "expose/expose.h"

/* Gives the function and its argument for expose_options. */
void test_progress_init(bool quiet,
                        void (**tell)(void *, const struct expose_progress *),
                        void **arg);

/* Wipes the line. */
void test_progress_end(void);

#endif

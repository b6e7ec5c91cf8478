/* SPDX-License-Identifier: MIT
 *
 * Programs whose verdicts are known, in a notation of their own: threads
 * divided by '|', and operations by blanks.
 *
 *   Rx Wx   load, store       full ss sl ll   fences
 *   Ux      weak RMW          Ix              RMW that is full on both sides
 */
#ifndef MONITOR_TEST_KNOWN_H
#define MONITOR_TEST_KNOWN_H

#include "judge.h"
#include "program.h"

/* The program of that text. */
void known_parse(const char *text, struct program *p);

/* Is everything as it was found before?  Prints what is not. */
bool known_check(void);

#endif

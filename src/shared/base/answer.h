/* SPDX-License-Identifier: MIT
 *
 * Yes, no, or nobody knows.  What was not looked at to its end is unknown.
 */
#ifndef BASE_ANSWER_H
#define BASE_ANSWER_H

enum answer { ANSWER_UNKNOWN, ANSWER_NO, ANSWER_YES };

#endif

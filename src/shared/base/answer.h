/* SPDX-License-Identifier: MIT
 *
 * Yes, no, or unknown.  What was not examined completely is unknown.
 */
#ifndef BASE_ANSWER_H
#define BASE_ANSWER_H

enum answer { ANSWER_UNKNOWN, ANSWER_NO, ANSWER_YES };

#endif

/* SPDX-License-Identifier: MIT
 *
 * For the mutation test only: rows of a model's table, broken one at a time.
 */
#ifndef RUNTIME_MUTANT_H
#define RUNTIME_MUTANT_H

#include "model/model.h"

/* Reads the number of the mutant from the environment. */
void mutant_choose(void);

/* The model as it is, or without the fence that the mutant drops. */
const struct model *mutant_model(const struct model *m);

#endif

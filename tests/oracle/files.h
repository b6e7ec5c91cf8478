/* SPDX-License-Identifier: MIT
 *
 * The litmus tests as files, and programs as files to compile.
 */
#ifndef ORACLE_FILES_H
#define ORACLE_FILES_H

#include "program.h"
#include "tool.h"

enum { MAX_PATH = 512 };

struct files {
    size_t count;
    char (*paths)[MAX_PATH];
};

/* All C files of the folder, by name. */
struct files files_find(const char *folder);
void files_free(struct files *f);

/* The one program of a litmus file. */
struct program files_parse(const char *path);

/* Writes a program that failed to a file of the scratch folder, and says so. */
void files_keep(const struct tool *t, const struct program *p);

/* Writes the programs to NAME.c in the scratch folder and compiles them to
 * NAME.exe; `source` and `binary` get their paths. */
bool files_compile_batch(const struct tool *t, const char *name,
                         const struct program *list, size_t count, char *source,
                         char *binary);

#endif

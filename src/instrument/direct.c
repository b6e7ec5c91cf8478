/* SPDX-License-Identifier: MIT
 *
 * The command line is that of clang-19 -no-pie on Debian, without the folders
 * that nothing is found in.  Of 25 links of a ten-line program the quickest
 * took, in milliseconds of CPU time: gold 18, lld 30, bfd 33; clang alone takes
 * 29 before it starts one of them.  So gold is taken where it is installed,
 * which Debian's binutils do.
 *
 * Libraries are loaded as needed: every tested process starts the sooner for
 * each that is not.
 */
#include "instrument/direct.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SYSTEM "/usr/lib/x86_64-linux-gnu"
#define COMPILERS "/usr/lib/gcc/x86_64-linux-gnu"
#define LOADER "/lib64/ld-linux-x86-64.so.2"

/* ---- May it be done this way? ---- */

/* Libraries that are part of the C library, or given anyway. */
static bool is_everybodys(const char *library)
{
    static const char *const all[] = {"-lm",  "-lpthread", "-ldl",
                                      "-lrt", "-lc",       "-lutil"};

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        if (strcmp(library, all[i]) == 0)
            return true;
    }
    return false;
}

bool direct_is_possible(const struct args *a)
{
    bool some = false;

    for (size_t i = 0; i < a->link.count; i++) {
        if (strcmp(a->link.list[i], "-pthread") != 0)
            return false;
    }
    for (size_t i = 0; i < a->inputs.count; i++) {
        const struct input *in = &a->inputs.list[i];

        if (in->kind == INPUT_NATIVE ||
            (in->kind == INPUT_LINK && !is_everybodys(in->text)))
            return false;
        some |= in->kind == INPUT_C;
    }
    return some;
}

/* ---- What there is ---- */

static const char *find_linker(void)
{
    static const char *const linkers[] = {"/usr/bin/ld.gold", "/usr/bin/ld"};

    for (size_t i = 0; i < sizeof(linkers) / sizeof(*linkers); i++) {
        if (access(linkers[i], X_OK) == 0)
            return linkers[i];
    }
    return NULL;
}

/* The newest gcc that has the files every program begins and ends with, as
 * clang takes it. */
static bool find_compiler(char folder[PATH_MAX])
{
    DIR *dir = opendir(COMPILERS);
    long newest = -1;

    for (struct dirent *d; dir && (d = readdir(dir));) {
        char path[PATH_MAX], *end;
        long version = strtol(d->d_name, &end, 10);

        snprintf(path, sizeof(path), COMPILERS "/%s/crtbegin.o", d->d_name);
        if (*end || version <= newest || access(path, R_OK) != 0)
            continue;
        newest = version;
        snprintf(folder, PATH_MAX, COMPILERS "/%ld", version);
    }
    if (dir)
        closedir(dir);
    return newest >= 0;
}

/* ---- The link ---- */

static void add_list(struct strs *command, const char *const *words)
{
    for (; *words; words++)
        strs_add(command, *words);
}

static void put_command(struct strs *command, const char *linker,
                        const char *compiler, const char *output)
{
    static const char *const flags[] = {"--hash-style=gnu",
                                        "--eh-frame-hdr",
                                        "-m",
                                        "elf_x86_64",
                                        "-dynamic-linker",
                                        LOADER,
                                        "--as-needed",
                                        SYSTEM "/crt1.o",
                                        SYSTEM "/crti.o",
                                        NULL};

    strs_add(command, linker);
    strs_add(command, "-o");
    strs_add(command, output);
    add_list(command, flags);
    strs_addf(command, "%s/crtbegin.o", compiler);
    strs_addf(command, "-L%s", compiler);
    strs_add(command, "-L" SYSTEM);
}

static void put_libraries(struct strs *command, const char *compiler)
{
    static const char *const libraries[] = {
        "-lm", "-lgcc", "-lgcc_s", "-lc", "-lgcc", "-lgcc_s", NULL};

    add_list(command, libraries);
    strs_addf(command, "%s/crtend.o", compiler);
    strs_add(command, SYSTEM "/crtn.o");
}

bool direct_link(const struct args *a, struct work *w, const char *object,
                 const char *runtime, const char *output)
{
    struct strs command = {0};
    char compiler[PATH_MAX];
    const char *linker = find_linker();
    struct err ignored;
    int code;

    if (!linker || !direct_is_possible(a) || !find_compiler(compiler) ||
        access(SYSTEM "/crt1.o", R_OK) != 0)
        return false;
    put_command(&command, linker, compiler, output);
    strs_add(&command, object);
    strs_add(&command, runtime);
    put_libraries(&command, compiler);
    code = work_run(&command, NULL, work_file(w, ".err"), &ignored);
    strs_free(&command);
    return code == 0;
}

/* SPDX-License-Identifier: MIT
 *
 * Loads the module at the first call.  One of another build would disagree with
 * us about structures that both use, so it is refused.
 */
#include "compiler/compiler.h"

#include <dlfcn.h>
#include <string.h>

#include "base/home.h"
#include "compiler/stamp.h"

static bool check_stamp(const struct compiler *c, struct err *e)
{
    if (!c)
        return err_set(e, "it is no module of fencer");
    if (strcmp(c->stamp, COMPILER_STAMP) != 0)
        return err_set(e,
                       "it is of another build of fencer (%s, this one is "
                       "%s): install both together",
                       c->stamp, COMPILER_STAMP);
    return true;
}

/* It stays until the process ends: LLVM does not like to be unloaded. */
static const struct compiler *load_module(struct err *e)
{
    static const struct compiler *loaded;
    char path[PATH_MAX];

    if (loaded)
        return loaded;
    if (!home_path("fencer-llvm.so", path, e))
        return NULL;

    /* Lazy: of what LLVM calls, most is never called. */
    void *module = dlopen(path, RTLD_LAZY | RTLD_LOCAL);

    if (!module) {
        err_set(e, "cannot load the compiler: %s", dlerror());
        return NULL;
    }

    const struct compiler *c = dlsym(module, COMPILER_SYMBOL);

    if (check_stamp(c, e))
        loaded = c;
    else
        err_in(e, "cannot load the compiler: %s", path);
    return loaded;
}

int compiler_cc(int argc, char **argv, struct err *e)
{
    const struct compiler *c = load_module(e);

    return c ? c->cc(argc, argv, e) : INSTRUMENT_UNABLE;
}

int compiler_build(const char *const *sources, size_t count, const char *cflags,
                   unsigned how, const char *output, struct err *e)
{
    const struct compiler *c = load_module(e);

    return c ? c->build(sources, count, cflags, how, output, e)
             : INSTRUMENT_UNABLE;
}

enum lowered compiler_lower(const char *const *sources, size_t count,
                            const char *cflags, struct arena *a,
                            struct lsl_program *out, struct err *e)
{
    const struct compiler *c = load_module(e);

    return c ? c->lower(sources, count, cflags, a, out, e) : LOWER_REFUSED;
}

/* SPDX-License-Identifier: MIT
 *
 * fencer doctor: is everything here that Fencer needs?  Each check says what it
 * found, or what to do.  The last one is a whole verification: what no other
 * check knows of shows there.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/home.h"
#include "base/json.h"
#include "base/scratch.h"
#include "cmd/cache.h"
#include "cmd/cmd.h"
#include "cmd/tell.h"

#define PATIENCE 120 /* seconds for one process */
#define MEMORY_MB 512

enum health { HEALTHY, WEAK, SICK };

struct examination {
    struct arena arena;
    struct scratch scratch;
    enum health worst;
    struct buf text;
    json_t *checks;
};

static void note(struct examination *x, const char *name, enum health health,
                 const char *found, const char *todo)
{
    static const char *const marks[] = {"ok    ", "warn  ", "FAIL  "};
    static const char *const words[] = {"ok", "warning", "failed"};

    if (health > x->worst)
        x->worst = health;
    buf_printf(&x->text, "%s%-12s  %s\n", marks[health], name, found);
    if (todo && health != HEALTHY)
        buf_printf(&x->text, "%20s%s\n", "", todo);
    json_array_append_new(
        x->checks,
        json_pack("{s:s, s:s, s:o, s:o}", "check", name, "result",
                  words[health], "found", json_text(found), "todo",
                  todo && health != HEALTHY ? json_text(todo) : json_null()));
}

/* ---- Processes ---- */

static void become(char *const *argv, int out)
{
    signal(SIGALRM, SIG_DFL);
    alarm(PATIENCE);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execvp(argv[0], argv);
    _exit(127);
}

/* Its exit code, 127 if it is not there, -1 if it was killed; and what it
 * said. */
static int run_program(struct examination *x, const char *const *argv,
                       const char **said)
{
    struct buf text = {0};
    int ends[2], status = -1;
    char bytes[1024];
    ssize_t n;
    pid_t pid;

    *said = "";
    if (pipe(ends) != 0)
        return -1;
    pid = fork();
    if (pid == 0)
        become((char *const *)argv, ends[1]);
    close(ends[1]);
    buf_puts(&text, "");
    while (pid > 0 && (n = read(ends[0], bytes, sizeof(bytes))) > 0)
        buf_add(&text, bytes, text.count < 8000 ? (size_t)n : 0);
    close(ends[0]);
    if (pid > 0)
        waitpid(pid, &status, 0);
    *said = arena_copy(&x->arena, text.bytes);
    buf_free(&text);
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static const char *first_line(struct examination *x, const char *text)
{
    return arena_copy_n(&x->arena, text, strcspn(text, "\n"));
}

/* ---- The compiler ---- */

static void check_clang(struct examination *x)
{
    const char *const argv[] = {"clang-19", "--version", NULL};
    const char *said;
    int code = run_program(x, argv, &said);

    note(x, "compiler", code == 0 ? HEALTHY : SICK,
         code == 0     ? first_line(x, said)
         : code == 127 ? "clang-19 is not on the PATH"
                       : "clang-19 does not run",
         "apt-get install clang-19");
}

static const char *write_scratch(struct examination *x, const char *name,
                                 const char *text)
{
    const char *path =
        arena_printf(&x->arena, "%s/%s", x->scratch.folder, name);
    struct err e;

    return file_write(path, text, strlen(text), &e) ? path : NULL;
}

static void check_linker(struct examination *x)
{
    const char *source =
        write_scratch(x, "link.c",
                      "#include <pthread.h>\n#include <stdio.h>\n"
                      "int main(void) { return pthread_self() == 0; }\n");
    const char *out = arena_printf(&x->arena, "%s/link", x->scratch.folder);
    const char *const argv[] = {"clang-19", source, "-o", out, NULL};
    const char *said = "";
    int code = source ? run_program(x, argv, &said) : -1;

    note(x, "linker", code == 0 ? HEALTHY : SICK,
         code == 0 ? "links a program"
         : *said   ? first_line(x, said)
                   : "a program cannot be linked",
         "apt-get install binutils libc6-dev libgcc-12-dev");
}

/* ---- What belongs to the tool ---- */

static void check_home(struct examination *x)
{
    static const char *const files[] = {"libfencer_rt.a", "fencer-llvm.so",
                                        "include/fencer.h"};
    char path[PATH_MAX] = "";
    struct err e;

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        if (home_path(files[i], path, &e) && access(path, R_OK) == 0)
            continue;
        note(x, "installation", SICK,
             arena_printf(&x->arena, "%s: %s", *path ? path : files[i],
                          strerror(errno)),
             "install Fencer again: cmake --install, or build it");
        return;
    }
    note(x, "installation", HEALTHY, "the runtime and the module are there",
         NULL);
}

/* ---- What the kernel allows ---- */

/* Asked in a process of its own, which forgets it. */
static bool child_can(bool (*try)(void))
{
    int status = 0;
    pid_t pid = fork();

    if (pid == 0)
        _exit(try() ? 0 : 1);
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

static bool fix_addresses(void)
{
    unsigned long now = (unsigned long)personality(0xffffffff);

    return personality(now | ADDR_NO_RANDOMIZE) != -1;
}

static void check_addresses(struct examination *x)
{
    bool ok = child_can(fix_addresses);

    note(x, "addresses", ok ? HEALTHY : SICK,
         ok ? "address randomisation can be switched off"
            : "personality(ADDR_NO_RANDOMIZE) is forbidden here",
         "in a container: --security-opt seccomp=unconfined");
}

static bool trace_me(void)
{
    return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0;
}

/* Only replay --gdb needs these two. */
static void check_gdb(struct examination *x)
{
    const char *const argv[] = {"gdb", "--version", NULL};
    const char *said;
    bool traced = child_can(trace_me);
    bool there = run_program(x, argv, &said) == 0;

    note(x, "debugger", traced && there ? HEALTHY : WEAK,
         !there   ? "gdb is not there; only replay --gdb needs it"
         : traced ? first_line(x, said)
                  : "ptrace is forbidden here; only replay --gdb needs it",
         !there ? "apt-get install gdb"
                : "in a container: --cap-add SYS_PTRACE; else see "
                  "/proc/sys/kernel/yama/ptrace_scope");
}

/* ---- Memory ---- */

/* In megabytes; 0: nobody knows. */
static uint64_t memory_available(void)
{
    FILE *f = fopen("/proc/meminfo", "r");
    char line[200];
    uint64_t kilobytes = 0;

    while (f && fgets(line, sizeof(line), f)) {
        if (sscanf(line, "MemAvailable: %" SCNu64, &kilobytes) == 1)
            break;
    }
    if (f)
        fclose(f);
    return kilobytes / 1024;
}

static void check_memory(struct examination *x)
{
    struct rlimit limit;
    uint64_t free_mb = memory_available();

    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        note(x, "memory", SICK,
             arena_printf(&x->arena, "addresses are limited to %" PRIu64 " MB",
                          (uint64_t)limit.rlim_cur >> 20),
             "tested programs use fixed addresses, far apart: ulimit -v "
             "unlimited");
        return;
    }
    note(x, "memory", free_mb && free_mb < MEMORY_MB ? WEAK : HEALTHY,
         arena_printf(&x->arena, "%" PRIu64 " MB are available", free_mb),
         "compiling alone takes some 200 MB a process; --jobs 1 needs the "
         "least");
}

/* ---- Folders ---- */

static void check_cache(struct examination *x)
{
    const char *folder = cache_folder(&x->arena);
    struct err e;
    bool ok = folder && folder_make(folder, &e) && access(folder, W_OK) == 0;

    note(x, "cache", ok ? HEALTHY : WEAK,
         ok       ? folder
         : folder ? arena_printf(&x->arena,
                                 "%s cannot be written; every source is "
                                 "compiled each time",
                                 folder)
                  : "there is neither HOME nor XDG_CACHE_HOME; every source is "
                    "compiled each time",
         "set XDG_CACHE_HOME to a folder that can be written");
}

static void check_folder(struct examination *x)
{
    bool ok = access(".", W_OK | X_OK) == 0;

    note(x, "folder", ok ? HEALTHY : WEAK,
         ok ? "findings can be kept in .fencer"
            : "the current folder cannot be written",
         "--out DIR keeps findings elsewhere");
}

/* ---- All of it ---- */

static const char store_buffering[] =
    "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
    "static atomic_int x, y;\nstatic int r, s;\n"
    "static void *one(void *p)\n{\n"
    "    atomic_store_explicit(&x, 1, ORDER);\n"
    "    r = atomic_load_explicit(&y, ORDER);\n    return p;\n}\n"
    "static void *two(void *p)\n{\n"
    "    atomic_store_explicit(&y, 1, ORDER);\n"
    "    s = atomic_load_explicit(&x, ORDER);\n    return p;\n}\n"
    "int main(void)\n{\n    pthread_t a, b;\n"
    "    pthread_create(&a, 0, one, 0);\n    pthread_create(&b, 0, two, 0);\n"
    "    pthread_join(a, 0);\n    pthread_join(b, 0);\n"
    "    assert(r || s);\n    return 0;\n}\n";

/* Both sides: the bug is found, and its cure has none. */
static void check_work(struct examination *x)
{
    static const struct {
        const char *flags;
        int code;
    } sides[] = {{"--cflags=-DORDER=memory_order_relaxed", EXIT_FOUND},
                 {"--cflags=-DORDER=memory_order_seq_cst", EXIT_NOTHING_FOUND}};
    const char *source = write_scratch(x, "doctor.c", store_buffering);
    const char *out =
        arena_printf(&x->arena, "--out=%s/out", x->scratch.folder);

    for (size_t i = 0; i < 2; i++) {
        const char *const argv[] = {"/proc/self/exe",
                                    "verify",
                                    "--quiet",
                                    "--no-cache",
                                    "--model=sc,tso",
                                    sides[i].flags,
                                    out,
                                    source,
                                    NULL};
        const char *said = "";
        int code = source ? run_program(x, argv, &said) : -1;

        if (code == sides[i].code)
            continue;
        note(x, "a program", SICK,
             *said ? first_line(x, said)
                   : arena_printf(&x->arena,
                                  "fencer verify ended with %d, not %d", code,
                                  sides[i].code),
             "see the other lines; else this is a mistake of ours: please "
             "report it");
        return;
    }
    note(x, "a program", HEALTHY,
         "was compiled and verified; its bug was found, its cure has none",
         NULL);
}

/* What verify kept there; scratch_remove wants no folders. */
static void remove_out(struct examination *x)
{
    const char *path = arena_printf(&x->arena, "%s/out", x->scratch.folder);
    const char *const argv[] = {"rm", "-rf", path, NULL};
    const char *said;

    run_program(x, argv, &said);
}

static bool examine(struct examination *x, struct err *e)
{
    const char *tmp = getenv("TMPDIR");

    if (!scratch_make(tmp && *tmp ? tmp : "/tmp", &x->scratch, e))
        return false;
    check_clang(x);
    check_linker(x);
    check_home(x);
    check_addresses(x);
    check_gdb(x);
    check_memory(x);
    check_cache(x);
    check_folder(x);
    check_work(x);
    remove_out(x);
    scratch_remove(&x->scratch);
    buf_puts(&x->text, x->worst == SICK ? "something that Fencer needs is not "
                                          "here\n"
                                        : "everything that Fencer needs is "
                                          "here\n");
    return true;
}

static bool tell(const struct examination *x, const struct options *o,
                 struct err *e)
{
    json_t *j = json_pack("{s:s, s:s, s:O}", "fencer", FENCER_VERSION,
                          "command", "doctor", "checks", x->checks);
    struct buf bytes = {0};
    bool ok;

    json_put(j, JSON_INDENT(2), &bytes);
    buf_putc(&bytes, '\n');
    ok = !o->json || tell_json(o->json, &bytes, e);
    ok = ok && (o->quiet || tell_is_elsewhere(o) || tell_text(&x->text, e));
    buf_free(&bytes);
    return ok;
}

int cmd_doctor(struct options *o, struct err *e)
{
    struct examination x = {.checks = json_array()};
    int code = EXIT_USAGE;

    if (o->operand_count)
        err_set(e, "doctor takes no operands");
    else if (tell_can(o, &x.arena, e))
        code = examine(&x, e) && tell(&x, o, e) && x.worst != SICK
                   ? EXIT_NOTHING_FOUND
                   : EXIT_UNFINISHED;
    json_decref(x.checks);
    buf_free(&x.text);
    arena_free(&x.arena);
    return code;
}

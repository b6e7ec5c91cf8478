/* SPDX-License-Identifier: MIT
 *
 * Only the command line and the JSON of the contract are used here.
 */
#include "tool.h"

#include <fcntl.h>
#include <ftw.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs argv with its output in `log`; the exit code, or -1. */
static int execute(const struct tool *t, const char *const *argv,
                   const char *log)
{
    int status;
    pid_t pid = fork();

    REQUIRE(pid >= 0, "cannot fork");
    if (!pid) {
        int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        char number[16];

        snprintf(number, sizeof number, "%d", t->mutant);
        if (t->mutant >= 0)
            setenv("FENCER_MUTANT", number, 1);
        dup2(out, 1);
        dup2(out, 2);
        execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static void copy_to_stderr(const char *path)
{
    FILE *f = fopen(path, "r");
    char line[512];

    while (f && fgets(line, sizeof line, f))
        fputs(line, stderr);
    if (f)
        fclose(f);
}

bool tool_compile(const struct tool *t, const char *source, const char *program)
{
    char include[512], log[512];
    const char *argv[] = {t->fencer, "cc", "-g",    include,
                          source,    "-o", program, NULL};

    snprintf(include, sizeof include, "-I%s", t->include);
    snprintf(log, sizeof log, "%s/%s.cc.log", t->scratch, t->tag);
    if (execute(t, argv, log) == 0)
        return true;
    fprintf(stderr, "%s: does not compile\n", source);
    copy_to_stderr(log);
    return false;
}

/* The outcomes of models[0] in the JSON file. */
static bool read_outcomes(const char *path, const struct program *p,
                          struct outcomes *seen, char *error, size_t error_size)
{
    json_error_t problem;
    json_t *root = json_load_file(path, 0, &problem);
    json_t *model = json_array_get(json_object_get(root, "models"), 0);
    json_t *outcomes = json_object_get(model, "outcomes"), *one;
    uint64_t values[MAX_OBSERVED];
    bool ok = json_array_size(outcomes) > 0;
    size_t i;

    if (!ok)
        snprintf(error, error_size, "no outcomes in its JSON");
    json_array_foreach(outcomes, i, one)
    {
        const char *text = json_string_value(json_object_get(one, "outcome"));

        if (text && outcome_parse(p, text, values)) {
            outcomes_add(seen, values);
            continue;
        }
        snprintf(error, error_size, "this is no outcome: '%s'",
                 text ? text : "");
        ok = false;
    }
    json_decref(root);
    return ok;
}

bool tool_run(const struct tool *t, const char *program, const struct run *r,
              const struct program *p, struct outcomes *seen, char *error,
              size_t error_size)
{
    char json[512], log[512], out[512], runs[24], seed[24];
    const char *argv[32] = {
        t->fencer,    "run",      "--quiet", "--model", model_names[r->model],
        "--runs",     runs,       "--seed",  seed,      "--jobs",
        "1",          "--json",   json,      "--out",   out,
        "--strategy", r->strategy};
    size_t n = 17;
    int code;

    snprintf(json, sizeof json, "%s/%s.json", t->scratch, t->tag);
    snprintf(log, sizeof log, "%s/%s.log", t->scratch, t->tag);
    snprintf(out, sizeof out, "%s/%s.out", t->scratch, t->tag);
    snprintf(runs, sizeof runs, "%lu", r->executions);
    snprintf(seed, sizeof seed, "%lu", r->seed);
    for (size_t i = 0; r->options[i]; i++)
        argv[n++] = r->options[i];
    argv[n++] = program;
    if (r->argument) {
        argv[n++] = "--";
        argv[n++] = r->argument;
    }
    unlink(json);
    code = execute(t, argv, log);
    if (code != 0) {
        snprintf(error, error_size, "fencer run ends with %d", code);
        if (!t->quiet)
            copy_to_stderr(log);
        return false;
    }
    return read_outcomes(json, p, seen, error, error_size);
}

static int remove_one(const char *path, const struct stat *st, int kind,
                      struct FTW *where)
{
    (void)st;
    (void)kind;
    (void)where;
    return remove(path);
}

bool tool_test(const struct tool *t, const char *program, const char *argument,
               const char *out)
{
    char log[512];
    const char *argv[] = {t->fencer,
                          "test",
                          "--model",
                          "all",
                          "--quiet",
                          "--jobs",
                          "1",
                          "--out",
                          out,
                          program,
                          argument ? "--" : NULL,
                          argument,
                          NULL};
    int code;

    nftw(out, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    snprintf(log, sizeof log, "%s/%s.log", t->scratch, t->tag);
    code = execute(t, argv, log);
    if (code == 0 || code == 1)
        return true;
    fprintf(stderr, "%s: fencer test ends with %d\n", t->tag, code);
    copy_to_stderr(log);
    return false;
}

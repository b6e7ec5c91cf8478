/* SPDX-License-Identifier: MIT */
#include "base/point.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static volatile sig_atomic_t interrupts;

static void on_interrupt(int number)
{
    (void)number;
    interrupts++;
}

/* The variable is read once, so each case is a process of its own: it passes
 * a, b, a, b and ends with the number of passes at the disturbance. */
static int pass_points(const char *variable)
{
    static const char *const names[] = {"a", "b", "a", "b"};
    int status;
    pid_t pid = fork();

    if (pid != 0) {
        assert_int_equal(waitpid(pid, &status, 0), pid);
        return status;
    }
    signal(SIGINT, on_interrupt);
    setenv("FENCER_POINT", variable, 1);
    for (int i = 0; i < 4; i++) {
        point_reached(names[i]);
        if (interrupts || point_time_came())
            _exit(i + 1);
    }
    _exit(0);
}

static void the_nth_passing_is_disturbed(void **state)
{
    (void)state;
    assert_int_equal(WEXITSTATUS(pass_points("b:1:int")), 2);
    assert_int_equal(WEXITSTATUS(pass_points("a:2:int")), 3);
    assert_int_equal(WEXITSTATUS(pass_points("any:4:time")), 4);
    assert_int_equal(WTERMSIG(pass_points("any:1:kill")), SIGKILL);
}

static void what_is_not_understood_disturbs_nothing(void **state)
{
    (void)state;
    assert_int_equal(pass_points("a:3:int"), 0);
    assert_int_equal(pass_points("a:0:int"), 0);
    assert_int_equal(pass_points("c:1:int"), 0);
    assert_int_equal(pass_points("a:1"), 0);
    assert_int_equal(pass_points(""), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nth_passing_is_disturbed),
        cmocka_unit_test(what_is_not_understood_disturbs_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

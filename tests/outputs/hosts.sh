# SPDX-License-Identifier: MIT
#
# JUnit's XML, GitHub's annotations and summaries, and --fail-on: what a program
# says stays text, and the verdicts are those of the exit code.
set -u
bad=0
say() {
    echo "$1"
    bad=1
}
rm -rf ./* .fencer
unset GITHUB_STEP_SUMMARY
cp "$SOURCE/examples/sb.c" "$SOURCE/examples/mp.c" "$SOURCE/examples/queue.c" .

# code CODE COMMAND...
code() {
    expected=$1
    shift
    "$FENCER" "$@" >out 2>err
    was=$?
    [ $was = "$expected" ] || say "fencer $*: exit code $was, not $expected"
}

# ---- --fail-on ----

cat >benign.c <<'END'
#include <assert.h>
#include <pthread.h>
int x, y, r, s;
static void *one(void *p) { x = 1; r = y; return p; }
static void *two(void *p) { y = 1; s = x; return p; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(r <= 1);
    return 0;
}
END
# How it ends:    by itself, harmful, any, unknown, none
#                 breaks, no harm, cut by a default, a bound asked for, fine
each() {
    what=$1
    shift
    for word in "" harmful any unknown none; do
        code "$1" verify --model papers ${word:+--fail-on $word} --quiet $what
        shift
    done
}
cat >loop.c <<'END'
#include <pthread.h>
int x, stop;
static void *one(void *p) { while (!stop) x++; return p; }
int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, one, 0);
    stop = 1;
    pthread_join(a, 0);
    return 0;
}
END
each sb.c 1 1 1 1 0
each "--strict benign.c" 1 0 1 1 0
each benign.c 0 0 1 1 0
each "--cflags -DFENCED sb.c" 0 0 0 0 0
each "--unroll 2 loop.c" 0 0 0 3 0
each "--model sc,tso loop.c" 3 0 0 3 0
code 2 verify --fail-on none --quiet nothing.c
code 2 verify --fail-on some sb.c
code 1 report --quiet
code 0 report --fail-on none --quiet

# ---- JUnit ----

counted() {
    grep -q "<testsuite .*tests=\"$2\" failures=\"$3\" errors=\"$4\"" "$1" ||
        say "$1: not $2 tests, $3 failures, $4 errors"
}
code 1 verify --quiet --junit sb.xml sb.c
counted sb.xml 4 3 0
code 0 verify --quiet --junit fenced.xml --cflags -DFENCED sb.c
counted fenced.xml 4 0 0
code 1 check --quiet --model papers,relaxed --junit queue.xml queue.c
counted queue.xml 15 9 0
code 3 verify --quiet --model sc,tso --junit loop.xml loop.c
grep -q '<error message="not finished' loop.xml || say "loop.xml: no error"
code 0 verify --quiet --model sc,tso --fail-on any --junit loop.xml loop.c
grep -q '<skipped' loop.xml || say "loop.xml: nothing skipped"
code 0 verify --quiet --fail-on none --junit none.xml sb.c
counted none.xml 4 0 0
code 1 report --quiet --junit report.xml
grep -q 'fencer replay' sb.xml || say "sb.xml: no replay"

# ---- Hostile words ----

name='a"b'"'"'<c>&,:%0A.c'
cat >"$name" <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
int x, y, r, s; /* ``` ]]> --> */
static void *one(void *p) { x = 1; r = y; return p; }
static void *two(void *p) { y = 1; s = x; return p; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("\n::error file=x::injected\n##[error]injected\n\033[31m````\n");
    assert((r || s) && "]]></failure><x> `|` <b> @all %0A ::");
    return 0;
}
END
GITHUB_STEP_SUMMARY=$PWD/summary.md
export GITHUB_STEP_SUMMARY
echo "what was there" >summary.md
code 1 verify --github --junit hostile.xml --sarif hostile.sarif "./$name"
# Between stop-commands and its word everything may stand; after it one line.
word=$(sed -n 's/^::stop-commands:://p' out)
[ -n "$word" ] || say "github: commands are not stopped"
[ "$(grep -c "^::$word::\$" out)" = 1 ] || say "github: commands stay stopped"
sed "/^::stop-commands::/,/^::$word::/d" out >commands
[ "$(wc -l <commands)" = 1 ] || say "github: not one line"
grep -q '^::error file=a"b'"'"'<c>&%2C%3A%250A.c,line=15,col=5,title=Fencer%3A ' \
    commands || { say "github: another annotation"; cat commands; }
head -n 1 summary.md | grep -qx "what was there" || say "summary: overwritten"
grep -q '<b>\|<x>' summary.md && sed '/^```*text/,/^```*$/d' summary.md |
    grep '<b>\|<x>' && say "summary: its words are tags"
grep -q '^`````text' summary.md || say "summary: a fence too short"
unset GITHUB_STEP_SUMMARY
code 0 verify --github --quiet --cflags -DFENCED sb.c
[ -s out ] && say "github: something about nothing"
code 2 verify --github --sarif - sb.c
grep -q 'stdout' err || say "github: stdout twice"
code 2 verify --json - --junit - sb.c
code 2 verify --junit nowhere/x.xml sb.c

if command -v xmllint >/dev/null; then
    xmllint --noout ./*.xml || say "not XML"
elif command -v python3 >/dev/null; then
    python3 -c 'import sys, xml.dom.minidom as m
for f in sys.argv[1:]: m.parse(f)' ./*.xml || say "not XML"
else
    echo "neither xmllint nor python3: XML was not parsed"
fi
exit $bad

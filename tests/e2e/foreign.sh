#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Findings from elsewhere, and programs with strange names and words: nothing
# that a terminal obeys is printed, a message that is no UTF-8 can be replayed,
# a changed program is not started, and one damaged finding hides no other.
# What report offers is what replay does.
set -u
bad=0
wrong() {
    echo "$1"
    bad=1
}
esc=$(printf '\033')

# fails NAME MESSAGE: a program that fails on SC with these words.
fails() {
    cat >"$1.c" <<END
#include <pthread.h>
#include <stdio.h>
#include "fencer.h"
extern void __assert_fail(const char *, const char *, unsigned, const char *);
static void *run(void *p) { return p; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    fputs("out \\033[2J\\n", stdout);
    __assert_fail("$2", "x.c", 1, "main");
}
END
}

# replays NAME: it is found, and its finding comes again.
replays() {
    rm -rf out
    "$FENCER" run --model sc --out out "$1.c" >report 2>&1
    code=$?
    [ $code -eq 1 ] || wrong "$1: exit code $code: $(cat report)"
    grep -q "$esc" report && wrong "$1: the terminal is driven"
    "$FENCER" replay out/finding-1.json >again 2>&1
    code=$?
    [ $code -eq 1 ] || wrong "$1: replay: exit code $code: $(cat again)"
    grep -q "$esc" again && wrong "$1: replay drives the terminal"
}
fails bytes 'no \xff utf-8 \xe2\x82'
replays bytes
fails control 'clear \033[2J and \r\a title'
replays control
# 600 bytes: the message is cut somewhere, in three of four cases inside a
# character of four bytes.
long=$(awk 'BEGIN { for (i = 0; i < 150; i++) printf "\\xf0\\x9f\\x98\\x80" }')
for front in '' a ab abc; do
    fails cut "$front$long"
    replays cut
done

# A finding made elsewhere.  Control characters are escaped in JSON already.
"$FENCER" run --model sc --quiet --out out bytes.c
sed 's|"program": "[^"]*"|"program": "a\\u001b[2J\\nverified"|
     s|"message": "[^"]*"|"message": "b\\u001b[2J\\u009b\\nverified"|' \
    out/finding-1.json >out/finding-2.json
"$FENCER" report out >report 2>&1
[ $? -eq 1 ] || wrong "report: exit code"
grep -q "$esc" report && wrong "report drives the terminal"
grep -q '^verified' report && wrong "report: a line of the finding's own"
"$FENCER" replay "no${esc}such" 2>err
grep -q "$esc" err && wrong "an error drives the terminal"

# The program that a finding names is read only if it is the one.
sed 's|"binary": "[^"]*"|"binary": "mine"|' out/finding-1.json >out/finding-3.json
printf '#!/bin/sh\ntouch started\n' >out/mine
chmod +x out/mine
"$FENCER" replay out/finding-3.json >again 2>&1
[ $? -eq 2 ] || wrong "another program: exit code"
grep -q 'has changed since' again || wrong "another program: $(cat again)"
[ ! -e started ] || wrong "another program was started"
rm -f out/finding-2.json out/finding-3.json

# One damaged finding among others.
head -c 200 out/finding-1.json >out/finding-2.json
"$FENCER" report --json report.json out >report 2>&1
code=$?
[ $code -eq 1 ] || wrong "one is damaged: exit code $code"
head -1 report | grep -q 'assertion failed' || wrong "the other is not shown"
[ "$(grep -c 'finding-2.json' report)" -eq 1 ] || wrong "it is not named"
rm out/finding-1.json
"$FENCER" report out >report 2>&1
code=$?
[ $code -eq 3 ] || wrong "only a damaged one: exit code $code"
rm out/finding-2.json

# What report offers, replay does; and what it does not offer, replay refuses.
"$FENCER" run --model sc --quiet --out out bytes.c
"$FENCER" report --json report.json out >/dev/null
command=$(sed -n 's/^ *"replay": "fencer \(.*\)"$/\1/p' report.json)
[ -n "$command" ] || wrong "report offers nothing"
"$FENCER" $command >/dev/null 2>&1
[ $? -eq 1 ] || wrong "replay refuses what report offers"
rm out/bytes
"$FENCER" report --json report.json out >report
grep -q '"replay": null' report.json || wrong "JSON offers a program that is gone"
grep -q 'fencer replay' report && wrong "text offers a program that is gone"
exit $bad

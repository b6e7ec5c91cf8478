#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A file of ours that is not as we left it, or that somebody else is using, is
# one line on stderr and exit code 3; never a crash, and never an answer.
set -u
bad=0
"$FENCER" cc -o prog "$SOURCE/examples/sb.c" || exit 1

# refused WORDS COMMAND...
refused() {
    words=$1
    shift
    "$FENCER" "$@" --out out --quiet prog >stdout 2>stderr
    code=$?
    [ $code -eq 3 ] && [ ! -s stdout ] && [ "$(wc -l <stderr)" -eq 1 ] &&
        grep -q "$words" stderr && return
    echo "$*: exit code $code"
    cat stdout stderr
    bad=1
}

for command in test verify; do
    rm -rf out
    mkdir out
    echo "somebody's notes" >out/$command.db
    refused "out/$command.db: .*remove it" $command
    [ "$(cat out/$command.db)" = "somebody's notes" ] || {
        echo "$command has changed it"
        bad=1
    }

    # Killed, and then a record gets another name.
    rm -rf out
    FENCER_POINT=$command.model:1:kill "$FENCER" $command --out out --quiet \
        prog >stdout 2>&1
    LC_ALL=C sed -i -e s/cycle/cyclo/g -e s/counts/county/g out/$command.db
    refused "out/$command.db: .*remove it" $command
done
exit $bad

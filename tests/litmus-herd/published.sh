#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Published tests, where there are some: FENCER_LITMUS is a folder of them, with
# expected.tsv.  By the library, and by the command with all cores, in a minute.
set -eu
[ -n "${FENCER_LONG-}" ] && [ -n "${FENCER_LITMUS-}" ] || exit 77
"$1" files "$FENCER_LITMUS/expected.tsv" "$FENCER_LITMUS"
start=$(date +%s)
code=0
"$FENCER" litmus --json answers.json --quiet "$FENCER_LITMUS" || code=$?
[ "$code" -le 1 ] || exit 1 # every test was judged
seconds=$(($(date +%s) - start))
echo "judged in $seconds s"
[ "$seconds" -lt 60 ]

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh CHECK_STATED MODE: a sample; with FENCER_LONG=1 everything.
herd=$SOURCE/tests/litmus-herd
own=$SOURCE/tests/check/stated/more.tsv
few=${FENCER_LONG:+1}
case $2 in
shapes) exec "$1" shapes "${few:-3}" "$own" "$herd/classical.tsv" \
    "$herd/more.tsv" "$herd/inclusions.tsv" ;;
random) exec "$1" random 1 "${FENCER_LONG:+24}60" ;;
mutants) exec "$1" mutants "${few:-9}" "$own" "$herd/classical.tsv" \
    "$herd/more.tsv" ;;
esac

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# engines.sh LITMUS_ENGINES MODE HERE: a sample; with FENCER_LONG=1 everything.
few=${FENCER_LONG:+1}
case $2 in
shapes) exec "$1" shapes "${few:-6}" "$3/classical.tsv" "$3/more.tsv" \
    "$3/inclusions.tsv" ;;
random) exec "$1" random 1 "${FENCER_LONG:+20}25" ;;
files) # check has no weak CAS, and no exclusives that store what they loaded
    exec "$1" files "$3/expected.tsv" "$3/files" 3 ;;
published)
    [ -n "${FENCER_LONG-}" ] && [ -n "${FENCER_LITMUS-}" ] || exit 77
    exec "$1" files "$FENCER_LITMUS/expected.tsv" "$FENCER_LITMUS" 200
    ;;
esac

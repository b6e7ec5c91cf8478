#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cure.sh FILE.c...: follows the advice of `fencer test` to the letter.  Each
# fence that it proposes for a harmful finding on the model `broken` goes before
# the line named; then the bug must be gone there.  Prints a line for each kernel;
# exit code 1 if one of them is not cured, or does not compile any more.
set -u
bad=0
tool=${FENCER:-fencer}

for file in "$@"; do
    name=$(basename "$file" .c)
    broken=$(sed -n 's/^ \* *broken: *//p; /^ \*\//q' "$file")
    options=$(sed -n 's/^ \* *options: *//p; /^ \*\//q' "$file")
    case $broken in
    none | sc) continue ;;
    esac
    # shellcheck disable=SC2086
    "$tool" test --time 1000 --all --quiet --model "sc,$broken" --out findings \
        --json advice.json $options "$file" >out 2>&1
    awk '/"fences": \[$/ { inside = 1 }
        inside && /"line"/ { gsub(/[^0-9]/, ""); line = $0 }
        inside && /"kind"/ { split($0, word, "\""); print line, word[4] }
        /\]/ { inside = 0 }' advice.json | sort -un >advice
    awk 'NR == FNR { fence[$1] = "fencer_fence_" $2 "();"; next }
        FNR in fence { print fence[FNR] }
        { print }' advice "$file" >"$name-cured.c"
    # shellcheck disable=SC2086
    "$tool" run --quiet --model "$broken" --runs 20000 --out findings \
        --cflags '-include fencer.h' $options "$name-cured.c" >out 2>&1
    case $? in
    0) verdict=cured ;;
    1) verdict="still broken" ;;
    *) verdict="does not compile" ;;
    esac
    [ "$verdict" = cured ] || bad=1
    echo "$name: $verdict ($(awk '{ print sep $2 " before line " $1; sep = ", " }' \
        ORS= advice))"
done
exit $bad

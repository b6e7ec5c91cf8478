# SPDX-License-Identifier: MIT
#
# Programs in which nothing is wrong, on every model: what the instrumenter
# says about frames and loops is exact.
. "$SOURCE/tests/e2e/cc/lib.sh"

for program in frames awaits; do
    for flags in '' --as-optimised; do
        exits 0 "$FENCER" cc -w $flags "$here/programs/$program.c" -o program
        for model in sc tso pso pslo; do
            exits 0 "$FENCER" run --no-color --quiet --model $model \
                --runs 300 ./program
        done
    done
done
exit $bad

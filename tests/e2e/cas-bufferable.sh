# SPDX-License-Identifier: MIT
#
# --cas bufferable: a CAS whose store waits is no single step any more.  What
# verify finds as a graph the machine has to show, and replay.
set -u
bad=0

# verdict CODE OPTIONS
verdict() {
    wanted=$1
    shift
    "$FENCER" verify --out out --log verify "$@" "$SOURCE/tests/e2e/cas/both.c" \
        >out.txt 2>&1
    code=$?
    if [ $code != "$wanted" ] || ! grep -q 'executions as graphs' out.txt; then
        echo "verify $*: exit code $code, not $wanted"
        cat out.txt
        bad=1
    fi
}
for model in tso pso pslo; do
    verdict 0 --model $model
    verdict 1 --model $model --cas bufferable
    "$FENCER" replay out/finding-1.json >replay.txt 2>&1
    [ $? = 1 ] || { echo "replay on $model: $(cat replay.txt)"; bad=1; }
    rm -rf out
    verdict 0 --model $model --cas bufferable --cflags -DFIXED
done
exit $bad

# SPDX-License-Identifier: MIT
#
# Sites are named as the source names things, and private memory has none.
. "$SOURCE/tests/e2e/cc/lib.sh"
make_fake
cp "$here/programs/names.c" .
exits 0 "$FAKE" cc -w names.c -o program
FAKE_SITES=1 ./program >table
sed 's/^site names.c:[0-9]* /site /' table >short
sed -n 's|.*/\* \(.*\) \*/$|\1|p' names.c | tr '|' '\n' | sed 's/^ *//;s/ *$//' |
while read -r line; do
    case $line in
    'site '* | 'global '*) grep -qxF -- "$line" short || echo "$line" ;;
    'no '*) grep -qF -- "site ${line#no }" short && echo "$line" ;;
    esac
done >missing
if [ -s missing ]; then
    complain "wrong in the table:"
    cat missing table
fi
[ -s table ] || complain "no table"
exit $bad

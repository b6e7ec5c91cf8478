#!/bin/sh
# SPDX-License-Identifier: MIT
#
# pages.py and tools/citations notice what they are there for: each rule of a
# page is broken once.
set -u
bad=0
say() {
    echo "$1"
    cat out
    bad=1
}
here=$SOURCE/tests/docs
rm -rf tree && mkdir -p tree/docs tree/examples tree/bench tree/tools tree/src tree/include \
    tree/tests tree/cmake
cp "$SOURCE/tools/citations" "$SOURCE/tools/files" tree/tools
echo 'int x;' >tree/examples/x.c

# page WORD: a page is what stdin has; pages.py says `ok` or `FAILED`.
page() {
    cat >tree/docs/page.md
    (SOURCE=$PWD/tree && export SOURCE && python3 "$here/pages.py" docs/page.md) >out
    grep -q "^$1 " out || say "not $1:"
}
page ok <<'END'
    $ echo one; echo two; echo three
    one
    ...
    three
    $ false; echo $?
    1
END
page FAILED <<'END'
    $ echo one
    two
END
page FAILED <<'END'
    $ echo one; echo two
    one
END
page ok <<'END'
```c examples/x.c
int x;
```

<!-- not run: it is nobody's -->

    fencer run yours.c

<!-- needs: a-command-that-is-not-there -->

    $ a-command-that-is-not-there
    words
END
page FAILED <<'END'
```c examples/x.c
int y;
```
END
page FAILED <<'END'
    fencer run x.c
END

# What --bless writes is what was printed, and `...` stays where it was.
page FAILED <<'END'
    $ printf '%s\n' 'count 5' a b 'end'
    count 4
    ...
    end
END
(SOURCE=$PWD/tree && export SOURCE &&
    python3 "$here/pages.py" --bless docs/page.md) >out || say "--bless"
printf '%s\n' "    \$ printf '%s\\n' 'count 5' a b 'end'" '    count 5' \
    '    ...' '    end' | diff - tree/docs/page.md >out || say "blessed:"

link() {
    printf '# A heading: yes, it is\n\n%s\n' "$2" >tree/docs/page.md
    tree/tools/citations >out
    [ $? = "$1" ] || say "citations: $2"
}
link 0 '[a](page.md#a-heading-yes-it-is) [b](../examples) [c](https://x.y/z) `[d](e)`'
link 1 '[a](#a-heading)'
link 1 '[a](../examples/y.h)'
link 1 'See `docs/gone.md`.'
exit $bad

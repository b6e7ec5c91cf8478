# SPDX-License-Identifier: MIT
"""The pages show what the tool prints: every command in them is run.

    FENCER=build/dev/bin/fencer tests/docs/pages.sh [--bless] [PAGE...]

A block of a page (indented by four, or fenced) is one of these:

- a session: its lines `$ COMMAND` are run, and what follows each is compared
  with what it prints, stdout and stderr together.  A line `...` stands for any
  lines, a command that ends in \\ goes on in the next line, and output that is
  not shown at all is not compared.  The commands of a page run in one shell, in
  a copy of examples/ and docs/, where ./fencer is the tool;
- part of a file: the fence names it (```c examples/sb.c), and each run of lines
  between lines `...` has to be there, in that order, indented as it is or not;
- anything else, if the line above says why: <!-- not run: WHY -->.

In manual pages sessions stand between .EX and .EE.

<!-- not run: WHY --> as the first line of a page is about all of its blocks
that are no session.  Above a session, <!-- long --> leaves it to FENCER_LONG=1,
and <!-- needs: COMMAND... --> to machines that have these commands.

--bless writes what is printed into the page: read the difference.
"""
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

MARK = "@@@ command "


class Block:
    """Lines of code of a page: page[first:end], without their indent."""

    def __init__(self, page, first, end, indent, info, notes):
        self.first, self.end, self.indent = first, end, indent
        self.info, self.notes = info, notes
        self.lines = [line[indent:].rstrip() for line in page[first:end]]

    def note(self, word):
        return next((n.split(":", 1)[-1].strip() for n in self.notes
                     if n.split(":")[0].strip() == word), None)


def notes_above(page, at):
    """The comments <!-- ... --> directly above line `at`."""
    notes = []
    while at > 0:
        at -= 1
        found = re.fullmatch(r"\s*<!--(.*)-->\s*", page[at])
        if found:
            notes.append(found[1].strip())
        elif page[at].strip():
            break
    return notes


ROFF = (("\\&", ""), ("\\-", "-"), ("\\(dq", '"'), ("\\(aq", "'"), ("\\e", "\\"))


def from_roff(line):
    for roff, text in ROFF:
        line = line.replace(roff, text)
    return line


def to_roff(line):
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + line if line[:1] in (".", "'") else line


def manual_blocks(page):
    """The examples of a manual page: only those with a command are blocks."""
    blocks, first = [], None
    for at, line in enumerate(page):
        if line == ".EX":
            first = at + 1
        elif line == ".EE" and page[first].startswith("$ "):
            block = Block(page, first, at, 0, "", [])
            block.lines = [from_roff(text) for text in block.lines]
            blocks.append(block)
    return blocks


def blocks_of(page):
    at, blank, blocks = 0, True, []
    while at < len(page):
        fence = re.match(r"( *)(```+)(.*)", page[at])
        if fence:
            end = at + 1
            while not page[end].strip().startswith(fence[2]):
                end += 1
            blocks.append(Block(page, at + 1, end, len(fence[1]),
                                fence[3].strip(), notes_above(page, at)))
            at = end + 1
        elif blank and page[at].startswith("    "):
            end = at
            while end < len(page) and (page[end].startswith("    ") or
                                       not page[end].strip()):
                end += 1
            while not page[end - 1].strip():
                end -= 1
            indent = len(page[at]) - len(page[at].lstrip())
            blocks.append(Block(page, at, end, indent, "",
                                notes_above(page, at)))
            at = end
        else:
            blank = not page[at].strip()
            at += 1
    return blocks


class Command:
    """What stands behind `$`, and the lines of the page with its output."""

    def __init__(self, block, text, first, end):
        self.block, self.text = block, text
        self.first, self.end = first, end
        shown = block.lines[first - block.first:end - block.first]
        while shown and not shown[-1]:
            shown.pop()
            self.end -= 1
        while shown and not shown[0]:
            shown.pop(0)
            self.first += 1
        self.shown = shown


def commands_of(block):
    commands, at = [], 0
    while at < len(block.lines):
        line = block.lines[at]
        at += 1
        if not line.startswith("$ "):
            continue
        text = line[2:]
        while text.endswith("\\"):
            text += "\n" + block.lines[at]
            at += 1
        end = at
        while end < len(block.lines) and not block.lines[end].startswith("$ "):
            end += 1
        commands.append(Command(block, text, block.first + at,
                                block.first + end))
    return commands


def fits(shown, printed):
    """Is `printed` what the page shows?"""
    parts = ["(?:.*\n)*" if line.strip() == "..." else re.escape(line + "\n")
             for line in shown]
    return re.fullmatch("".join(parts), "".join(line + "\n" for line in printed))


def align(shown, printed):
    """What the page should show: `printed`, with the `...` that fit.

    The cheapest way to turn one into the other.  A line may be replaced (2 if
    they are alike, else 5), be gone (3) or be new (3); `...` takes any lines.
    """
    def alike(a, b):
        return difflib.SequenceMatcher(None, a, b).ratio() > 0.5

    rows, columns = len(shown) + 1, len(printed) + 1
    cost = [[(0, "")] * columns for _ in range(rows)]
    for i in range(rows):
        for j in range(columns):
            ways = []
            skips = i > 0 and shown[i - 1].strip() == "..."
            if i and j and shown[i - 1] == printed[j - 1]:
                ways.append((cost[i - 1][j - 1][0], "same"))
            elif i and j and not skips:
                near = 2 if alike(shown[i - 1], printed[j - 1]) else 5
                ways.append((cost[i - 1][j - 1][0] + near, "same"))
            if skips and j:
                ways.append((cost[i][j - 1][0], "skip"))
            if i:
                ways.append((cost[i - 1][j][0] + (0 if skips else 3),
                             "end" if skips else "gone"))
            if j:
                ways.append((cost[i][j - 1][0] + 3, "new"))
            if ways:
                cost[i][j] = min(ways, key=lambda way: way[0])
    i, j, result = rows - 1, columns - 1, []
    while i or j:
        way = cost[i][j][1]
        if way in ("same", "new"):
            result.append(printed[j - 1])
        elif way == "end":
            result.append(shown[i - 1])
        i -= way in ("same", "end", "gone")
        j -= way in ("same", "skip", "new")
    return result[::-1]


def scratch(source, fencer, folder):
    """A copy of what pages speak of, so that commands may write beside it."""
    for name in ("examples", "docs"):
        shutil.copytree(os.path.join(source, name),
                        os.path.join(folder, name),
                        ignore=shutil.ignore_patterns(".fencer", "pictures"))
    os.symlink(os.path.join(source, "bench"), os.path.join(folder, "bench"))
    os.symlink(fencer, os.path.join(folder, "fencer"))


def run_in_copy(commands):
    """Every page has the same folder, so that what is compiled once is kept."""
    folder = os.path.join(PLACE.name, "page")
    os.mkdir(folder)
    try:
        scratch(SOURCE, FENCER, folder)
        return run(commands, folder)
    finally:
        shutil.rmtree(folder)


def run(commands, folder):
    """What each command prints.  One shell, so that `cd` and `$?` stay."""
    script = "".join(f"_s=$?; echo; echo '{MARK}{i}'; (exit $_s)\n{c.text}\n"
                     for i, c in enumerate(commands))
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("GITHUB_", "FENCER_"))}
    env.update(LC_ALL="C", TERM="dumb", PATH=os.path.dirname(FENCER) +
               os.pathsep + os.environ["PATH"])
    done = subprocess.run(["bash", "-c", script], cwd=folder, env=env,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=600)
    text = done.stdout.decode(errors="replace").replace(folder, "")
    parts = re.split(rf"(?m)^{MARK}\d+\n", text)[1:]
    return [trimmed(part) for part in parts]


def trimmed(text):
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return lines


def in_file(block, name):
    """Why the block is no part of that file, or None."""
    try:
        with open(os.path.join(SOURCE, name)) as file:
            text = [line.strip() for line in file]
    except OSError:
        return "there is no " + name
    at = 0
    for run_ in split_at_dots(block.lines):
        wanted = [line.strip() for line in run_]
        while text[at:at + len(wanted)] != wanted:
            at += 1
            if at > len(text):
                return f"not in {name}: {wanted[0]}"
        at += len(wanted)
    return None


def split_at_dots(lines):
    part = []
    for line in lines + ["..."]:
        if line.strip() != "...":
            part.append(line)
        elif part:
            yield part
            part = []


def wanted_here(block):
    if block.note("long") is not None and not os.environ.get("FENCER_LONG"):
        return False
    return all(shutil.which(c) for c in (block.note("needs") or "").split())


def check(name, bless):
    with open(os.path.join(SOURCE, name)) as file:
        page = file.read().split("\n")
    bad, commands = [], []
    whole = re.match(r"<!-- not run: ", page[0])
    manual = name.endswith(".1")
    for block in manual_blocks(page) if manual else blocks_of(page):
        where = f"{name}:{block.first + 1}"
        words = block.info.split()
        if any(line.startswith("$ ") for line in block.lines):
            if not block.lines[0].startswith("$ "):
                bad.append(f"{where}: a session begins with a command")
            commands += commands_of(block) if wanted_here(block) else []
        elif len(words) > 1:
            why = in_file(block, words[1])
            bad += [f"{where}: {why}"] if why else []
        elif block.note("not run") is None and not whole:
            bad.append(f"{where}: a block that is no session, names no file, "
                       "and does not say why it is not run")
    changes = []
    printed = run_in_copy(commands) if commands else []
    if len(printed) != len(commands):
        bad.append(f"{name}: the shell ended after "
                   f"$ {commands[len(printed) - 1].text}")
    for command, lines in zip(commands, printed):
        if command.shown and not fits(command.shown, lines):
            changes.append((command, align(command.shown, lines)))
    for command, lines in changes if not bless else []:
        bad.append("\n".join(difflib.unified_diff(
            command.shown, lines, f"{name}:{command.first + 1}",
            "$ " + command.text, lineterm="")))
    if bless and changes:
        for command, lines in reversed(changes):
            page[command.first:command.end] = [
                (" " * command.block.indent + line).rstrip()
                for line in (map(to_roff, lines) if manual else lines)]
        with open(os.path.join(SOURCE, name), "w") as file:
            file.write("\n".join(page))
    for line in bad:
        print(line)
    print(f"{'FAILED' if bad else 'ok'} {name}: {len(commands)} commands")
    return not bad


SOURCE = os.path.realpath(os.environ["SOURCE"])
FENCER = os.path.realpath(os.environ["FENCER"])
PLACE = tempfile.TemporaryDirectory()
arguments = sys.argv[1:]
BLESS = "--bless" in arguments
results = [check(page, BLESS) for page in arguments if page != "--bless"]
sys.exit(0 if all(results) else 1)

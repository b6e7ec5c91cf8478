# SPDX-License-Identifier: MIT
#
# Commands for gdb in a program under Fencer, loaded by `fencer replay --gdb`.
# The program's threads are fibers of one OS thread, so gdb's own `info
# threads` shows only one.  The runtime exports what is needed to find them:
#
#   __fencer_gdb_threads        array of {uint32_t id, state; void **sp;
#                               uint32_t site;}
#   __fencer_gdb_thread_count, __fencer_gdb_current
#
# and its code lies between __start_fencer_text and __stop_fencer_text.
#
# *sp is a thread's stack pointer while another runs.  There lie r15 r14 r13 r12 rbx rbp and the return address, ascending.

import gdb

SAVED = ("r15", "r14", "r13", "r12", "rbx", "rbp", "rip")
STATES = ("unused", "ready", "blocked", "waits in a loop", "done")


def read(expression):
    return int(gdb.parse_and_eval(expression))


def word(address):
    raw = gdb.selected_inferior().read_memory(address, 8)
    return int.from_bytes(raw.tobytes(), "little")


def threads():
    """(id, state, sp) of each, in order of creation."""
    for i in range(read("*(unsigned *)&__fencer_gdb_thread_count")):
        at = read("(unsigned long)&__fencer_gdb_threads") + i * 24
        ids = word(at)
        where = word(at + 8)
        yield ids & 0xFFFFFFFF, ids >> 32, word(where) if where else 0


def current():
    return read("*(unsigned *)&__fencer_gdb_current")


class Registers:
    """The newest frame's registers as if that fiber were running."""

    NAMES = ("r15", "r14", "r13", "r12", "rbx", "rbp", "rsp", "rip")

    def __init__(self):
        self.values = {n: read("(unsigned long)$" + n) for n in self.NAMES}

    @staticmethod
    def set(name, value):
        gdb.execute("set $%s = %d" % (name, value), to_string=True)

    def switch(self, sp):
        for i, name in enumerate(SAVED):
            self.set(name, word(sp + 8 * i))
        self.set("rsp", sp + 8 * len(SAVED))

    def restore(self):
        for name, value in self.values.items():
            self.set(name, value)


def is_runtime(frame):
    return (read("(unsigned long)&__start_fencer_text") <= frame.pc()
            < read("(unsigned long)&__stop_fencer_text"))


def own_frames():
    """[first, last) of the frames that are the program's: between those of
    the runtime that stopped it and those that started the thread."""
    frame, i, inside, first = gdb.newest_frame(), 0, False, None
    while frame is not None:
        if is_runtime(frame):
            inside = True
            if first is not None:
                return first, i
        elif inside and first is None:
            first = i
        frame, i = frame.older(), i + 1
    return first or 0, i


def backtrace(limit):
    first, last = own_frames()
    last = min(last, first + limit)
    lines = gdb.execute("backtrace %d" % last, to_string=True).splitlines()
    lines = [line for line in lines if line.startswith("#")]
    return "\n".join(lines[first:last])


def stack(sp, limit):
    gdb.newest_frame().select()
    if sp is None:
        return backtrace(limit)
    saved = Registers()
    try:
        saved.switch(sp)
        return backtrace(limit)
    finally:
        saved.restore()


class Fencer(gdb.Command):
    """Commands for a program under Fencer."""

    def __init__(self):
        super().__init__("fencer", gdb.COMMAND_STACK, prefix=True)


class FencerThreads(gdb.Command):
    """fencer threads [N]: the program's threads and N frames of each stack."""

    def __init__(self):
        super().__init__("fencer threads", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        limit = int(argument) if argument else 20
        try:
            running = current()
            found = list(threads())
        except gdb.error as e:
            raise gdb.GdbError("no Fencer program is running: %s" % e)
        for number, state, sp in found:
            here = number == running
            words = STATES[state] if state < len(STATES) else "?"
            print("%s T%d (%s)" % ("*" if here else " ", number,
                                   "running" if here else words))
            if here:
                print(stack(None, limit))
            elif sp and words not in ("unused", "done"):
                print(stack(sp, limit))


class FencerWhere(gdb.Command):
    """fencer where: the frame of the program that stopped, its locals below."""

    def __init__(self):
        super().__init__("fencer where", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        try:
            frame = gdb.newest_frame()
        except gdb.error as e:
            raise gdb.GdbError("no Fencer program is running: %s" % e)
        for _ in range(own_frames()[0]):
            frame = frame.older()
        frame.select()
        gdb.execute("frame")


Fencer()
FencerThreads()
FencerWhere()
gdb.execute("set pagination off")
gdb.execute("set print thread-events off")

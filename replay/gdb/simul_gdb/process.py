"""The process that is debugged: how it is started, where it is told to stop, and why it stopped (preload/failure/debug.h)."""
import contextlib
import os
import shlex
import signal
import struct
import subprocess

import gdb

READY, STEP, FAILURE, DIVERGED, END, PATCHED = range(1, 7)
VERSION = 2
NOBODY = 0xffff

_HEAD = struct.Struct("<6I3Q2I")  # struct debug_area up to tid
_STOP_AT = 8
_THREADS = 2048


class Area:
    """What libsimul.so tells of a stop."""

    def __init__(self, at, memory):
        (self.version, self.reason, self.stop_at, self.step, self.thread, self.bug_kind, self.message, self.running,
         self.tables, self.table_n, self.table_bytes) = _HEAD.unpack_from(memory)
        self.at = at
        tids = struct.unpack_from("<%di" % _THREADS, memory, _HEAD.size)
        self.tids = {i: tid for i, tid in enumerate(tids) if tid > 0}
        self.ended = {i: -tid for i, tid in enumerate(tids) if tid < 0}


class Stop:
    """Where libsimul.so comes when it stops: a breakpoint that is set when the library is there, and stays over restarts."""

    class _Breakpoint(gdb.Breakpoint):
        def stop(self):
            self.of.hit = True
            return True

    def __init__(self):
        self.hit = False
        self._breakpoint = None
        gdb.events.new_objfile.connect(self._loaded)
        gdb.events.cont.connect(self._going_on)

    def _going_on(self, event):
        self.hit = False

    def _loaded(self, event):
        if self._breakpoint or not event.new_objfile.filename.endswith("/libsimul.so"):
            return
        self._breakpoint = self._Breakpoint("simul_debug_stop", internal=True)
        self._breakpoint.silent = True
        self._breakpoint.of = self


def alive():
    return gdb.selected_inferior().pid != 0


def area():
    if not alive():
        raise gdb.GdbError("The program is not being run: simul goto 1")
    try:
        at = int(gdb.parse_and_eval("(unsigned long)&simul_debug"))
    except gdb.error:
        raise gdb.GdbError("libsimul.so is not there yet, or has no symbols (it was stripped)")
    a = Area(at, bytes(gdb.selected_inferior().read_memory(at, _HEAD.size + 4 * _THREADS)))
    if a.version != VERSION:
        raise gdb.GdbError("libsimul.so and simul's gdb scripts are of different versions; install simul anew")
    return a


def stop_before(step):
    """0: before none."""
    a = area()
    gdb.selected_inferior().write_memory(a.at + _STOP_AT, struct.pack("<I", step))


def starts_by(command, link, recording):
    """gdb starts its processes through simul, which gives them a session and the recorded surroundings."""
    words = [command, "gdb-process", link, recording]
    gdb.execute("set exec-wrapper " + " ".join(shlex.quote(w) for w in words))
    gdb.execute("set startup-with-shell on")
    gdb.execute("set disable-randomization on")


def place(command):
    """Has simul put the memory of a process at fixed addresses. It stands before its first instruction. gdb lets go of it meanwhile: it
    would not know what has moved."""
    pid = gdb.selected_inferior().pid
    os.kill(pid, signal.SIGSTOP)
    gdb.execute("detach", to_string=True)
    subprocess.run([command, "gdb-place", str(pid)], check=False)
    gdb.execute("attach %d" % pid, to_string=True)
    os.kill(pid, signal.SIGCONT)  # else its threads would be stopped from their start


@contextlib.contextmanager
def stopped_at_start():
    """While the process that place() has stopped begins to run: these signals are nobody's business."""
    gdb.execute("with confirm off -- handle SIGSTOP SIGCONT nostop noprint nopass", to_string=True)
    try:
        yield
    finally:
        gdb.execute("with confirm off -- handle SIGSTOP SIGCONT stop print pass", to_string=True)


def image(program):
    """The file that the kernel loads for it: of a script the interpreter."""
    for _ in range(5):  # as far as the kernel goes
        with open(program, "rb") as f:
            line = f.readline(4096)
        words = line[2:].split() if line.startswith(b"#!") else []
        if not words:
            break
        program = os.fsdecode(words[0])
    return os.path.realpath(program)


def thread_of(tid):
    for t in gdb.selected_inferior().threads():
        if t.ptid[1] == tid:
            return t
    return None


def running(a):
    """The thread whose code runs now, as gdb knows it; None."""
    number, = struct.unpack("<I", gdb.selected_inferior().read_memory(a.running, 4))
    return thread_of(a.tids.get(number, 0))


def is_trap():
    """Did the selected thread stop by an int3 that is no breakpoint of gdb's?"""
    try:
        return [int(gdb.parse_and_eval("$_siginfo." + f)) for f in ("si_signo", "si_code")] == [5, 0x80]  # SIGTRAP, SI_KERNEL
    except gdb.error:
        return False  # it was no signal


def text_at(address):
    return gdb.selected_inferior().read_memory(address, 1024).tobytes().split(b"\0")[0].decode(errors="replace")


def output():
    """What the program has printed so far: standard output, standard error. Both go to memory files, as when it was recorded."""
    told = []
    for fd in (1, 2):
        try:
            with open("/proc/%d/fd/%d" % (gdb.selected_inferior().pid, fd), "rb") as f:
                told.append(f.read())
        except OSError:
            told.append(b"")
    return told

"""The debugged process: how it is started, where it stops, and why it stopped (preload/failure/debug.h)."""
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
    """The data that libsimul.so provides at a stop."""

    def __init__(self, at, memory):
        (self.version, self.reason, self.stop_at, self.step, self.thread, self.bug_kind, self.message, self.running,
         self.tables, self.table_n, self.table_bytes) = _HEAD.unpack_from(memory)
        self.at = at
        tids = struct.unpack_from("<%di" % _THREADS, memory, _HEAD.size)
        self.tids = {i: tid for i, tid in enumerate(tids) if tid > 0}
        self.ended = {i: -tid for i, tid in enumerate(tids) if tid < 0}


class Stop:
    """The breakpoint at which libsimul.so stops. It is set when the library is loaded and survives restarts."""

    class _Breakpoint(gdb.Breakpoint):
        def stop(self):
            self.of.hit = True
            return True

    def __init__(self):
        self.hit = False
        self._breakpoint = None
        gdb.events.new_objfile.connect(self._loaded)
        gdb.events.cont.connect(self._continued)

    def _continued(self, event):
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
        raise gdb.GdbError("The program is not running; start it with: simul goto 1")
    try:
        at = int(gdb.parse_and_eval("(unsigned long)&simul_debug"))
    except gdb.error:
        raise gdb.GdbError("libsimul.so is not loaded yet, or was stripped of its symbols")
    a = Area(at, bytes(gdb.selected_inferior().read_memory(at, _HEAD.size + 4 * _THREADS)))
    if a.version != VERSION:
        raise gdb.GdbError("libsimul.so and simul's gdb scripts are of different versions; reinstall simul")
    return a


def stop_before(step):
    """Sets the step before which the process stops; 0: none."""
    a = area()
    gdb.selected_inferior().write_memory(a.at + _STOP_AT, struct.pack("<I", step))


def starts_by(command, link, recording):
    """Makes gdb start its processes through simul, which provides the session and the recorded environment."""
    words = [command, "gdb-process", link, recording]
    gdb.execute("set exec-wrapper " + " ".join(shlex.quote(w) for w in words))
    gdb.execute("set startup-with-shell on")
    gdb.execute("set disable-randomization on")


def place(command):
    """Makes simul move the memory of the process to fixed addresses. The process is before its first instruction. gdb detaches in the
    meantime, because it would not notice the move."""
    pid = gdb.selected_inferior().pid
    os.kill(pid, signal.SIGSTOP)
    gdb.execute("detach", to_string=True)
    subprocess.run([command, "gdb-place", str(pid)], check=False)
    gdb.execute("attach %d" % pid, to_string=True)
    os.kill(pid, signal.SIGCONT)  # otherwise its threads would start stopped


@contextlib.contextmanager
def stopped_at_start():
    """A context for starting the process that place() has stopped, in which gdb ignores the signals used for this."""
    gdb.execute("with confirm off -- handle SIGSTOP SIGCONT nostop noprint nopass", to_string=True)
    try:
        yield
    finally:
        gdb.execute("with confirm off -- handle SIGSTOP SIGCONT stop print pass", to_string=True)


def image(program):
    """The file that the kernel loads for a program: for a script, its interpreter."""
    for _ in range(5):  # the kernel's limit on nested interpreters
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
    """The gdb thread that runs program code now, or None."""
    number, = struct.unpack("<I", gdb.selected_inferior().read_memory(a.running, 4))
    return thread_of(a.tids.get(number, 0))


def is_trap():
    """Whether the selected thread stopped at an int3 that is not a breakpoint of gdb."""
    try:
        return [int(gdb.parse_and_eval("$_siginfo." + f)) for f in ("si_signo", "si_code")] == [5, 0x80]  # SIGTRAP, SI_KERNEL
    except gdb.error:
        return False  # not a signal


def text_at(address):
    return gdb.selected_inferior().read_memory(address, 1024).tobytes().split(b"\0")[0].decode(errors="replace")


def output():
    """The program's output so far: standard output, standard error. Both go to memory files, as in the recording."""
    texts = []
    for fd in (1, 2):
        try:
            with open("/proc/%d/fd/%d" % (gdb.selected_inferior().pid, fd), "rb") as f:
                texts.append(f.read())
        except OSError:
            texts.append(b"")
    return texts

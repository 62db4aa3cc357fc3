"""Distinguishes the program's frames from simul's."""
import gdb
from gdb.FrameDecorator import FrameDecorator


_BEFORE_THREADS = ("start_thread", "clone", "clone3", "__clone3")


def is_library(address):
    return (gdb.solib_name(address) or "").endswith("/libsimul.so")


def is_system(address):
    return (gdb.solib_name(address) or "").startswith(("/lib", "/usr/lib"))


def is_simul(frame, code):
    """Whether it is a frame of simul: in libsimul.so, or the copy of a patched function."""
    if code.is_copy(frame.pc()):
        return True
    return is_library(frame.pc()) or frame.type() == gdb.SIGTRAMP_FRAME


def is_within_simul(code):
    """Whether the selected thread is in libsimul.so or in a function called from there. False in the program's code, patched or not."""
    frame = gdb.newest_frame()
    while frame and is_system(frame.pc()) and not is_library(frame.pc()):
        frame = frame.older()
    return frame is not None and is_library(frame.pc()) and not code.is_copy(frame.pc())


def program_frame(code):
    """The innermost frame of the selected thread in the user's own source; else with source lines; else not of simul. None if the
    thread has not started."""
    frame, first, lines = gdb.newest_frame(), None, None
    while frame:
        if not is_simul(frame, code):
            first = first or frame
            symtab = frame.find_sal().symtab
            if symtab and not is_system(frame.pc()):
                lines = lines or frame
                if not symtab.fullname().startswith("/usr/"):
                    return frame
        frame = frame.older()
    first = lines or first
    return first if first and first.name() not in _BEFORE_THREADS else None


class HideSimul:
    """Backtraces without simul's own frames; `backtrace -no-filters` shows them."""

    def __init__(self, code):
        self.name, self.priority, self.enabled = "simul", 100, True
        self._code = code
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        for f in frames:
            inferior = f.inferior_frame()
            if not is_simul(inferior, self._code):
                yield f

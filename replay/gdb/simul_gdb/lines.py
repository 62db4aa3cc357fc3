"""
Stepping by source lines in code that may be patched. gdb steps by line tables, and the copies have none. So `next` and `step`
set temporary breakpoints: at all other lines of the function, at its return address and, for `step`, at the starts
of the functions that the line calls.
"""
import struct

import gdb

from simul_gdb import frames


class Once(gdb.Breakpoint):
    """Stops the given thread when it reaches the address in the given frame (None: in any frame)."""

    def __init__(self, address, thread, frame, code):
        super().__init__("*0x%x" % address, internal=True)
        self.silent = True
        self._thread, self._frame, self._code = thread, frame, code

    def stop(self):
        if gdb.selected_thread().ptid != self._thread:
            return False
        here = gdb.newest_frame()
        if self._code.is_copy(here.pc()):
            here = here.older()
        return self._frame is None or real_frame(here) == self._frame


def real_frame(frame):
    """The frame itself, or the one into which it is inlined."""
    while frame and frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    return frame


def _function(frame):
    """The address range of the function of a frame that is not inlined."""
    block = frame.block()
    while block.superblock and not block.superblock.is_static and not block.superblock.is_global:
        block = block.superblock
    return block.start, block.end


def _other_lines(frame, sal):
    lo, hi = _function(real_frame(frame))
    return {e.pc for e in sal.symtab.linetable() if lo <= e.pc < hi and e.line not in (0, sal.line)}


def _same_line(frame, sal):
    """The address ranges of this line."""
    lo, hi = _function(real_frame(frame))
    entries = sorted((e.pc, e.line) for e in sal.symtab.linetable() if lo <= e.pc < hi)
    ends = [pc for pc, _ in entries[1:]] + [hi]
    return [(pc, end) for (pc, line), end in zip(entries, ends) if line == sal.line and pc < end]


def _body(address):
    """The address behind the prologue of a function of the program. None if it is not the program's, or has no lines."""
    block = gdb.block_for_pc(address)
    if not block or not block.function or frames.is_library(address) or frames.is_system(address):
        return None
    pcs = sorted(e.pc for e in block.function.symtab.linetable() if block.start <= e.pc < block.end and e.line)
    return pcs[1] if len(pcs) > 1 else pcs[0] if pcs else None


def _called(frame, sal, code):
    """The functions that the line calls directly. Calls keep their original place in patched functions."""
    inferior = gdb.selected_inferior()
    found = set()
    for lo, hi in _same_line(frame, sal):
        starts = code.instructions(lo, hi) or [i["addr"] for i in frame.architecture().disassemble(lo, hi - 1)]
        for at in starts:
            byte = bytes(inferior.read_memory(at, 5))
            if byte[0] == 0xe8:
                found.add(_body(at + 5 + struct.unpack("<i", byte[1:])[0]))
    return found - {None}


def stops_for_finish(frame, code):
    """Breakpoints at the return from this frame; the caller deletes them. gdb's own finish would step where a function is inlined."""
    if frame.type() == gdb.INLINE_FRAME:
        raise gdb.GdbError("%s is inlined here and has no return; 'next' goes line by line" % frame.name())
    if not frame.older():
        raise gdb.GdbError("The outermost frame has no caller")
    return _at_return(frame, gdb.selected_thread().ptid, code)


def returned(function):
    """The value just returned if it is in a register, else None."""
    kind = function.type.target().strip_typedefs() if function else None
    if kind is None or kind.code not in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_CHAR):
        return None
    return gdb.parse_and_eval("$rax").cast(function.type.target())


def _at_return(frame, thread, code):
    caller = frame.older()
    return [Once(at, thread, real_frame(caller), code) for at in code.places(caller.pc())]


def stops_for_line(frame, code, enter):
    """Breakpoints at the other lines of this frame's function; the caller deletes them."""
    sal = frame.find_sal()
    if not sal.symtab or not sal.line:
        raise gdb.GdbError("No source lines are known here")
    thread, real = gdb.selected_thread().ptid, real_frame(frame)
    places = {at: real for pc in _other_lines(frame, sal) for at in code.places(pc)}
    if enter:
        places.update({at: None for pc in _called(frame, sal, code) for at in code.places(pc)})
    stops = [Once(at, thread, where, code) for at, where in places.items()]
    if real.older():
        stops += _at_return(real, thread, code)
    return stops

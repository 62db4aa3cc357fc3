"""
Code that simul has written anew (docs/patching.md). The program's instructions that touch memory run in copies of its functions, of
which no symbol table knows. Here are the way from one to the other (preload/patch/trap.h), and an unwinder, to which the place
in a copy is a frame that was called from the original place: so everything gdb knows of that place can be had one frame up.
"""
import array
import bisect
import struct

import gdb
from gdb.unwinder import Unwinder

_ENTRY = struct.Struct("<5QI")  # struct patched from old_lo on
_FROM = (1 << 27) - 1
_REGISTERS = ("rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15")


class Module:
    def __init__(self, inferior, at):
        self.old_lo, self.old_hi, self.new_lo, self.new_hi, table, self.n = _ENTRY.unpack(inferior.read_memory(at, _ENTRY.size))
        self._map = array.array("I")
        if self.n:
            self._map.frombytes(bytes(inferior.read_memory(table, 8 * self.n)))

    def _old(self, i):
        return self._map[2 * i + 1] & _FROM

    def to_new(self, address):
        """Where the instruction at this original address went; None: it stayed."""
        if not self.old_lo <= address < self.old_hi:
            return None
        i = bisect.bisect_left(range(self.n), address - self.old_lo, key=self._old)
        if i == self.n or self._old(i) != address - self.old_lo:
            return None
        return self.new_lo + self._map[2 * i]

    def instructions(self, lo, hi):
        """Original addresses of the instructions in this range that went elsewhere."""
        i = bisect.bisect_left(range(self.n), lo - self.old_lo, key=self._old) if self.old_lo <= lo < self.old_hi else self.n
        found = []
        while i < self.n and self.old_lo + self._old(i) < hi:
            found.append(self.old_lo + self._old(i))
            i += 1
        return sorted(set(found))

    def to_old(self, address):
        """The original address of the instruction of which this is a part; None: it is none."""
        if not self.new_lo <= address < self.new_hi:
            return None
        i = bisect.bisect_right(range(self.n), address - self.new_lo, key=lambda k: self._map[2 * k])
        return self.old_lo + self._old(i - 1) if i else None


def _from_file(address, n):
    """These bytes as they were when the module was loaded; None: nobody knows."""
    with open("/proc/%d/maps" % gdb.selected_inferior().pid) as maps:
        for line in maps:
            words = line.split(None, 5)
            lo, hi = (int(w, 16) for w in words[0].split("-"))
            if lo <= address < hi and len(words) > 5 and words[5].startswith("/"):
                with open(words[5].rstrip("\n"), "rb") as f:
                    f.seek(address - lo + int(words[2], 16))
                    return f.read(n)
    return None


class Code:
    """All modules of the running process."""

    def __init__(self):
        self.modules = []

    def read(self, area):
        inferior = gdb.selected_inferior()
        self.modules = [Module(inferior, area.tables + i * area.table_bytes) for i in range(area.table_n)]

    def forget(self):
        self.modules = []

    def to_new(self, address):
        return next((new for new in (m.to_new(address) for m in self.modules) if new is not None), None)

    def places(self, address):
        """Where the process can come to this original instruction: where it was, in the copy, or at either."""
        new = self.to_new(address)
        if new is None:
            return [address]
        text = self._intact(address)
        if text is None:
            return [new]
        return [address] if text.startswith("call") else [address, new]  # the copy of a call is a jump to it

    @staticmethod
    def _intact(address):
        """The text of the instruction at its original place if it still stands there; None: something else does."""
        now = gdb.selected_inferior().architecture().disassemble(address)[0]
        was = _from_file(address, now["length"])
        return now["asm"] if was == bytes(gdb.selected_inferior().read_memory(address, now["length"])) else None

    def to_old(self, address):
        return next((old for old in (m.to_old(address) for m in self.modules) if old is not None), None)

    def instructions(self, lo, hi):
        return [at for m in self.modules for at in m.instructions(lo, hi)]

    def behind_trap(self, pc):
        """Where the process goes on that ran on the int3 before pc, or stands on it; None: that is not the patcher's."""
        for address in (pc - 1, pc):
            new = self.to_new(address)
            if new is not None and bytes(gdb.selected_inferior().read_memory(address, 1)) == b"\xcc":
                return new
        return None

    def is_copy(self, address):
        return any(m.new_lo <= address < m.new_hi for m in self.modules)


class _Id:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


class CopyUnwinder(Unwinder):
    def __init__(self, code):
        super().__init__("simul")
        self._code = code

    def __call__(self, pending):
        rip = pending.read_register("rip")
        old = self._code.to_old(int(rip))
        if old is None:
            return None
        rsp = pending.read_register("rsp")
        found = pending.create_unwind_info(_Id(rsp, rip))
        for name in _REGISTERS:
            found.add_saved_register(name, pending.read_register(name))
        # gdb takes a caller's place to be just behind a call, and looks one byte before it
        found.add_saved_register("rip", gdb.Value(old + 1).cast(rip.type))
        return found

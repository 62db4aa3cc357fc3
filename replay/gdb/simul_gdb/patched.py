"""
Code that simul has patched (docs/patching.md). The program's instructions that access memory run in copies of its functions, which
no symbol table covers. This file maps addresses between the two (preload/patch/trap.h). It also has an unwinder that presents a
place in a copy as a frame called from the original place. So everything gdb knows of that place is available one frame up.
"""
import array
import bisect
import struct

import gdb
from gdb.unwinder import Unwinder

_ENTRY = struct.Struct("<5QI")  # struct patched from old_lo on
_FROM = (1 << 27) - 1
# enum map_kind; those with a register come in fours
_HOOK, _SPLIT_OPEN, _CALL, _SPLIT, _SPLIT_HOOK, _SPLIT_DONE = 1, 2, 5, 8, 12, 16
_TEMPORARY = ("rax", "rcx", "rdx", "rbx")
_ROOM = 128
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
        """The new address of the instruction at this original address; None if it was not moved."""
        if not self.old_lo <= address < self.old_hi:
            return None
        i = bisect.bisect_left(range(self.n), address - self.old_lo, key=self._old)
        if i == self.n or self._old(i) != address - self.old_lo:
            return None
        return self.new_lo + self._map[2 * i]

    def instructions(self, lo, hi):
        """The original addresses of the moved instructions in this range."""
        i = bisect.bisect_left(range(self.n), lo - self.old_lo, key=self._old) if self.old_lo <= lo < self.old_hi else self.n
        found = []
        while i < self.n and self.old_lo + self._old(i) < hi:
            found.append(self.old_lo + self._old(i))
            i += 1
        return sorted(set(found))

    def to_old(self, address):
        """The original address of the instruction that contains this address of the copy; None if there is none."""
        if not self.new_lo <= address < self.new_hi:
            return None
        i = self._at(address)
        return self.old_lo + self._old(i) if i >= 0 else None

    def _at(self, address):
        return bisect.bisect_right(range(self.n), address - self.new_lo, key=lambda k: self._map[2 * k]) - 1

    def saved(self, address, word, rsp):
        """The program's stack pointer, and the other registers saved on the stack, at an address in the copy where the stack pointer is
        rsp. Mirrors patch_to_original (x86_64/interrupted.c). word(at) reads memory."""
        i = self._at(address)
        kind, at = self._map[2 * i + 1] >> 27, address - self.new_lo - self._map[2 * i]
        size = self._map[2 * i + 2] - self._map[2 * i] if i + 1 < self.n else 0
        found = {}
        family = kind if kind < _SPLIT else kind & ~3
        if family in (_HOOK, _SPLIT_HOOK):
            rsp = self._leave_hook(at, size, family == _HOOK, word, rsp, found)
        if family == _SPLIT_OPEN and at or family == _SPLIT_DONE and at:
            rsp += _ROOM
        if family == _CALL:
            rsp += {size - 26: 8, size - 23: 16, size - 12: 8}.get(at, 0)
        if family in (_SPLIT_HOOK, _SPLIT) or family == _SPLIT_DONE and not at:
            found[_TEMPORARY[kind & 3]] = word(rsp)
            rsp += 8 + _ROOM
        found["rsp"] = rsp
        return found

    @staticmethod
    def _leave_hook(at, size, room, word, rsp, found):
        first, last = (5, 8) if room else (0, 0)
        both, popped = size - last - 16, size - last - 2  # from push rsi on; at pop rsi
        if both < at <= popped:
            found["rsi"], found["rdi"] = word(rsp), word(rsp + 8)
            rsp += 16
        elif first < at <= popped + 1:
            found["rdi"] = word(rsp)
            rsp += 8
        return rsp + _ROOM if room and at >= first else rsp


def _from_file(address, n):
    """These bytes as they were when the module was loaded; None if not known."""
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
        """The addresses at which the process can execute this original instruction: the original, the copy, or both."""
        new = self.to_new(address)
        if new is None:
            return [address]
        text = self._intact(address)
        if text is None:
            return [new]
        return [address] if text.startswith("call") else [address, new]  # the copy of a call is a jump to it

    @staticmethod
    def _intact(address):
        """The text of the instruction at its original address if it is still intact; else None."""
        now = gdb.selected_inferior().architecture().disassemble(address)[0]
        was = _from_file(address, now["length"])
        return now["asm"] if was == bytes(gdb.selected_inferior().read_memory(address, now["length"])) else None

    def to_old(self, address):
        return next((old for old in (m.to_old(address) for m in self.modules) if old is not None), None)

    def instructions(self, lo, hi):
        return [at for m in self.modules for at in m.instructions(lo, hi)]

    def behind_trap(self, pc):
        """The address at which the process continues after the patcher's int3 just before pc, or at pc; None if there is none."""
        for address in (pc - 1, pc):
            new = self.to_new(address)
            if new is not None and bytes(gdb.selected_inferior().read_memory(address, 1)) == b"\xcc":
                return new
        return None

    def saved(self, address, rsp):
        inferior = gdb.selected_inferior()
        module = next(m for m in self.modules if m.new_lo <= address < m.new_hi)
        return module.saved(address, lambda at: struct.unpack("<Q", inferior.read_memory(at, 8))[0], rsp)

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
        saved = self._code.saved(int(rip), int(rsp))
        for name in _REGISTERS:
            value = pending.read_register(name)
            found.add_saved_register(name, gdb.Value(saved[name]).cast(value.type) if name in saved else value)
        # gdb expects a caller's address to be just behind a call, and looks one byte before it
        found.add_saved_register("rip", gdb.Value(old + 1).cast(rip.type))
        return found

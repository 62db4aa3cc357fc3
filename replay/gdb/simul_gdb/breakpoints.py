"""
The program's own breakpoints. Those in a function that simul has written anew are set in the copy: the original place is rarely come
to, and a breakpoint instruction there could stand in the middle of a jump. The user's breakpoint stays what it is, with its number,
condition and commands; its location there is switched off, and a hidden one in the copy stands in for it. Functions of libsimul.so that
happen to have the same name are left out, but for those that stand in for a library's, `pthread_mutex_lock`.
"""
import contextlib

import gdb

from simul_gdb import frames


class StandIn(gdb.Breakpoint):
    def __init__(self, owner, address):
        super().__init__("*0x%x" % address, internal=True)
        self.silent = True
        self.owner = owner

    def stop(self):
        o = self.owner.of
        if not o.is_valid() or not o.enabled or self.owner.muted():
            return False
        if o.thread is not None and o.thread != gdb.selected_thread().global_num:
            return False
        if o.condition and not self._holds(o.condition):
            return False
        self.owner.hits += 1
        if o.ignore_count > 0:
            o.ignore_count -= 1
            return False
        return True

    @staticmethod
    def _holds(condition):
        gdb.newest_frame().older().select()
        try:
            return bool(gdb.parse_and_eval(condition))
        except gdb.error as e:
            gdb.write("Error in testing the condition %s: %s\n" % (condition, e))
            return True


def wanted(address, places, locations):
    """Is a breakpoint to be where gdb found that it should? In libsimul.so where that stands in for a function of a library."""
    if frames.is_library(address):
        return any(l.address is not None and frames.is_system(l.address) and not frames.is_library(l.address) for l in locations)
    return address in places


class Owner:
    """A breakpoint of the user's, and what stands in for it."""

    def __init__(self, of, muted):
        self.of, self.muted = of, muted
        self.hits = 0
        self.stand_ins = []

    def place(self, code):
        for location in self.of.locations:
            address = location.address
            if address is None:
                continue
            places = code.places(address)
            self.stand_ins += [StandIn(self, at) for at in places if at != address]
            if not wanted(address, places, self.of.locations):
                location.enabled = False

    def forget(self):
        for s in self.stand_ins:
            if s.is_valid():
                s.delete()
        self.stand_ins = []


class Breakpoints:
    def __init__(self, code):
        self._code = code
        self._owners = {}
        self._muted = False
        self._placing = False
        self._running = False  # is the code patched, so that places are known?
        self._were_enabled = []
        gdb.events.breakpoint_created.connect(self._created)
        gdb.events.breakpoint_modified.connect(self._modified)
        gdb.events.breakpoint_deleted.connect(self._deleted)

    @staticmethod
    def _is_users(b):
        """Is it a breakpoint of the user's in code? One in hardware stays there, and where code is patched that is never come to."""
        return b.number > 0 and b.type in (gdb.BP_BREAKPOINT, gdb.BP_HARDWARE_BREAKPOINT) and not isinstance(b, StandIn)

    def _all(self):
        return [b for b in gdb.breakpoints() if self._is_users(b)]

    @staticmethod
    def _enabled():
        """Whatever of the user's may stop the process, watchpoints too."""
        return [b for b in gdb.breakpoints() if b.number > 0 and b.enabled]

    def before_start(self):
        """Nothing may stand in the code while it is being patched, and what is loaded first may be another program."""
        if not self._running:
            return
        self._running = False
        for o in self._owners.values():
            o.forget()
        self._owners = {}
        self._were_enabled = self._enabled()
        self._enable(self._were_enabled, False)

    def after_start(self):
        self._running = True
        for b in self._all():
            self._place(b)
        self._enable(self._were_enabled, True)

    def again(self):
        """More code was patched."""
        for o in self._owners.values():
            o.forget()
            if o.of.is_valid():
                self._guarded(o)

    def _enable(self, those, to):
        self._placing = True
        for b in those:
            if b.is_valid():
                b.enabled = to
        self._placing = False

    def _guarded(self, owner):
        self._placing = True
        try:
            owner.place(self._code)
        finally:
            self._placing = False

    def _place(self, b):
        self._owners[b.number] = Owner(b, lambda: self._muted)
        self._guarded(self._owners[b.number])

    def _created(self, b):
        if self._running and not self._placing and self._is_users(b):
            self._place(b)

    def _modified(self, b):
        """gdb makes the locations anew when code is loaded, and they are switched on then."""
        if not self._running or self._placing or not self._is_users(b) or b.number not in self._owners:
            return
        owner = self._owners[b.number]
        if any(l.enabled and l.address is not None and not wanted(l.address, self._code.places(l.address), b.locations)
               for l in b.locations):
            owner.forget()
            self._guarded(owner)

    def _deleted(self, b):
        owner = self._owners.pop(b.number, None)
        if owner:
            owner.forget()

    @contextlib.contextmanager
    def muted(self):
        """None of the user's breakpoints stops while this holds."""
        enabled = self._enabled()
        self._muted = True
        self._enable(enabled, False)
        try:
            yield
        finally:
            self._muted = False
            self._enable(enabled, True)

    @staticmethod
    def hit(breakpoints):
        """The user's breakpoint that a stop at these is about; None."""
        return next((b.owner.of for b in breakpoints if isinstance(b, StandIn)), None)

    def commands_of(self, b):
        """What to do at the stop; a temporary breakpoint goes."""
        told = b.commands
        if b.temporary:
            b.delete()
        return told

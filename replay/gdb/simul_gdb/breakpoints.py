"""
The user's breakpoints. A breakpoint in a function that simul has patched is set in the function's copy: the original code is rarely
executed, and a breakpoint instruction there could be in the middle of a jump. The user's breakpoint keeps its number,
condition and commands. Its location in the original code is disabled, and a hidden breakpoint in the copy replaces it. Functions of
libsimul.so with the same name are skipped, except those that replace a library's function, such as `pthread_mutex_lock`.
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
    """Whether to keep a location that gdb found. In libsimul.so: only in a function that replaces one of a library."""
    if frames.is_library(address):
        return any(l.address is not None and frames.is_system(l.address) and not frames.is_library(l.address) for l in locations)
    return address in places


class Owner:
    """A breakpoint of the user, and the hidden breakpoints that replace it."""

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
        self._running = False  # whether the code is patched, so that places are known
        self._were_enabled = []
        gdb.events.breakpoint_created.connect(self._created)
        gdb.events.breakpoint_modified.connect(self._modified)
        gdb.events.breakpoint_deleted.connect(self._deleted)

    @staticmethod
    def _is_users(b):
        """Whether b is a user's breakpoint in code. A hardware breakpoint stays at the original code, which is not executed once it is patched."""
        return b.number > 0 and b.type in (gdb.BP_BREAKPOINT, gdb.BP_HARDWARE_BREAKPOINT) and not isinstance(b, StandIn)

    def _all(self):
        return [b for b in gdb.breakpoints() if self._is_users(b)]

    @staticmethod
    def _enabled():
        """The user's enabled breakpoints and watchpoints: all that can stop the process."""
        return [b for b in gdb.breakpoints() if b.number > 0 and b.enabled]

    def before_start(self):
        """No breakpoint may be in the code while it is being patched, and the first program may be another one, such as a script's interpreter."""
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
        """Called when more code was patched."""
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
        """gdb recreates the locations, enabled, when code is loaded."""
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
        """A context in which none of the user's breakpoints stops the process."""
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
        """The user's breakpoint that caused a stop at these breakpoints, or None."""
        return next((b.owner.of for b in breakpoints if isinstance(b, StandIn)), None)

    def commands_of(self, b):
        """The commands of b, to be run at the stop. Deletes a temporary breakpoint."""
        commands = b.commands
        if b.temporary:
            b.delete()
        return commands

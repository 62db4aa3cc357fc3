"""The commands `simul ...`. Their documentation is what `help simul ...` prints."""
import gdb

from simul_gdb import frames, process


def _number(argument, default):
    if not argument:
        return default
    try:
        n = int(argument, 0)
    except ValueError:
        raise gdb.GdbError("Expected a number, not '%s'" % argument)
    if n < 1:
        raise gdb.GdbError("Numbers begin with 1")
    return n


class _Command(gdb.Command):
    def __init__(self, name, session):
        super().__init__("simul " + name, gdb.COMMAND_RUNNING)
        self.session = session


class Simul(gdb.Command):
    """Move through the recorded schedule step by step, forward and back.
A step is an operation that other threads can observe: a synchronisation call, or an access to shared memory. The process stops
before a step, after all earlier ones. To go back, the program is run again from its start."""

    def __init__(self):
        super().__init__("simul", gdb.COMMAND_RUNNING, prefix=True)

    def invoke(self, argument, from_tty):
        if argument:
            raise gdb.GdbError("There is no command 'simul %s'; 'help simul' lists them" % argument)
        gdb.execute("help simul")


class Next(_Command):
    """Continue to the next step, or N steps further.
Breakpoints stop on the way.
Usage: simul next [N]"""

    def invoke(self, argument, from_tty):
        n = _number(argument, 1)
        s = self.session
        s.check_alive()
        to = s.coming() + n - (not s.at_step())
        s.run_to(to if to <= s.recording.last() else 0)


class Prev(_Command):
    """Go back to the previous step, or N steps back.
The program is run again from its start up to there.
Usage: simul prev [N]"""

    def invoke(self, argument, from_tty):
        n = _number(argument, 1)
        s = self.session
        here = min(s.coming(), s.recording.last() + 1) if process.alive() else s.recording.last() + 1
        if here - n < 1:
            raise gdb.GdbError("There are only %d steps before this one" % (here - 1))
        s.go_to(here - n)


class Goto(_Command):
    """Go to the point before step N, forward or back.
Nothing stops on the way.
Usage: simul goto N"""

    def invoke(self, argument, from_tty):
        n = _number(argument, 0)
        if not 1 <= n <= len(self.session.recording.steps):
            raise gdb.GdbError("Usage: simul goto N, from 1 to %d" % len(self.session.recording.steps))
        self.session.go_to(n)


class NextSwitch(_Command):
    """Continue to the next step at which another thread takes over.
Breakpoints stop on the way.
Usage: simul next-switch"""

    def invoke(self, argument, from_tty):
        s = self.session
        s.check_alive()
        first = s.coming() + s.at_step()  # the current step does not count, but the next one does
        s.run_to(next((n for n in s.recording.switches() if n >= first), 0))


class PrevSwitch(_Command):
    """Go back to the last step at which another thread took over.
Usage: simul prev-switch"""

    def invoke(self, argument, from_tty):
        s = self.session
        here = s.coming() if process.alive() else len(s.recording.steps) + 1
        found = [n for n in s.recording.switches() if n < here]
        if not found:
            raise gdb.GdbError("There is no switch between threads before this step")
        s.go_to(found[-1])


class Failure(_Command):
    """Continue to the failure.
Nothing stops on the way; 'continue' goes there too, but stops at breakpoints.
Usage: simul failure"""

    def invoke(self, argument, from_tty):
        self.session.go_to(len(self.session.recording.steps) + 1)


class Where(_Command):
    """Print the position in the schedule, and the source line of the next step.
Usage: simul where"""

    def invoke(self, argument, from_tty):
        self.session.tell()


class Schedule(_Command):
    """Print the schedule around the current step.
COUNT steps before and after (default 8). '=>' is the next step. '>' is a switch to another thread, '>>' a preemption (the thread
before could have continued).
Usage: simul schedule [COUNT]"""

    def invoke(self, argument, from_tty):
        count = _number(argument, 8)
        s = self.session
        here = s.coming() if process.alive() else 1
        for line in s.recording.table(here - count, here + count, here):
            gdb.write(line + "\n")


class Threads(_Command):
    """List the program's threads.
Prints simul's name, gdb's number and the position of each thread.
Usage: simul threads"""

    def invoke(self, argument, from_tty):
        s = self.session
        if not process.alive():
            raise gdb.GdbError("The program is not running; start it with: simul goto 1")
        a = process.area()
        chosen, frame = gdb.selected_thread(), gdb.selected_frame()
        for number, tid in sorted({**a.ended, **a.tids}.items()):
            t = process.thread_of(tid)
            if not t:
                continue
            t.switch()
            place = self._place(s) if number in a.tids else "has ended"
            gdb.write("%s %-24s thread %-3d %s\n" % ("*" if t == chosen else " ", s.recording.title(number), t.num, place))
        chosen.switch()
        frame.select()

    @staticmethod
    def _place(session):
        found = frames.program_frame(session.code)
        if not found:
            return "has not started"
        sal = found.find_sal()
        return "%s%s" % (found.name() or "??", " (%s:%d)" % (sal.symtab.filename, sal.line) if sal.symtab else "")


class Run(gdb.Command):
    """Run the program again from its start, with the recorded schedule, to the next breakpoint or the failure.
Usage: run"""

    def __init__(self, session):
        super().__init__("run", gdb.COMMAND_RUNNING)
        self.session = session

    def invoke(self, argument, from_tty):
        if argument:
            gdb.write("The arguments are the recorded ones.\n")
        self.session.start()
        self.session.run_to(0)


class Continue(gdb.Command):
    """Continue to the next breakpoint or the failure; after the failure, to the end of the process.
Usage: continue"""

    def __init__(self, session):
        super().__init__("continue", gdb.COMMAND_RUNNING)
        self.session = session

    def invoke(self, argument, from_tty):
        if argument:
            raise gdb.GdbError("'continue' takes no argument in a replay; use: ignore BREAKPOINT COUNT")
        self.session.go_on()


class Start(gdb.Command):
    """Run the program again from its start, to the beginning of main.
Usage: start"""

    def __init__(self, session):
        super().__init__("start", gdb.COMMAND_RUNNING)
        self.session = session

    def invoke(self, argument, from_tty):
        self.session.start()
        gdb.execute("tbreak -qualified main", to_string=True)
        self.session.run_to(0)


class Line(gdb.Command):
    """Continue to another source line of the selected thread, N times. Other threads run as recorded.
'next' stays in the function and returns to its caller at its end, 'step' also stops in functions that the line calls directly.
Usage: next [N], step [N]"""

    def __init__(self, name, session, enter):
        super().__init__(name, gdb.COMMAND_RUNNING)
        self.session, self.enter = session, enter

    def invoke(self, argument, from_tty):
        for _ in range(_number(argument, 1)):
            if not self.session.step_line(self.enter):
                break


class Finish(gdb.Command):
    """Continue until the selected function returns.
Usage: finish"""

    def __init__(self, session):
        super().__init__("finish", gdb.COMMAND_RUNNING)
        self.session = session

    def invoke(self, argument, from_tty):
        self.session.finish()


class Advance(gdb.Command):
    """Continue to a location, as 'tbreak LOCATION' and 'continue' do.
Usage: advance LOCATION, until LOCATION"""

    def __init__(self, name, session):
        super().__init__(name, gdb.COMMAND_RUNNING)
        self.session = session

    def invoke(self, argument, from_tty):
        if not argument:
            raise gdb.GdbError("A location is required in a replay; use 'next' to go line by line")
        gdb.execute("tbreak " + argument, to_string=True)
        self.session.run_to(0)


def register(session):
    Simul()
    Run(session)
    Continue(session)
    Start(session)
    Line("next", session, False)
    Line("step", session, True)
    Finish(session)
    Advance("advance", session)
    Advance("until", session)
    for c, name in ((Next, "next"), (Prev, "prev"), (Goto, "goto"), (NextSwitch, "next-switch"), (PrevSwitch, "prev-switch"),
                    (Failure, "failure"), (Where, "where"), (Schedule, "schedule"), (Threads, "threads")):
        c(name, session)

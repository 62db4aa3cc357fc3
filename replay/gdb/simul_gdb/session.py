"""One replay in gdb: starting it, going to a step, and reporting the position."""
import contextlib
import os
import shlex

import gdb

from simul_gdb import breakpoints, commands, frames, lines, patched, process, recording

# libsimul.so handles these: system calls that bypass libc, and failures, which it reports itself.
_SIGNALS = "SIGSYS SIGSEGV SIGBUS SIGFPE SIGILL SIGABRT"

_CONTINUE = "signal 0"  # 'continue' is one of our commands


@contextlib.contextmanager
def _silenced():
    """Discards output. For `starti`, which always prints where it stopped. `run` cannot be used, because it is one of our commands."""
    gdb.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        gdb.flush()
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


class Session:
    def __init__(self, program):
        self.recording = recording.Recording(os.environ["SIMUL_GDB_COMMAND"], os.environ["SIMUL_GDB_RECORDING"])
        self.code = patched.Code()
        gdb.unwinder.register_unwinder(None, patched.CopyUnwinder(self.code))
        frames.HideSimul(self.code)
        self.stop = process.Stop()
        self.breakpoints = breakpoints.Breakpoints(self.code)
        self._driving = False  # one of our commands is running and will report the position at its end
        self._event = None
        self._begun = False  # whether the code is patched, so that libsimul.so can be queried
        self._shown = [0, 0]
        self._first = process.image(program)  # for a script or `env`: the interpreter, which may become the real program
        self._script = self._first != os.path.realpath(program)
        self._execs = 0  # number of execs to another program
        self._stop_at = 0
        gdb.events.new_objfile.connect(self._loaded)
        gdb.events.stop.connect(self._stopped)
        gdb.events.exited.connect(self._exited)
        gdb.events.gdb_exiting.connect(self._leaving)

    # ---- stops ----

    def _stopped(self, event):
        self._event = event
        if self._driving or not self._begun:
            return
        if self._go_on_behind_trap() or self._more_code():
            gdb.write("simul: internal stop; 'continue' to proceed\n")
        else:
            self.tell()

    def _loaded(self, event):
        """The process has become another program. No breakpoints may be in code that is about to be patched."""
        if self._begun and event.new_objfile.filename == gdb.current_progspace().filename:
            self.code.forget()
            self.breakpoints.before_start()

    def _exited(self, event):
        self._event = None
        self._begun = False
        self.code.forget()

    def _leaving(self, event):
        """Without this, gdb would let an attached process continue."""
        if process.alive():
            gdb.execute("with confirm off -- kill", to_string=True)

    def _why(self):
        """ (reason, area) for a stop of simul; (None, area) for another one."""
        a = process.area()
        hit = self.stop.hit
        return (a.reason if hit else None), a

    def at_step(self):
        return self._why()[0] == process.STEP

    def coming(self):
        """The next step; after the failure, the number of steps + 1."""
        reason, a = self._why()
        if reason == process.STEP:
            return a.step
        return len(self.recording.steps) + 1 if reason == process.FAILURE else a.step + 1

    def _go_on_behind_trap(self):
        """If the process stopped at an unpredicted entry into patched code, moves it to the copy and returns True. Elsewhere libsimul.so's
        handler of SIGTRAP does this; gdb cannot pass that signal on, because it uses it itself."""
        if type(self._event) is not gdb.StopEvent or not process.is_trap():
            return False
        new = self.code.behind_trap(gdb.newest_frame().pc())
        if new is not None:
            gdb.newest_frame().select()
            gdb.execute("set var $pc = 0x%x" % new)
        return new is not None

    def _resume(self, command=_CONTINUE):
        self._driving = True
        try:
            said = gdb.execute(command, to_string=True)
            while process.alive() and (self._more_code() or self._next_program() or self._go_on_behind_trap()):
                said = gdb.execute(_CONTINUE, to_string=True)
        finally:
            self._driving = False
        return said

    def _more_code(self):
        if not self.stop.hit or process.area().reason != process.PATCHED:
            return False
        self.code.read(process.area())
        self.breakpoints.again()
        return True

    def _next_program(self):
        """If an exec led to another program that is ready now, prepares it and returns True. start() will expect the exec the next time."""
        if not self._begun or not self.stop.hit or process.area().reason != process.READY:
            return False
        self._execs += 1
        self._ready()
        process.stop_before(self._stop_at)
        return True

    # ---- going ----

    def _ready(self):
        self.code.read(process.area())
        self.breakpoints.after_start()
        self._begun = True

    def start(self):
        """Starts a new process and runs it to its checkpoint before main."""
        self._shown = [0, 0]
        self._begun = False
        self.code.forget()
        self.breakpoints.before_start()
        if process.alive():
            gdb.execute("with confirm off -- kill", to_string=True)
        if gdb.current_progspace().filename != self._first:
            gdb.execute("with confirm off -- file " + shlex.quote(self._first), to_string=True)
        with _silenced():
            said = self._resume("starti")
            if process.alive():
                process.place(self.recording.command)
        with process.stopped_at_start():
            for _ in range(1 + self._execs):
                if process.alive():
                    said = self._resume()
        if not process.alive() or not self.stop.hit:
            raise gdb.GdbError("The program could not be started, or libsimul.so was stripped of its symbols.\n" + said.strip())
        self._ready()

    def _stop_before(self, step):
        self._stop_at = step
        process.stop_before(step)

    def run_to(self, step):
        """Continues to the point before this step; 0: to the failure. The user's breakpoints stop on the way."""
        self._stop_before(step)
        self._resume()
        self.tell()

    def go_on(self):
        if not self._begun:
            raise gdb.GdbError("The program is not running; start it with: simul goto 1")
        self.run_to(0)

    def go_to(self, step):
        """Goes to the point before this step, forward or back. Nothing stops on the way."""
        failure = step > self.recording.last()
        with self.breakpoints.muted():
            if not self._begun or self._over() or (not failure and step < self.coming()):
                self.start()
            if failure or step != self.coming() or not self.at_step():
                self._stop_before(0 if failure else step)
                self._resume()
        self.tell()

    def _over(self):
        return self._why()[0] in (process.FAILURE, process.DIVERGED, process.END)

    def check_alive(self):
        if not self._begun:
            raise gdb.GdbError("The program is not running; start it with: simul goto 1")
        if self._over():
            raise gdb.GdbError("The replay is over; to go back: simul prev, simul goto N")

    def _program_frame(self):
        self.check_alive()
        frame = gdb.selected_frame()
        if frames.is_simul(frame, self.code):
            frame = frames.program_frame(self.code)
        if not frame:
            raise gdb.GdbError("The selected thread has not started yet; use: simul next")
        return frame

    def step_line(self, enter):
        """Continues to another source line of the selected thread: in its function, in its caller or, with enter, in a function that the
        line calls. Returns False if something else stopped it."""
        return self._run_to_one_of(lines.stops_for_line(self._program_frame(), self.code, enter))

    def finish(self):
        frame = self._program_frame()
        function = frame.function()
        if self._run_to_one_of(lines.stops_for_finish(frame, self.code)):
            value = lines.returned(function)
            if value is not None:
                gdb.write("Value returned is %s\n" % value)

    def _run_to_one_of(self, stops):
        lines_only = False
        try:
            self._stop_before(0)
            self._resume()
            lines_only = self._at_line()
        finally:
            for s in stops:
                s.delete()
        self.tell(lines_only)
        return lines_only

    # ---- reporting ----

    def _new_output(self):
        for i, (name, text) in enumerate(zip(("output", "error output"), process.output())):
            new = text[self._shown[i]:].decode(errors="replace")
            self._shown[i] = len(text)
            if new:
                gdb.write("[%s] %s%s" % (name, new, "" if new.endswith("\n") else "\n"))

    def _select(self, thread, a):
        """Selects the thread with this number in the recording, and its innermost program frame. Returns the frame, or None."""
        t = process.thread_of(a.tids.get(thread, 0))
        if not t:
            return None
        t.switch()
        return self._select_frame()

    def _select_frame(self):
        frame = frames.program_frame(self.code)
        if frame:
            frame.select()
        return frame

    def _name_threads(self, a):
        for tids, more in ((a.tids, ""), (a.ended, " (ended)")):
            for number, tid in tids.items():
                t = process.thread_of(tid)
                if t:
                    t.name = self.recording.title(number) + more

    def became(self):
        """The program that the recorded one, a script or wrapper, has become; None if it has not changed."""
        return gdb.current_progspace().filename if self._execs else None

    def is_other_build(self):
        """Whether the program that a script became is another build than the recorded one. Nothing else has compared this."""
        now = next((o.build_id for o in gdb.objfiles() if o.filename == self.became()), None)
        return self._script and now and self.recording.build_id != now

    def show_frame(self):
        """Like `frame`, but without an error message for a library function whose source file is missing."""
        frame = gdb.selected_frame()
        symtab = frame.find_sal().symtab
        if symtab and frames.is_system(frame.pc()) and not os.path.exists(symtab.fullname()):
            gdb.write(gdb.execute("frame", to_string=True).splitlines()[0] + "\n")
        else:
            gdb.execute("frame")

    def tell(self, line_only=False):
        """Reports the position, and selects the thread and frame concerned. line_only: the process reached another line, and
        nothing else stopped it."""
        if not process.alive():
            gdb.write("simul: the process has ended\n")
            return
        reason, a = self._why()
        self._name_threads(a)
        self._new_output()
        if reason is None:
            self._tell_other(line_only)
        elif reason == process.STEP:
            gdb.write("simul: before step %d of %d, %s\n" % (a.step, len(self.recording.steps), self.recording.text(a.step)))
            self._tell_place(a)
        elif reason == process.FAILURE:
            gdb.write("simul: the failure: %s\n" % process.text_at(a.message))
            self._tell_place(a)
            self._tell_printed_place()
        elif reason == process.DIVERGED:
            gdb.write("simul: the program diverged from the recording at step %d; simul replay (without --gdb) reports the difference\n" % a.step)
        elif reason == process.END:
            gdb.write("simul: the schedule was followed to its end without a failure\n")

    def _tell_place(self, a):
        if a.thread == process.NOBODY:
            return
        if self._select(a.thread, a):
            self.show_frame()
        else:
            gdb.write("%s has not started\n" % self.recording.title(a.thread))

    def _tell_printed_place(self):
        """For a test that fails by its exit status: main has returned, and its output is more informative than the stack."""
        where = self.recording.failure["where"]
        if where and self.recording.failure["kind"] == "exit" and frames.is_system(gdb.selected_frame().pc()):
            gdb.write("simul: what it printed names %s: 'break %s' and 'run' stop there\n" % (where, where))

    def _at_line(self):
        """Whether the only reason for the last stop is that another line was reached."""
        event = self._event
        return (process.alive() and not self.stop.hit and isinstance(event, gdb.BreakpointEvent) and
                all(isinstance(b, lines.Once) for b in event.breakpoints))

    def _tell_other(self, line_only):
        """Reports a user's breakpoint, a watchpoint or a signal."""
        event = self._event
        of = self.breakpoints.hit(event.breakpoints) if not line_only and isinstance(event, gdb.BreakpointEvent) else None
        if of:
            a = process.area()
            number = next((n for n, tid in a.tids.items() if tid == gdb.selected_thread().ptid[1]), None)
            gdb.write("Breakpoint %d, %s\n" % (of.number, self.recording.title(number) if number is not None else "a thread"))
        elif isinstance(event, gdb.SignalEvent) and event.stop_signal == "SIGINT":
            # the kernel gave it to an arbitrary thread; all but one wait for their turn
            t = process.running(process.area())
            if t:
                t.switch()
        elif not line_only and frames.is_within_simul(self.code):
            if self.recording.buffers:
                gdb.write("simul: a thread's buffered stores are written to memory while it runs, and removed again afterwards\n")
        elif not line_only and not frames.is_simul(gdb.newest_frame(), self.code):
            return  # gdb has reported it
        if self._select_frame():
            self.show_frame()
        elif line_only:
            gdb.write("The thread has returned from its start routine\n")
        if of:
            for line in (self.breakpoints.commands_of(of) or "").splitlines():
                gdb.execute(line)


def begin():
    command, recorded = os.environ["SIMUL_GDB_COMMAND"], os.environ["SIMUL_GDB_RECORDING"]
    gdb.execute("with confirm off -- handle %s nostop noprint pass" % _SIGNALS, to_string=True)
    gdb.execute("set breakpoint pending off")
    os.environ["SHELL"] = "/bin/sh"
    process.starts_by(command, os.environ["SIMUL_GDB_LINK"], recorded)
    program = os.environ["SIMUL_GDB_PROGRAM"]
    session = Session(program)
    commands.register(session)
    step = int(os.environ["SIMUL_GDB_STEP"])
    hang = session.recording.failure["kind"] == "hang"
    session.go_to(step or (session.recording.last() if hang else len(session.recording.steps) + 1))
    if session.became():
        gdb.write("simul: %s starts %s, which is debugged here\n" % (program, session.became()))
        if session.is_other_build():
            gdb.write("simul: it is another build than the recorded one, so its behaviour may differ\n")
    if hang:
        gdb.write("simul: the failure is that the program hangs after the last step: to see where, 'continue' and press Ctrl-C\n")
    gdb.write("simul: 'help simul' lists the commands\n")

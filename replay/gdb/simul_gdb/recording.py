"""The recorded schedule, from `simul show --json`."""
import json
import subprocess


class Recording:
    def __init__(self, command, path):
        # simul does not use gdb's standard streams: gdb may hold the terminal
        self.command = command
        shown = subprocess.run([command, "show", "--json", path], stdin=subprocess.DEVNULL, capture_output=True, check=True)
        whole = json.loads(shown.stdout)
        self.path = path
        self.steps = whole["schedule"]
        self.threads = whole["threads"]
        self.failure = whole["failure"]
        self.buffers = whole["options"]["model"] != "sc"  # stores are buffered
        self.build_id = whole["program"]["build_id"]
        self._columns = [self._title(t) for t in self.threads]

    @staticmethod
    def _title(thread):
        start = thread.get("start")
        return thread["thread"] + (" " + start if start else "")

    def title(self, thread):
        """ "T0.1 reader", for a thread's index in the recording."""
        return self._columns[thread] if thread < len(self._columns) else "thread %d" % thread

    def name(self, thread):
        return self.threads[thread]["thread"] if thread < len(self.threads) else None

    def is_death(self, number):
        """Whether this step is the failure itself, which is not a scheduling point."""
        return self.steps[number - 1]["event"] == "death"

    def last(self):
        """The last step before which the process can stop."""
        n = len(self.steps)
        return n - 1 if n and self.is_death(n) else n

    def switches(self):
        return [s["step"] for s in self.steps if s["switch"] and not self.is_death(s["step"])]

    def text(self, number):
        """ "T0.1 reader: cas top (prog.c:30)" """
        s = self.steps[number - 1]
        thread = next((self._title(t) for t in self.threads if t["thread"] == s["thread"]), s["thread"])
        return "%s: %s%s" % (thread, s["text"], " (%s)" % s["where"] if s["where"] else "")

    def table(self, first, last, current):
        """The lines of the schedule from first to last. `current` is the next step, or len + 1 after the failure."""
        first, last = max(1, first), min(len(self.steps), last)
        shown = self.steps[first - 1:last]
        order = {t["thread"]: i for i, t in enumerate(self.threads)}
        wide = [min(len(t), 24) for t in self._columns]
        for s in shown:
            at = order.get(s["thread"], 0)
            wide[at] = min(max(wide[at], len(self._cell(s))), 40)
        lines = [" " * 9 + "  ".join(self._fit(t, w) for t, w in zip(self._columns, wide)) + "  where"]
        for s in shown:
            cells = [""] * len(self.threads)
            cells[order.get(s["thread"], 0)] = self._cell(s)
            mark = "=>" if s["step"] == current else "  "
            switch = ">>" if s["preemption"] else " >" if s["switch"] else "  "
            where = " ".join(filter(None, [s.get("function"), s.get("where")]))
            lines.append(("%s%s%4d " % (mark, switch, s["step"]) + "  ".join(self._fit(c, w) for c, w in zip(cells, wide)) + "  " + where).rstrip())
        if last == len(self.steps) and current > last:
            lines.append("=>       after the failure")
        return lines

    @staticmethod
    def _fit(text, width):
        return (text if len(text) <= width else text[:width - 1] + "…").ljust(width)

    @staticmethod
    def _cell(step):
        return step["text"] or ""

#!/usr/bin/env python3
"""table.py: prints what each call shares with other threads besides memory, from preload/kernel/effects.def, as the table in docs/shared.md.
table.py --check FILE: fails if the table in FILE is another one."""
import re
import sys

WORDS = {
    "FINDS": "reads the entry, and the attributes of its file", "READS_LINK": "reads the entry",
    "DESCRIBES": "reads the entry, and the size and attributes of its file", "DESCRIBES_LINK": "reads the entry, and the size and attributes of its file",
    "CREATES": "changes the entry, adds to the names of the directory", "REMOVES": "changes the entry, adds to the names of the directory",
    "REMOVES_DIRECTORY": "changes the entry, reads the names in it, adds to the names of the directory", "LINKS": "reads the entry, sets an attribute (the count of links)",
    "LISTS": "reads the entry and the names in the directory", "WRITES": "reads the entry, adds to the contents", "SETS": "reads the entry, sets attributes",
    "SETS_LINK": "reads the entry, sets attributes", "ADDS_NAME": "adds to the names of the directory",
    "OPENS": "reads the entry and the attributes; if it creates, changes the entry; if it truncates, adds to the contents",
    "OPENS_NEW": "like `open`", "OPENS_STREAM": "like `open`", "OPENS_SHARED": "like `open`", "REMOVES_SHARED": "changes the entry",
    "READS_AT": "reads the contents", "READS_ON": "reads the contents, changes the position", "WRITES_AT": "adds to the contents",
    "WRITES_ON": "adds to the contents and the position", "DESCRIBES_FILE": "reads the size and the attributes", "SETS_FILE": "sets attributes",
    "CUTS": "adds to the contents; changes memory that the file is mapped to", "CUTS_PATH": "reads the entry, adds to the contents; changes memory that the file is mapped to",
    "MAKES_HOLES": "adds to the contents; changes memory that the file is mapped to", "GROWS": "adds to the contents; changes memory that the file is mapped to",
    "ASKS_FILE": "reads attributes", "USES_FILE": "uses the descriptor", "SEEKS": "changes the position", "LISTS_STREAM": "reads the names in the directory",
    "OPENS_NUMBERS": "makes a descriptor", "OPENS_NUMBERS_AS": "makes a descriptor", "OPENS_MEMORY": "makes a descriptor",
    "OPENS_CLOEXEC": "makes a descriptor", "NOTHING_SHARED": "nothing",
}
NAMES = {"directory": "the working directory", "mask": "the mask for new files", "limits": "the limits of the process", "users": "users and groups",
         "priorities": "priorities", "sessions": "process group and session", "timers": "the interval timers"}
NAMES.update(posix_timers="the timers of the process", defaults="what new threads get", libraries="the list of loaded libraries")
SETTINGS = dict(re.findall(r'SETTINGS\((\w+), "(.*)"\)', open("preload/kernel/settings.def", encoding="utf-8").read()))
SETTING = {"SETS_OF": "ADD", "ASKS_OF": "READ", "SETS_THREAD": "ADD", "ASKS_THREAD": "READ", "SETS_ID": "ADD", "ASKS_ID": "READ"}
VERBS = {"READ": "reads", "ADD": "adds to", "CHANGE": "changes"}


def words(effects):
    out = []
    for name, args in re.findall(r"(\w+)(?:\(([^()]*)\))?", effects):
        if name == "PROCESS_ASKED":
            out.append(f"reads {NAMES[args.split(',')[1].strip()]}, if it asks for one")
        elif name.startswith("PROCESS"):
            resource, use = [a.strip() for a in args.split(",")][-2:]
            out.append(f"{VERBS[use]} {NAMES[resource]}")
        elif name in SETTING:
            out.append(f"{VERBS[SETTING[name]]} {SETTINGS[args.split(',')[0]]}")
        elif name in WORDS:
            out.append(WORDS[name])
        else:
            sys.exit(f"no words for {name}")
    return "; ".join(out)


def table():
    text = open("preload/kernel/effects.def", encoding="utf-8").read()
    text = text[text.index("==== "):]
    lines = ["| calls | share |", "|---|---|"]
    groups = {}
    for name, effects in re.findall(r"CALL\((\w+), ((?:[^()]|\([^()]*\))*)\)", text):
        groups.setdefault(words(effects), []).append(f"`{name}`")
    for what, names in groups.items():
        if what != "nothing":
            lines.append(f"| {', '.join(n for n in names if not n.startswith('`__') and not n.startswith('`_IO'))} | {what} |")
    return lines


lines = table()
if len(sys.argv) > 1:
    have = open(sys.argv[2], encoding="utf-8").read()
    missing = [line for line in lines if line not in have]
    print("\n".join(f"{sys.argv[2]} lacks: {line}" for line in missing))
    sys.exit(1 if missing or not lines else 0)
print("\n".join(lines))

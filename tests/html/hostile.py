"""Puts markup where a recording has names, and makes its checksum right again.

hostile.py RECORDING                 thread, function and object names become markup
hostile.py --file DIR NAME RECORDING  every place is in the file NAME of DIR
"""
import re
import sys

EVIL = r"""</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"><!-- \x01\xff &amp; {{{DATA}}}"""


def checksum(data):
    h = 0xcbf29ce484222325
    for b in data:
        h = ((h ^ b) * 0x100000001b3) & 0xffffffffffffffff
    return h


def main():
    args = sys.argv[1:]
    path = args[-1]
    with open(path, "rb") as f:
        text = f.read()
    lines = text[:text.rindex(b"end ")].decode("latin-1").split("\n")
    for i, line in enumerate(lines):
        if args[0] == "--file":
            line = re.sub(r'^(frame ("[^"]*"|-)) ("[^"]*"|-) ("[^"]*"|-)', lambda m: '%s "%s" "%s"' % (m[1], args[1], args[2]), line)
        elif line.startswith("frame "):
            line = re.sub(r'^frame "[^"]*"', lambda m: 'frame "%s"' % EVIL, line)
        elif line.startswith("thread T"):
            line = re.sub(r'"[^"]*"$', lambda m: '"%s"' % EVIL, line)
        elif re.match(r"o\d+ mutex", line):
            line = re.sub(r'"[^"]*"', lambda m: '"%s"' % EVIL, line, count=1)
        lines[i] = line
    data = "\n".join(lines).encode("latin-1")
    assert data + b"end" != text[:len(data) + 3], "nothing was changed"
    with open(path, "wb") as f:
        f.write(data + b"end %016x\n" % checksum(data))


if __name__ == "__main__":
    main()

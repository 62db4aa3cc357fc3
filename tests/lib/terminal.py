#!/usr/bin/env python3
"""Runs a command on a terminal and prints what it writes there, one state of the live line on each line.

    tests/lib/terminal.py COLUMNS COMMAND [ARGUMENT...]
"""
import fcntl
import os
import pty
import struct
import sys
import termios


def main():
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
        os.execvp(sys.argv[2], sys.argv[2:])
    seen = b""
    try:
        while piece := os.read(terminal, 4096):
            seen += piece
    except OSError:  # the command has ended
        pass
    print(seen.decode().replace("\r\x1b[K", "\n").replace("\r\n", "\n"))
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


main()

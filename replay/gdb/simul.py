"""What `simul replay --gdb` has gdb read first: the commands `simul ...`, and what makes the program's own breakpoints work."""
import os
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

sys.dont_write_bytecode = True  # nothing is left beside the library

from simul_gdb import session

try:
    session.begin()
except (gdb.error, gdb.GdbError) as e:
    gdb.write("simul: %s\n" % e, gdb.STDERR)
    gdb.execute("quit 2")

"""The script that `simul replay --gdb` has gdb read first. It adds the commands `simul ...` and makes the user's breakpoints work."""
import os
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

sys.dont_write_bytecode = True  # leave no files beside the library

from simul_gdb import session

try:
    session.begin()
except (gdb.error, gdb.GdbError) as e:
    gdb.write("simul: %s\n" % e, gdb.STDERR)
    gdb.execute("quit 2")

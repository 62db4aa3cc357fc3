"""What `simul replay --gdb` has gdb read first: the commands `simul ...`, and what makes the program's own breakpoints work."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from simul_gdb import session

session.begin()

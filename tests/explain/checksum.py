"""Makes the checksum of a recording right again after it was edited: checksum.py RECORDING"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "html"))
from hostile import checksum  # noqa: E402

with open(sys.argv[1], "rb") as f:
    text = f.read()
data = text[:text.rindex(b"end ")]
with open(sys.argv[1], "wb") as f:
    f.write(data + b"end %016x\n" % checksum(data))

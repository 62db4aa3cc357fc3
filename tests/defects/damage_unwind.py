"""damage_unwind.py FILE: lets the program header of the unwind table of an ELF file point to where nothing is."""
import struct
import sys

EH_FRAME = 0x6474e550
with open(sys.argv[1], "r+b") as f:
    data = bytearray(f.read())
    start, count = struct.unpack_from("<Q", data, 32)[0], struct.unpack_from("<H", data, 56)[0]
    for at in range(start, start + 56 * count, 56):
        if struct.unpack_from("<I", data, at)[0] == EH_FRAME:
            struct.pack_into("<Q", data, at + 16, 0x123456789000)
    f.seek(0)
    f.write(data)

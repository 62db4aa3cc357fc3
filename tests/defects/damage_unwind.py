"""damage_unwind.py FILE [entry]: changes an ELF file so that its program header of the unwind table points to where nothing is; or, with `entry`, so that
the first entry of the unwind information has no length."""
import struct
import sys

EH_FRAME = 0x6474e550
with open(sys.argv[1], "r+b") as f:
    data = bytearray(f.read())
    start, count = struct.unpack_from("<Q", data, 32)[0], struct.unpack_from("<H", data, 56)[0]
    for at in range(start, start + 56 * count, 56):
        if struct.unpack_from("<I", data, at)[0] == EH_FRAME:
            table = struct.unpack_from("<Q", data, at + 8)[0]
            if sys.argv[2:] == ["entry"]:  # the table's second word is the distance from itself to the first entry
                struct.pack_into("<I", data, table + 4 + struct.unpack_from("<i", data, table + 4)[0], 0)
            else:
                struct.pack_into("<Q", data, at + 16, 0x123456789000)
    f.seek(0)
    f.write(data)

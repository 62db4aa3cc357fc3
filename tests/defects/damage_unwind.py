"""damage_unwind.py FILE [entry|last|shifted]: changes an ELF file so that its program header of the unwind table points to where nothing is; or,
with `entry`, so that the first entry of the unwind information has no length; with `last`, so that the entry of the function at the highest
address has none; with `shifted`, so that the table says that this function begins a byte later."""
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
            elif sys.argv[2:]:  # the table's third word is the number of functions; two words for each follow: the place, the entry
                function = table + 12 + 8 * (struct.unpack_from("<I", data, table + 8)[0] - 1)
                place, entry = struct.unpack_from("<ii", data, function)
                if sys.argv[2] == "shifted":
                    struct.pack_into("<i", data, function, place + 1)
                else:
                    struct.pack_into("<I", data, table + entry, 0)
            else:
                struct.pack_into("<Q", data, at + 16, 0x123456789000)
    f.seek(0)
    f.write(data)

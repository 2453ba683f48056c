"""Prints the sections of a bundle: tables with a line per row, others as hexadecimal words (the first 16)."""
import json
import struct
import sys

data = open(sys.argv[1], "rb").read()
magic, version, count, size, checksum = struct.unpack_from("<8sIIQQ", data)
print(magic.decode(), "version", version)
for number in range(count):
    name, offset, size = struct.unpack_from("<48sQQ", data, 32 + 64 * number)
    name = name.rstrip(b"\0").decode()
    content = data[offset : offset + size]
    print("section", name)
    if name.endswith("/tables"):
        for table, rows in json.loads(content).items():
            for row in rows if isinstance(rows, list) else [rows]:
                print(table, json.dumps(row))
    else:
        print(content[:64].hex(" ", 4))

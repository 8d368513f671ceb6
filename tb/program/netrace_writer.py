# SPDX-License-Identifier: MIT
"""Files of netrace 1.0, written from the description of the format and not by the code that is tested."""
import bz2
import random
import struct

READ, READ_ANSWER, WRITE_BACK, INVALIDATE, INVALIDATED = 1, 2, 6, 27, 28
WITH_LINE = {2, 3, 4, 6, 16, 30}  # types of 72 bytes; all others have 8


def header(packets, nodes=64, clocks=1000, name=b"made", notes=b"", regions=(), magic=0x484A5455, version=1.0):
    text = struct.pack("<If30sBxQQII8x", magic, version, name, nodes, clocks, packets, len(notes), len(regions)) + notes
    return text + b"".join(struct.pack("<QQQ", *region) for region in regions)


def packet(clock, number, source, destination, kind=READ, waiting=()):
    return struct.pack("<QIIBBBBB", clock, number, 0x1000 + number, kind, source, destination, 0x12,
                       len(waiting)) + struct.pack(f"<{len(waiting)}I", *waiting)


def program(seed, count, nodes=64, first=17):
    """Random reads and invalidations with their answers: (clock, id, source, destination, type, ids that wait)."""
    rng = random.Random(seed)
    packets, open_requests, clock = [], [], 0
    for number in range(first, first + count):
        clock += rng.choice([0, 0, 1, 7])
        if open_requests and rng.random() < 0.6:
            source, destination, kind = open_requests.pop(rng.randrange(len(open_requests)))
        else:
            source, destination, kind = rng.randrange(nodes), rng.randrange(nodes), rng.choice([READ, INVALIDATE])
            open_requests.append((destination, source, READ_ANSWER if kind == READ else INVALIDATED))
        packets.append([clock, number, source, destination, kind, []])
    # Dependencies: some later packets, a few of which do not exist.
    for i, p in enumerate(packets):
        later = range(p[1] + 1, min(p[1] + 200, first + count + 5))
        p[5] = sorted(rng.sample(later, min(len(later), rng.choice([0, 0, 1, 1, 2, 5]))))
    return packets


def write(path, packets, packed=True, streams=1, **more):
    """As one bzip2 stream or several, as programs that pack on many cores write them."""
    data = header(len(packets), clocks=packets[-1][0] + 1, **more) + b"".join(packet(*p) for p in packets)
    if packed:
        step = -(-len(data) // streams)
        data = b"".join(bz2.compress(data[i:i + step]) for i in range(0, len(data), step))
    path.write_bytes(data)


def expected(packets, first=0, count=None, clock=0, delay=0):
    """The lines that packets first to first + count should become."""
    chosen = packets[first:] if count is None else packets[first:first + count]
    parts = {p[1]: (2 if p[4] in WITH_LINE else 1) for p in chosen}
    numbers, number = {}, 0
    for p in chosen:
        numbers[p[1]] = list(range(number, number + parts[p[1]]))
        number += parts[p[1]]
    after = {p[1]: [] for p in chosen}
    for p in chosen:
        for waiting in p[5]:
            if waiting in after:
                after[waiting] += numbers[p[1]]
    lines = []
    for p in chosen:
        for _ in numbers[p[1]]:
            line = f"{p[0] - clock} {p[2]} {p[3]} {12 if p[4] in WITH_LINE else 5}"
            if after[p[1]]:
                line += " after:" + ",".join(map(str, sorted(after[p[1]]))) + (f"+{delay}" if delay else "")
            lines.append(line)
    return lines

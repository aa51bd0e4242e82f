"""Serves a page of ours beside a library's files, tiles that it draws itself, and keeps what the page saves.

`python pages_server.py PORT PAGES MODULES DATA`: a POST to /save writes its body to `saved` in DATA.
"""

import struct
import sys
import zlib
from pathlib import Path
from typing import Final

from aiohttp import web

SIDE: Final = 256
COLOURS: Final = (b"\xdd\xe8\xd0", b"\xc8\xdc\xe8")


def png(colour: bytes) -> bytes:
    """Draw a square of one colour with a darker border: https://www.w3.org/TR/png-3/#11Chunks."""
    border, line = b"\x80\x80\x80" * SIDE, b"\x80\x80\x80" + colour * (SIDE - 1)
    rows = b"\0" + border + (b"\0" + line) * (SIDE - 1)
    head = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


TILES: Final = tuple(png(colour) for colour in COLOURS)


async def tile(request: web.Request) -> web.Response:
    """Give a tile of the map, coloured as a chessboard."""
    place = request.match_info
    return web.Response(body=TILES[(int(place["x"]) + int(place["y"])) % 2], content_type="image/png")


def main(port: int, pages: Path, modules: Path, data: Path) -> None:
    """Serve until ended."""

    async def save(request: web.Request) -> web.Response:
        (data / "saved").write_bytes(await request.read())
        return web.Response(text="saved")

    application = web.Application()
    application.add_routes(
        [
            web.post("/save", save),
            web.get(r"/tiles/{z:\d+}/{x:-?\d+}/{y:-?\d+}.png", tile),
            web.static("/modules", modules),
            web.static("/", pages),
        ]
    )
    web.run_app(application, host="127.0.0.1", port=port)


if __name__ == "__main__":
    main(int(sys.argv[1]), *map(Path, sys.argv[2:5]))

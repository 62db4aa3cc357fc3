"""A slow network: delay.py PORT SECONDS forwards connections to 127.0.0.1:PORT, and delays each byte by SECONDS on its way there. Prints its own port."""
import asyncio
import sys

port, seconds = int(sys.argv[1]), float(sys.argv[2])


async def forward(reader, writer, wait):
    loop, queue = asyncio.get_running_loop(), asyncio.Queue()

    async def send():
        while True:
            due, data = await queue.get()
            await asyncio.sleep(max(0, due - loop.time()))
            if not data:
                writer.close()
                return
            writer.write(data)

    task = asyncio.ensure_future(send())
    while True:
        try:
            data = await reader.read(1 << 16)
        except OSError:
            data = b""
        queue.put_nowait((loop.time() + wait, data))
        if not data:
            return await task


async def meet(reader, writer):
    there = await asyncio.open_connection("127.0.0.1", port)
    await asyncio.gather(forward(reader, there[1], seconds), forward(there[0], writer, 0), return_exceptions=True)


async def main():
    server = await asyncio.start_server(meet, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())

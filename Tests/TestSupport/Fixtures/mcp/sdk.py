"""A tool server made with the official SDK: on standard input, or at a port with HTTP."""

import sys

from mcp.server.mcpserver import Context, Image, MCPServer

server = MCPServer("sdk", version="1.2")


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.tool()
def fail() -> str:
    """Fails."""
    raise ValueError("out of cheese")


@server.tool()
def draw() -> list:
    """Draws."""
    dot = bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c02"
        "0000000b4944415478da6364f80f00010501012718e3660000000049454e44ae426082"
    )
    return ["a dot", Image(data=dot, format="png")]


@server.tool()
async def count(upto: int, ctx: Context) -> str:
    """Counts."""
    for number in range(1, upto + 1):
        await ctx.report_progress(number, upto, f"at {number}")
    return "counted"


@server.resource("note://{name}")
def note(name: str) -> str:
    """A note."""
    return f"This is {name}."


@server.resource("note://list")
def notes() -> str:
    """All notes."""
    return "milk, bread"


@server.prompt()
def greet(name: str) -> str:
    """Greets somebody."""
    return f"Say hello to {name}."


if len(sys.argv) > 1:
    json = len(sys.argv) > 2
    server.run("streamable-http", port=int(sys.argv[1]), json_response=json)
else:
    server.run()

"""Drives `btcp mcp` with the official SDK: client.py BINARY MODE URL.

MODE is the SDK's own: legacy (initialize), auto (discover first) or a stateless
revision. The Rust test beside this runs it for each; any failed check is a traceback
and exit code 1.
"""

import asyncio
import re
import sys

from mcp import MCPError
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

REVISION = {"legacy": "2025-11-25", "auto": "2026-07-28", "2026-07-28": "2026-07-28"}


def only_text(result):
    """The one text block a model reads; nothing structured beside it."""
    assert result.structured_content is None, result
    [block] = result.content
    assert block.type == "text", result
    return block.text


async def check_tools(client):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert {"browser_navigate", "browser_snapshot", "browser_click"} <= tools.keys(), tools.keys()
    for name, tool in tools.items():
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name), name
        assert tool.description, name
        assert tool.output_schema is None, name
        assert tool.input_schema["type"] == "object", name
    assert tools["browser_snapshot"].annotations.read_only_hint is True
    assert tools["browser_click"].annotations is None


async def check_calls(client, url):
    result = await client.call_tool("browser_navigate", {"url": url})
    assert not result.is_error, result
    assert url in only_text(result), result

    text = only_text(await client.call_tool("browser_snapshot", {}))
    assert text.startswith('page "'), text
    assert url in text.splitlines()[0], text

    result = await client.call_tool("browser_click", {"selector": "#no-such-thing", "timeout": 200})
    assert result.is_error, result
    assert "'#no-such-thing' not found" in only_text(result), result
    assert only_text(result).endswith("(not_found, done: no)"), result

    result = await client.call_tool("browser_click", {"selektor": "#a"})
    assert result.is_error and "selektor" in only_text(result), result

    result = await client.call_tool("browser_screenshot", {})
    kinds = [block.type for block in result.content]
    assert kinds == ["text", "image"], kinds
    assert result.content[1].mime_type == "image/png", result.content[1].mime_type

    try:
        await client.call_tool("browser_clik", {})
    except MCPError as error:
        assert error.code == -32602, error
        assert "browser_click" in str(error), error
    else:
        raise AssertionError("a tool that does not exist was called")


async def check_cancellation(client, url):
    """Giving up on a call must free the tab for the next one."""
    try:
        await asyncio.wait_for(client.call_tool("browser_wait", {"time": 60_000}), 0.5)
    except TimeoutError:
        pass
    result = await client.call_tool("browser_snapshot", {})
    assert url in only_text(result), result


async def main(binary, mode, url):
    server = StdioServerParameters(command=binary, args=["mcp"])
    async with Client(server, mode=mode) as client:
        assert client.protocol_version == REVISION[mode], client.protocol_version
        # A pinned revision is taken on trust, so only then does nobody introduce us.
        if mode != "2026-07-28":
            assert client.server_info.name == "btcp", client.server_info
            assert "browser_snapshot" in client.instructions, client.instructions
        await check_tools(client)
        await check_calls(client, url)
        await check_cancellation(client, url)
    print(f"{mode}: ok")


asyncio.run(main(*sys.argv[1:]))

"""A tiny MCP server over stdio in raw JSON-RPC: one file reader and one editor, careless or careful by its argument.

``hashed`` edits line ranges under the hash of the file; ``matching`` replaces the first text that matches.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

KIND = sys.argv[1]
STRING = {"type": "string"}


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def read(path: str) -> tuple[str, bool]:
    text = Path(path).read_bytes().decode()
    return (text if KIND == "matching" else json.dumps({"text": text, "hash": digest(text)})), False


def edit(path: str, edits: list[dict[str, Any]], expected: str = "") -> tuple[str, bool]:
    text = Path(path).read_bytes().decode()
    if KIND == "hashed" and digest(text) != expected:
        return json.dumps({"result": "error", "reason": "hash mismatch"}), False
    if KIND == "matching":
        for one in edits:
            if one["old"] not in text:
                return "no match", True
            text = text.replace(one["old"], one["new"], 1)
    else:
        lines = text.split("\n")
        for one in sorted(edits, key=lambda one: one["first"], reverse=True):
            lines[one["first"] - 1 : one["last"]] = one["new"].split("\n")[:-1]
        text = "\n".join(lines)
    Path(path).write_bytes(text.encode())
    return json.dumps({"result": "ok"}), False


TOOLS = {"read": read, "edit": edit}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    match method:
        case "initialize":
            about = {"name": "tiny", "version": "1"}
            return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": about}
        case "tools/list":
            return {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]}
        case "tools/call":
            text, error = TOOLS[params["name"]](**params["arguments"])
            return {"content": [{"type": "text", "text": text}], "isError": error}
    return None


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result = answer(message["method"], message.get("params") or {})
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    reply |= {"result": result} if result is not None else {"error": {"code": -32601, "message": "no such method"}}
    print(json.dumps(reply), flush=True)

"""client.py urllib|requests URL: a client of MCP on one of these libraries alone. It prints what a call returned."""
import sys
import urllib.request

kind, url = sys.argv[1:]


def post(session, body):
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    if session:
        headers |= {"Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-11-25"}
    if kind == "requests":
        import requests

        answer = requests.post(url, data=body, headers=headers, timeout=60)
        return answer.headers.get("mcp-session-id"), answer.text
    with urllib.request.urlopen(urllib.request.Request(url, data=body.encode(), headers=headers), timeout=60) as answer:
        return answer.headers.get("mcp-session-id"), answer.read().decode()


session, _ = post(None, '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"other","version":"1"}}}')
post(session, '{"jsonrpc":"2.0","method":"notifications/initialized"}')
_, answer = post(session, '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}')
print(answer)

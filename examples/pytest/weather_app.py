"""What is tested: an application that asks a server of MCP for the weather, over HTTP."""

import http.client
import itertools
import json
import urllib.request

VERSION = "2025-11-25"


class Client:
    """As much of a client of MCP as the application needs, with nothing but the standard library."""

    def __init__(self, url):
        self.url = url
        self.headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        self.ids = itertools.count()
        info = {"name": "weather-app", "version": "1.0.0"}
        params = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": info}
        self.request("initialize", params)
        self.headers["MCP-Protocol-Version"] = VERSION
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def request(self, method, params):
        message = {"jsonrpc": "2.0", "id": next(self.ids), "method": method, "params": params}
        answer = self.post(message)
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        return answer["result"]

    def post(self, message):
        request = urllib.request.Request(self.url, json.dumps(message).encode(), self.headers)
        with urllib.request.urlopen(request) as response:
            session = response.headers["Mcp-Session-Id"]
            if session:
                self.headers["Mcp-Session-Id"] = session
            body = response.read().decode()
            if response.headers.get_content_type() == "text/event-stream":
                events = [line[5:] for line in body.splitlines() if line.startswith("data:")]
                return next(event for event in map(json.loads, filter(str.strip, events)) if event.get("id") == message["id"])
            return json.loads(body) if body else {}


def weather_of(city, client):
    """The weather of a city, in words; without an answer, that there is none."""
    try:
        result = client.request("tools/call", {"name": "weather", "arguments": {"city": city}})
    except (RuntimeError, OSError, http.client.HTTPException):
        return "There is no weather now"
    return result["content"][0]["text"]

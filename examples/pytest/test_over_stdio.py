"""The same mock server for a client that starts it as a command, over stdio."""

import json
import subprocess

import pytest

from conftest import CASSETTE
from weather_app import VERSION


@pytest.fixture
def start():
    """Starts mock servers with faults. Fails the test if one of them ends with exit status 1 or 2."""
    servers = []

    def start(*faults):
        # The program itself, not npx, which would hide its exit status and the end of its output.
        command = ["node_modules/.bin/mcp-record", "replay", "--on-difference", "fail"]
        for fault in faults:
            command += ["--fault", fault, "--strict-faults"]
        servers.append(subprocess.Popen([*command, CASSETTE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        return servers[-1]

    yield start
    for server in servers:
        try:
            server.stdin.close()
        except BrokenPipeError:
            pass  # A fault has ended the server, and the client has written to it since.
        assert server.wait() not in (1, 2)


def initialize(server):
    info = {"name": "weather-app", "version": "1.0.0"}
    params = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": info}
    send(server, {"id": 0, "method": "initialize", "params": params})
    assert json.loads(server.stdout.readline())["id"] == 0
    send(server, {"method": "notifications/initialized"})


def send(server, message):
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    server.stdin.flush()


OSLO = {"id": 1, "method": "tools/call", "params": {"name": "weather", "arguments": {"city": "Oslo"}}}


def test_answers_as_it_was_recorded(start):
    server = start()
    initialize(server)
    send(server, OSLO)
    (content,) = json.loads(server.stdout.readline())["result"]["content"]
    assert content["text"] == "Oslo has 20 degrees"


def test_ends_its_output_within_an_answer(start):
    server = start("truncate:tools/call:bytes=20")
    initialize(server)
    send(server, OSLO)
    assert len(server.stdout.read()) == 20

import json
import re
import subprocess
import threading
import urllib.error
import urllib.request

import pytest

from weather_app import Client

CASSETTE = "cassettes/weather.yaml"


class Server:
    """A mock server of mcp-record, which runs as a command, and its control API."""

    def __init__(self):
        options = ["--http", "--on-difference", "fail", "--control", "127.0.0.1:0"]
        command = ["node_modules/.bin/mcp-record", "replay", *options, CASSETTE]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        said = ""
        for line in self.process.stderr:
            said += line
            found = re.search(r"control API on (\S+)", line)
            if found:
                break
        else:
            raise RuntimeError(said)
        self.control = found[1]
        # Keep reading: a process stops if nobody reads its standard error.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.url = self.ask("GET", "/health")["url"]

    def ask(self, method, path, body=None):
        headers = {"Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.control + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            # The body says what is wrong, and what to do.
            raise RuntimeError(f"{method} {path}: {error.read().decode()}") from None

    def stop(self):
        self.process.terminate()
        self.process.wait()


@pytest.fixture(scope="session")
def server():
    server = Server()
    yield server
    server.stop()


@pytest.fixture
def mock(server):
    """Gives the mock server to a test, then resets it. Fails the test if the server has found a mistake."""
    yield server
    outcome = server.ask("POST", "/reset")
    assert not outcome["failed"], "\n".join(one["text"] for one in outcome["findings"] if one["fails"])


@pytest.fixture
def client(mock):
    return Client(mock.url)

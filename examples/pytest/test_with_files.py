"""The same mock server for a client whose SDK starts it. Tests read the file of findings, and write a file of faults."""

import json
import subprocess

from conftest import CASSETTE
from weather_app import VERSION


def weather_of(city, command):
    """Stands for a client that starts its server and makes one call. Returns None after an error."""
    info = {"name": "weather-app", "version": "1.0.0"}
    params = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": info}
    messages = [
        {"id": 0, "method": "initialize", "params": params},
        {"method": "notifications/initialized"},
        {"id": 1, "method": "tools/call", "params": {"name": "weather", "arguments": {"city": city}}},
    ]
    sent = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
    server = subprocess.run(command, input=sent, stdout=subprocess.PIPE, text=True)
    answers = [json.loads(line) for line in server.stdout.splitlines()]
    (answer,) = [one for one in answers if one.get("id") == 1]
    return answer["result"]["content"][0]["text"] if "result" in answer else None


def test_makes_no_mistake(tmp_path):
    findings = tmp_path / "findings.jsonl"
    options = ["--on-difference", "fail", "--findings", str(findings)]
    command = ["node_modules/.bin/mcp-record", "replay", *options, CASSETTE]
    assert weather_of("Oslo", command) == "Oslo has 20 degrees"
    assert '"fails":true' not in findings.read_text()


def write_faults(path, number, *rules):
    """Replaces the faults of all servers that read the file at this path."""
    new = path.with_suffix(".new")
    new.write_text(json.dumps({"set": number, "seed": 0, "matches": f"{path}.matches", "faults": rules}))
    new.replace(path)


def test_calls_again_after_an_error(tmp_path):
    faults, findings = tmp_path / "faults.json", tmp_path / "findings.jsonl"
    options = ["--live-faults", str(faults), "--findings", str(findings)]
    command = ["node_modules/.bin/mcp-record", "replay", *options, CASSETTE]
    write_faults(faults, 1, {"do": "error-reply", "when": {"method": "tools/call", "nth": 1}})
    assert weather_of("Oslo", command) is None
    assert weather_of("Oslo", command) == "Oslo has 20 degrees"
    assert '"fired":{"rule":1,"fault":"error-reply"' in findings.read_text()
    write_faults(faults, 2)
    assert weather_of("Oslo", command) == "Oslo has 20 degrees"

import threading

from weather_app import Client, weather_of


def test_tells_the_weather_as_it_was_recorded(mock, client):
    assert weather_of("Oslo", client) == "Oslo has 20 degrees"
    (call,) = mock.ask("GET", "/journal?method=tools/call")["entries"]
    assert call["params"]["arguments"] == {"city": "Oslo"}
    assert call["headers"]["mcp-protocol-version"] == "2025-11-25"


def test_tells_the_weather_of_a_city_that_was_not_recorded(mock, client):
    snow = {"tool": "weather", "arguments": {"city": "Rome"}, "returns": "Rome has snow"}
    mock.ask("PUT", "/handlers", {"handlers": [snow]})
    assert weather_of("Rome", client) == "Rome has snow"


def test_says_that_there_is_no_weather_where_the_server_is_busy(mock, client):
    mock.ask("POST", "/fail-next", {"method": "tools/call", "error": {"code": -32000, "message": "busy"}})
    assert weather_of("Oslo", client) == "There is no weather now"
    assert weather_of("Oslo", client) == "Oslo has 20 degrees"


def test_says_that_there_is_no_weather_after_a_restart_of_the_server(mock, client):
    assert mock.ask("POST", "/sessions/expire") == {"expired": 1}
    assert weather_of("Oslo", client) == "There is no weather now"
    assert weather_of("Oslo", Client(mock.url)) == "Oslo has 20 degrees"


def test_says_that_there_is_no_weather_where_the_connection_breaks_within_the_answer(mock, client):
    mock.ask("PUT", "/faults", {"faults": ["cut:tools/call:bytes=20"]})
    assert weather_of("Oslo", client) == "There is no weather now"


def test_waits_for_a_slow_server(mock, client):
    mock.ask("PUT", "/faults", {"faults": ["latency:tools/call:delay=100"]})
    asking = threading.Thread(target=weather_of, args=("Oslo", client))
    asking.start()
    mock.ask("POST", "/journal/wait", {"method": "tools/call", "params": {"arguments": {"city": "Oslo"}}})
    asking.join()
    (fired,) = mock.ask("GET", "/faults")["fired"]
    assert fired["fault"] == "latency"

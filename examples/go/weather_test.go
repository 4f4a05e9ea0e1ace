package weather

import "testing"

type object = map[string]any

func expect(t *testing.T, said, expected string) {
	t.Helper()
	if said != expected {
		t.Errorf("said %q, expected %q", said, expected)
	}
}

func TestTellsTheWeatherAsItWasRecorded(t *testing.T) {
	client := connected(t)
	expect(t, client.WeatherOf("Oslo"), "Oslo has 20 degrees")
	var journal struct {
		Entries []struct {
			Params struct{ Arguments struct{ City string } }
		}
	}
	ask(t, "GET", "/journal?method=tools/call", nil, &journal)
	if len(journal.Entries) != 1 {
		t.Fatalf("%d calls came", len(journal.Entries))
	}
	expect(t, journal.Entries[0].Params.Arguments.City, "Oslo")
}

func TestTellsTheWeatherOfACityThatWasNotRecorded(t *testing.T) {
	client := connected(t)
	snow := object{"tool": "weather", "arguments": object{"city": "Rome"}, "returns": "Rome has snow"}
	ask(t, "PUT", "/handlers", object{"handlers": []object{snow}}, nil)
	expect(t, client.WeatherOf("Rome"), "Rome has snow")
}

func TestSaysThatThereIsNoWeatherWhereTheServerIsBusy(t *testing.T) {
	client := connected(t)
	ask(t, "POST", "/fail-next", object{"method": "tools/call", "status": 503}, nil)
	expect(t, client.WeatherOf("Oslo"), "There is no weather now")
	expect(t, client.WeatherOf("Oslo"), "Oslo has 20 degrees")
}

func TestSaysThatThereIsNoWeatherAfterARestartOfTheServer(t *testing.T) {
	client := connected(t)
	ask(t, "POST", "/sessions/expire", nil, nil)
	expect(t, client.WeatherOf("Oslo"), "There is no weather now")
}

func TestSaysThatThereIsNoWeatherWhereTheConnectionBreaksWithinTheAnswer(t *testing.T) {
	client := connected(t)
	ask(t, "PUT", "/faults", object{"faults": []string{"cut:tools/call:bytes=20"}}, nil)
	expect(t, client.WeatherOf("Oslo"), "There is no weather now")
}

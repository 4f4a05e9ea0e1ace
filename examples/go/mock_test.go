package weather

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"syscall"
	"testing"
)

const cassette = "cassettes/weather.yaml"

// server is a mock server of mcp-record, which runs as a command, and its control API.
var server struct {
	control string
	url     string
}

func TestMain(m *testing.M) {
	command := exec.Command("node_modules/.bin/mcp-record", "replay", "--http", "--on-difference", "fail", "--control", "127.0.0.1:0", cassette)
	said, err := command.StderrPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	lines := bufio.NewScanner(said)
	for server.control == "" && lines.Scan() {
		if found := regexp.MustCompile(`control API on (\S+)`).FindStringSubmatch(lines.Text()); found != nil {
			server.control = found[1]
		} else {
			fmt.Println(lines.Text())
		}
	}
	// Whoever does not read what a process says stops it in the end.
	go io.Copy(io.Discard, said)
	status := 1
	var health struct{ URL string }
	if err := call("GET", "/health", nil, &health); err != nil {
		fmt.Println(err)
	} else {
		server.url = health.URL
		status = m.Run()
	}
	command.Process.Signal(syscall.SIGTERM)
	command.Wait()
	os.Exit(status)
}

// call asks the control API.
func call(method, path string, body, answer any) error {
	sent, err := json.Marshal(body)
	if err != nil {
		return err
	}
	if body == nil {
		sent = nil
	}
	request, err := http.NewRequest(method, server.control+path, bytes.NewReader(sent))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != 200 {
		err = fmt.Errorf("%s %s: %d %s", method, path, response.StatusCode, text)
	}
	if err != nil || answer == nil {
		return err
	}
	return json.Unmarshal(text, answer)
}

// ask asks the control API, and fails the test where that fails.
func ask(t *testing.T, method, path string, body, answer any) {
	t.Helper()
	if err := call(method, path, body, answer); err != nil {
		t.Fatal(err)
	}
}

// connected returns a client of the mock server, at the beginning of its cassette. A test that the server would fail, fails.
func connected(t *testing.T) *Client {
	t.Helper()
	t.Cleanup(func() {
		var outcome struct {
			Failed   bool
			Findings []struct {
				Text  string
				Fails bool
			}
		}
		ask(t, "POST", "/reset", nil, &outcome)
		for _, finding := range outcome.Findings {
			if finding.Fails {
				t.Error(finding.Text)
			}
		}
	})
	client, err := Connect(server.url)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

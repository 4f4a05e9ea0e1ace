// Package weather is what is tested: an application that asks a server of MCP for the weather, over HTTP.
package weather

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

const version = "2025-11-25"

// Client is as much of a client of MCP as the application needs, with nothing but the standard library.
type Client struct {
	url     string
	session string
	id      int
}

type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      *int            `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// Connect initializes a session.
func Connect(url string) (*Client, error) {
	client := &Client{url: url}
	params := map[string]any{
		"protocolVersion": version,
		"capabilities":    map[string]any{},
		"clientInfo":      map[string]any{"name": "weather-app", "version": "1.0.0"},
	}
	if _, err := client.request("initialize", params); err != nil {
		return nil, err
	}
	_, err := client.post(message{JSONRPC: "2.0", Method: "notifications/initialized"})
	return client, err
}

// WeatherOf returns the weather of a city, in words; without an answer, that there is none.
func (client *Client) WeatherOf(city string) string {
	params := map[string]any{"name": "weather", "arguments": map[string]any{"city": city}}
	result, err := client.request("tools/call", params)
	var called struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	if err != nil || json.Unmarshal(result, &called) != nil || len(called.Content) == 0 {
		return "There is no weather now"
	}
	return called.Content[0].Text
}

func (client *Client) request(method string, params any) (json.RawMessage, error) {
	id := client.id
	client.id++
	answer, err := client.post(message{JSONRPC: "2.0", ID: &id, Method: method, Params: params})
	if err != nil {
		return nil, err
	}
	if answer.Error != nil {
		return nil, errors.New(answer.Error.Message)
	}
	return answer.Result, nil
}

func (client *Client) post(sent message) (answer message, err error) {
	body, err := json.Marshal(sent)
	if err != nil {
		return answer, err
	}
	request, err := http.NewRequest(http.MethodPost, client.url, bytes.NewReader(body))
	if err != nil {
		return answer, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	if client.session != "" {
		request.Header.Set("Mcp-Session-Id", client.session)
		request.Header.Set("MCP-Protocol-Version", version)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return answer, err
	}
	if response.StatusCode >= 300 {
		return answer, fmt.Errorf("status %d", response.StatusCode)
	}
	if session := response.Header.Get("Mcp-Session-Id"); session != "" {
		client.session = session
	}
	if sent.ID == nil {
		return answer, nil
	}
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		return answer, json.Unmarshal(text, &answer)
	}
	for _, line := range strings.Split(string(text), "\n") {
		var event message
		data := []byte(strings.TrimPrefix(line, "data:"))
		if json.Unmarshal(data, &event) == nil && event.ID != nil && *event.ID == *sent.ID {
			return event, nil
		}
	}
	return answer, errors.New("no answer on the stream")
}

// client.go URL: a client of MCP on net/http alone, as its default transport is. It prints what a call returned.
package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
)

func post(session, body string) (string, string) {
	request, err := http.NewRequest("POST", os.Args[1], bytes.NewBufferString(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		request.Header.Set("Mcp-Session-Id", session)
		request.Header.Set("MCP-Protocol-Version", "2025-11-25")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	return response.Header.Get("Mcp-Session-Id"), string(answer)
}

func main() {
	session, _ := post("", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"other","version":"1"}}}`)
	post(session, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	_, answer := post(session, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}`)
	fmt.Println(answer)
}

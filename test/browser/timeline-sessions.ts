/** Two sessions of one client, which uses two servers at the same time. */
export const WEATHER: string = sessionText('weather', '2026-11-29T12:00:00.000Z', [
  "- client: { jsonrpc: '2.0', id: 1, method: tools/list }\n  after: 20",
  "- server: { jsonrpc: '2.0', id: 1, result: { tools: [{ name: now, description: the weather, inputSchema: { type: object, required: [city], properties: { city: { type: string } } } }, { name: search, inputSchema: { type: object } }] } }\n  after: 10",
  "- client: { jsonrpc: '2.0', id: 2, method: tools/call, params: { name: now, arguments: { city: Oslo } } }\n  after: 270",
  "- server: { jsonrpc: '2.0', id: 2, result: { content: [{ type: text, text: rain in Oslo }] } }\n  after: 300",
  "- client: { jsonrpc: '2.0', id: 3, method: tools/call, params: { name: search, arguments: { text: sun } } }\n  after: 400",
  "- server: { jsonrpc: '2.0', id: 3, error: { code: -32603, message: no sun } }\n  after: 100",
]);

export const CALENDAR: string = sessionText('calendar', '2026-11-29T12:00:00.100Z', [
  "- client: { jsonrpc: '2.0', id: 1, method: tools/list }\n  after: 20",
  "- server: { jsonrpc: '2.0', id: 1, result: { tools: [{ name: now, description: the time, inputSchema: { type: object } }] } }\n  after: 10",
  "- client: { jsonrpc: '2.0', id: 2, method: tools/call, params: { name: now } }\n  after: 270",
  "- server: { jsonrpc: '2.0', id: 7, method: elicitation/create, params: { message: Which calendar?, requestedSchema: { type: object, properties: {} } } }\n  after: 100",
  "- client: { jsonrpc: '2.0', id: 7, result: { action: accept, content: {} } }\n  after: 200",
  "- server: { jsonrpc: '2.0', id: 2, result: { content: [{ type: text, text: lunch at noon }] } }\n  after: 50",
]);

function sessionText(name: string, recorded: string, events: readonly string[]): string {
  return [
    `format: mcp-record/1\nrecorder: mcp-record 0.1.0\nrecorded: '${recorded}'\ntransport: stdio\nevents:`,
    "- client: { jsonrpc: '2.0', id: 0, method: initialize, params: { protocolVersion: 2025-11-25, capabilities: { elicitation: {} }, clientInfo: { name: assistant, version: 1.0.0 } } }",
    `- server: { jsonrpc: '2.0', id: 0, result: { protocolVersion: 2025-11-25, capabilities: { tools: {} }, serverInfo: { name: ${name}, version: 2.1.0 } } }\n  after: 20`,
    "- client: { jsonrpc: '2.0', method: notifications/initialized }",
    ...events,
    '- end: complete\n',
  ].join('\n');
}

/** A session with three calls in flight at once. */
export const THREE_CALLS: string = `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: app, version: 1.0.0 } } }
- server: { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: weather, version: 1.0.0 } } }
- client: { method: notifications/initialized }
- client: { id: 1, method: tools/call, params: { name: weather, arguments: { city: Oslo } } }
- client: { id: 2, method: tools/call, params: { name: weather, arguments: { city: Rome } } }
- client: { id: 3, method: tools/call, params: { name: weather, arguments: { city: Lima } } }
- server: { id: 1, result: { content: [{ type: text, text: 'Oslo: sunny' }] } }
- server: { id: 2, result: { content: [{ type: text, text: 'Rome: sunny' }] } }
- server: { id: 3, result: { content: [{ type: text, text: 'Lima: sunny' }] } }
`;

/** The same, and then a call whose argument is made of the three answers. */
export const SAVED: string = `${THREE_CALLS}- client: { id: 4, method: tools/call, params: { name: save, arguments: { text: 'Oslo: sunny, Rome: sunny, Lima: sunny' } } }
- server: { id: 4, result: { content: [{ type: text, text: saved }] } }
`;

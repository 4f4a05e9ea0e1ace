import { call, cassette, client, notification, request, server } from '../../../support/conversation.ts';

export const clientInfo = { name: 'app', version: '1' };
export const text = (id: number, value: string) =>
  server({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: value }] } });
export const OPENING = [
  client(request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo })),
  server({
    jsonrpc: '2.0',
    id: 0,
    result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: clientInfo },
  }),
  client(notification('initialized')),
];
export const CITIES = ['Lima', 'Oslo', 'Rome'];

/** Calls in flight at once: messages 3, 4 and 5 of the client. */
export const three = cassette(
  ...OPENING,
  ...CITIES.map((city, id) => client(call(id + 1, 'weather', { city }))),
  ...CITIES.map((city, id) => text(id + 1, `${city}: sunny`)),
);

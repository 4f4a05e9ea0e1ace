import type { SessionEntry } from '../../cassette/correlate/session-entries.ts';
import type { Side } from '../../channel/frame.ts';
import { packageVersion } from '../../kernel/package-info.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { errorOf, isRequest, isResponse, type Message } from '../../protocol/message.ts';
import { NEWEST_LEGACY } from '../../protocol/revisions.ts';
import type { Finding } from '../findings/finding.ts';
import { clientCapabilities } from '../match/observed-capabilities.ts';
import { protocolGeneration } from '../match/protocol-generation.ts';

/** No event of a cassette: the position, and the line, of what was made up. */
const NOWHERE = { event: -1, line: 0 };

/** Whether an entry stands in no file. */
export function isMadeUp({ event }: SessionEntry): boolean {
  return event === NOWHERE.event;
}

/**
 * The entries of a cassette that has no `initialize`, with the handshake before them: no server serves a client without.
 * Unchanged where it has one, or is of 2026-07-28, which has none.
 */
export function withHandshake(entries: SessionEntry[]): SessionEntry[] {
  const begins = ({ from, message }: SessionEntry) =>
    from === 'client' && isRequest(message) && message.method === 'initialize';
  const asks = entries.some(({ from, message }) => from === 'client' && isRequest(message));
  if (!asks || entries.some(begins) || protocolGeneration(entries).modern) return entries;
  const opening = openingFor(entries).map(([from, message]) => madeUp(from, message));
  return [...opening, ...entries].map((entry, index) => ({ ...entry, index }));
}

/** What a person is told of it. */
export function handshakeFinding(file: string): Finding {
  const text = `${file} has no initialize: the mock client made the handshake first, with ${NEWEST_LEGACY}.`;
  return { kind: 'default', text };
}

/** What a person is told where the live server did not take it. */
export function refusedHandshake({ value }: JsonText): Finding[] {
  const refused = isResponse(value) ? errorOf(value) : undefined;
  const text = `The server refused the handshake that the cassette leaves out: ${refused?.message}.`;
  return refused === undefined ? [] : [{ kind: 'default', text }];
}

function openingFor(entries: readonly SessionEntry[]): [Side, Message][] {
  const id = 'mcp-record:initialize';
  const params = {
    protocolVersion: NEWEST_LEGACY,
    capabilities: clientCapabilities(entries),
    clientInfo: { name: 'mcp-record', version: packageVersion() },
  };
  return [
    ['client', { jsonrpc: '2.0', id, method: 'initialize', params }],
    ['server', { jsonrpc: '2.0', id, result: {} }],
    ['client', { jsonrpc: '2.0', method: 'notifications/initialized' }],
  ];
}

function madeUp(from: Side, message: Message): SessionEntry {
  const json = new JsonText(JSON.stringify(message));
  return { ...NOWHERE, index: 0, at: 0, from, frame: { kind: 'message', at: 0, from, json }, json, message };
}

import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Side } from '../../channel/frame.ts';
import { packageVersion } from '../../kernel/installed-package.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { errorOf, isRequest, isResponse, type Message } from '../../protocol/message.ts';
import { NEWEST_LEGACY } from '../../protocol/revisions.ts';
import type { Finding } from '../findings/finding.ts';
import { clientCapabilities } from '../match/observed-capabilities.ts';
import { protocolGeneration } from '../match/protocol-generation.ts';

/** Position and line of an added entry, outside of any file. */
const NOWHERE = { event: -1, line: 0 };

/** Reports whether the entry was added by {@link addMissingHandshake}. */
export function isMadeUp({ event }: SessionEntry): boolean {
  return event === NOWHERE.event;
}

/**
 * Adds a handshake to the entries of a cassette without `initialize`, because servers require one. Entries with a
 * handshake, or of 2026-07-28 (which has none), are returned unchanged.
 */
export function addMissingHandshake(entries: SessionEntry[]): SessionEntry[] {
  const isInitialize = ({ from, message }: SessionEntry) =>
    from === 'client' && isRequest(message) && message.method === 'initialize';
  const hasRequest = entries.some(({ from, message }) => from === 'client' && isRequest(message));
  if (!hasRequest || entries.some(isInitialize) || protocolGeneration(entries).modern) return entries;
  const handshake = handshakeFor(entries).map(([from, message]) => madeUp(from, message));
  return [...handshake, ...entries].map((entry, index) => ({ ...entry, index }));
}

/** Returns the finding about an added handshake. */
export function addedHandshakeFinding(file: string): Finding {
  const text = `${file} has no initialize: the mock client made the handshake first, with ${NEWEST_LEGACY}.`;
  return { kind: 'default', text };
}

/** Returns a finding if the live server answered the added `initialize` with an error. */
export function refusedHandshakeFindings({ value }: JsonText): Finding[] {
  const refused = isResponse(value) ? errorOf(value) : undefined;
  const text = `The server refused the handshake that the cassette leaves out: ${refused?.message}.`;
  return refused === undefined ? [] : [{ kind: 'default', text }];
}

function handshakeFor(entries: readonly SessionEntry[]): [Side, Message][] {
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

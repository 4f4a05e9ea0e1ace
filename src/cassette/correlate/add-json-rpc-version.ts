import type { Side } from '../../channel/frame.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isMessage } from '../../protocol/message.ts';
import type { SessionEntry } from '../split-batches-into-entries.ts';

/** Reports whether an entry is a JSON-RPC message without `jsonrpc`, e.g. a message that was pasted into a cassette. */
export function lacksJsonRpcVersion({ message }: SessionEntry): boolean {
  return isMessage(message) && !('jsonrpc' in message);
}

/**
 * Returns the entries with `jsonrpc: '2.0'` added to messages of `side` that lack it. `message` stays unchanged, so
 * that `lacksJsonRpcVersion` still finds these entries.
 */
export function addJsonRpcVersion(entries: SessionEntry[], side: Side): SessionEntry[] {
  const isIncomplete = (entry: SessionEntry) => entry.from === side && lacksJsonRpcVersion(entry);
  return entries.some(isIncomplete)
    ? entries.map((entry) => (isIncomplete(entry) ? withVersion(entry) : entry))
    : entries;
}

function withVersion(entry: SessionEntry): SessionEntry {
  const { frame } = entry;
  const json = prependMembers(entry.json!, { jsonrpc: '2.0' });
  // A batch frame holds all of its messages; an entry is a single message.
  const isAlone = frame.kind === 'message' && frame.json === entry.json;
  return {
    ...entry,
    json,
    ...(isAlone && { frame: { ...frame, json } }),
  };
}

/** Adds members at the front of a JSON object. The rest of its text stays unchanged. */
export function prependMembers({ text }: JsonText, members: Record<string, unknown>): JsonText {
  const front = JSON.stringify(members).slice(0, -1);
  const rest = text.trimStart().slice(1);
  const comma = /^\s*\}/.test(rest) ? '' : ',';
  return new JsonText(front + comma + rest);
}

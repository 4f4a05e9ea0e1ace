import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Side } from '../../channel/frame.ts';
import { elementsOf, isBatch, type JsonText } from '../../protocol/json-text.ts';
import { isNotification, isRequest, isResponse, type Message, resultOf } from '../../protocol/message.ts';
import type { Revision } from '../../protocol/revisions.ts';

/** Maximum length of a message that is kept for the report. */
const KEPT_LENGTH_MAX = 200;
/** The only revision with batches ("Batching"). */
export const BATCH_REVISION: Revision = '2025-03-26';

/** A message whose form peers may reject, whatever its content. */
export interface UnreadableMessage {
  /** `batch`: the message came in a JSON array. `version`: the message lacks `"jsonrpc": "2.0"`. */
  why: 'batch' | 'version';
  /** The beginning of the message. */
  text: string;
}

/** Returns the message of a frame if peers may not read its form: a batch, or a message without `"jsonrpc": "2.0"`. */
export function unreadableMessage(json: JsonText): UnreadableMessage | undefined {
  const kept = (why: UnreadableMessage['why'], { text }: JsonText) => ({ why, text: text.slice(0, KEPT_LENGTH_MAX) });
  const isMessage = ({ value }: JsonText) => isRequest(value) || isNotification(value) || isResponse(value);
  const isOther = (one: JsonText) => isMessage(one) && (one.value as Message).jsonrpc !== '2.0';
  const other = isBatch(json) ? elementsOf(json).find(isOther) : isOther(json) ? json : undefined;
  if (other) return kept('version', other);
  return isBatch(json) ? kept('batch', json) : undefined;
}

/** Returns the finding's text about an unreadable message of the client. `where` continues the reason. */
export function unreadableText({ why, text }: UnreadableMessage, where = ''): string {
  const what = why === 'batch' ? 'a batch' : 'a message without "jsonrpc": "2.0"';
  return `The client sent ${what}, which servers do not read${where}: ${shortened(text)}`;
}

const SHOWN_LENGTH = 100;

/** Returns the beginning of a text, in quotes. */
export function shortened(text: string): string {
  return JSON.stringify(text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text);
}

/** Reports whether a side may send batches: in revision 2025-03-26, or if the cassette has a batch of that side. */
export function maySendBatches(side: Side, entries: readonly SessionEntry[]): boolean {
  return entries.some(
    ({ from, frame, message }) =>
      (from === side && frame.kind === 'message' && isBatch(frame.json)) ||
      resultOf(message).protocolVersion === BATCH_REVISION,
  );
}

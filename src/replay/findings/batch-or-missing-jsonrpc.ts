import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Side } from '../../channel/frame.ts';
import { elementsOf, isBatch, type JsonText } from '../../protocol/json-text.ts';
import { isMessage, resultOf } from '../../protocol/message.ts';
import type { Revision } from '../../protocol/revisions.ts';

/** Maximum length of a message that is kept for the report. */
const KEPT_LENGTH_MAX = 200;
/** The only revision with batches ("Batching"). */
export const BATCH_REVISION: Revision = '2025-03-26';

/** A message whose form peers may reject, whatever its content. */
export interface UnreadableMessage {
  /**
   * `batch`: the message came in a JSON array. `version`: the message lacks `"jsonrpc": "2.0"`. `junk`: JSON that is
   * neither a request, nor a notification, nor a response, such as a line of a logger.
   */
  why: 'batch' | 'version' | 'junk';
  /** The beginning of the message. */
  text: string;
}

/** Returns the reasons why peers may not read a message or batch, each with the first message that it is about. */
export function unreadableMessages(json: JsonText): UnreadableMessage[] {
  const kept = (why: UnreadableMessage['why'], { text }: JsonText) => ({ why, text: text.slice(0, KEPT_LENGTH_MAX) });
  const messages = elementsOf(json);
  const junk = messages.find(({ value }) => !isMessage(value));
  const other = messages.find(({ value }) => isMessage(value) && value.jsonrpc !== '2.0');
  return [
    ...(junk ? [kept('junk', junk)] : []),
    ...(other ? [kept('version', other)] : []),
    ...(isBatch(json) && other === undefined ? [kept('batch', json)] : []),
  ];
}

/** Returns the finding's text about an unreadable message of the client. `where` continues the reason. */
export function unreadableText({ why, text }: UnreadableMessage, where = ''): string {
  return `The client sent ${FORMS[why]}, which servers do not read${where}: ${shortened(text)}`;
}

/** Names of the forms that peers may not read. */
export const FORMS: Readonly<Record<UnreadableMessage['why'], string>> = {
  batch: 'a batch',
  version: 'a message without "jsonrpc": "2.0"',
  junk: 'JSON that is no message',
};

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

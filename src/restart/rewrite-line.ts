import type { LineFrame } from '../channel/frame.ts';
import { lineToMessage } from '../channel/line-to-message.ts';
import { elementsOf, type JsonText } from '../protocol/json-text.ts';
import { encodeLine } from '../transports/stdio/encode-line.ts';
import { rewriteMessages } from './map-batch-messages.ts';

/** Returns the messages of a line, which are several in a batch. */
export function messagesIn(line: LineFrame): JsonText[] {
  const said = lineToMessage(line);
  return said.kind === 'message' ? elementsOf(said.json) : [];
}

/**
 * Rewrites each message of a line with `rewrite`, and returns the line as bytes. An unchanged line keeps its bytes.
 * Undefined: no message is left.
 */
export function rewriteLine(line: LineFrame, rewrite: (json: JsonText) => JsonText | undefined): Buffer | undefined {
  const said = lineToMessage(line);
  if (said.kind !== 'message') return Buffer.from(encodeLine(line)!);
  const rewritten = rewriteMessages(said.json, rewrite);
  if (rewritten === said.json) return Buffer.from(encodeLine(line)!);
  return rewritten && Buffer.from(`${rewritten.text}\n`);
}

import type { Frame } from '../../channel/frame.ts';
import { locate } from '../../protocol/json-scan.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';

/** Returns the frame with edited text. Frames without a message stay unchanged. */
export function withText(frame: Frame, edit: (text: string) => string): Frame {
  return frame.kind === 'message' ? { ...frame, json: new JsonText(edit(frame.json.text)) } : frame;
}

/**
 * Replaces the id of a frame's message by `token`, and leaves all other text untouched. A frame without an id stays
 * unchanged.
 */
export function withId(frame: Frame, token: string): Frame {
  return withText(frame, (text) => {
    const span = locate(text, ['id']);
    return span ? text.slice(0, span.start) + token + text.slice(span.end) : text;
  });
}

/** Returns the frame with an edited message. Batches and lines stay unchanged. */
export function withMessage(frame: Frame, edit: (message: Record<string, unknown>) => Record<string, unknown>): Frame {
  if (frame.kind !== 'message' || !isObject(frame.json.value)) return frame;
  return { ...frame, json: new JsonText(JSON.stringify(edit(structuredClone(frame.json.value)))) };
}

/** Returns the id token of a frame's message, if any. */
export function idOf(frame: Frame): string | undefined {
  return frame.kind === 'message' ? scalarKeyAt(frame.json, ['id']) : undefined;
}

/** Returns the id token of the request that a `notifications/cancelled` names. */
export function cancelledBy(frame: Frame): string | undefined {
  if (frame.kind !== 'message' || !isObject(frame.json.value)) return undefined;
  const isCancel = frame.json.value.method === 'notifications/cancelled';
  return isCancel ? scalarKeyAt(frame.json, ['params', 'requestId']) : undefined;
}

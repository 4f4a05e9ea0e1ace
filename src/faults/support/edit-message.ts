import type { Frame } from '../../channel/frame.ts';
import { locate } from '../../protocol/json-scan.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import type { FaultContext, FaultInstance } from '../fault.ts';

/** Returns the frame with edited text. A frame without a message, or whose text stays the same, is returned itself. */
export function withText(frame: Frame, edit: (text: string) => string): Frame {
  if (frame.kind !== 'message') return frame;
  const { text } = frame.json;
  const edited = edit(text);
  return edited === text ? frame : { ...frame, json: new JsonText(edited) };
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

/** Returns the frame with an edited message. A batch, a line, or a message that stays the same is returned itself. */
export function withMessage(frame: Frame, edit: (message: Record<string, unknown>) => Record<string, unknown>): Frame {
  if (frame.kind !== 'message' || !isObject(frame.json.value)) return frame;
  const edited = JSON.stringify(edit(structuredClone(frame.json.value)));
  return edited === JSON.stringify(frame.json.value) ? frame : { ...frame, json: new JsonText(edited) };
}

/**
 * Returns the instance of a fault that edits frames. `edit` returns a frame itself if nothing changes, and `why` is the
 * reason.
 */
export function editFrames(next: FaultContext['next'], edit: (frame: Frame) => Frame, why: string): FaultInstance {
  return {
    unchanged: (frame) => (edit(frame) === frame ? why : undefined),
    hit: (frame) => next(edit(frame)),
  };
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

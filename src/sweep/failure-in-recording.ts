import type { CassetteEvent } from '../cassette/cassette.ts';
import { isObject } from '../protocol/message.ts';

/** Returns how a recorded session had failed itself, with the line. Undefined: it had not. */
export function recordedFailure(events: readonly CassetteEvent[]): string | undefined {
  for (const { frame, line } of events) {
    if (frame.kind === 'exit' && frame.from === 'server' && frame.status !== 0)
      return `The recorded server had ended with ${frame.status} (line ${line})`;
    const message = frame.kind === 'message' && frame.from === 'server' ? frame.json.value : undefined;
    if (!isObject(message)) continue;
    const { error, result } = message;
    if (isObject(error)) return `A recorded request had failed with ${String(error.code)} (line ${line})`;
    if (isObject(result) && result.isError === true) return `A recorded call had failed (line ${line})`;
  }
  return undefined;
}

import type { CassetteEvent } from '../../cassette/cassette.ts';
import { isRequest } from '../../protocol/message.ts';
import { type RedactedValue, redactedValues } from './redacted-values.ts';

/** Summary of a recording for the user. */
export interface RecordingSummary {
  /** Number of the client's requests of `tools/call`. */
  calls: number;
  /** Number of all requests of the client. */
  requests: number;
  /** Redacted places, in order. */
  redacted: readonly RedactedValue[];
}

const CALL = 'tools/call';

/**
 * Counts the requests of a cassette, and lists its redacted places, in one reading.
 * @throws McpRecordError as `redactedValues`, and file system errors
 */
export function summarizeRecording(file: string): RecordingSummary {
  let [calls, requests] = [0, 0];
  const redacted = redactedValues(file, ({ frame }: CassetteEvent) => {
    if (frame.kind !== 'message' || frame.from !== 'client') return;
    for (const message of [frame.json.value].flat()) {
      if (!isRequest(message)) continue;
      requests++;
      if (message.method === CALL) calls++;
    }
  });
  return { calls, requests, redacted };
}

import type { ResponseFrame } from '../../channel/frame.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { BodyMemory, CutReason } from '../../transports/http/http1/body-memory.ts';
import { BODY_BYTES_MAX } from './response-to-frames.ts';

/** Returns the answer to a client whose server's answer cannot be passed on. */
export function badGateway({ message }: McpRecordError): Pick<ResponseFrame, 'status' | 'headers' | 'body'> {
  return {
    status: 502,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: `mcp-record: ${message}\n`,
  };
}

/** Returns the error for a body above the limit. */
export function tooLong(what: string, bodyMax: number = BODY_BYTES_MAX): McpRecordError {
  return new McpRecordError({
    code: 'HTTP_BODY_TOO_LONG',
    what: `Cannot hold ${what} whole`,
    why: `it is longer than ${bodyMax} bytes`,
    next: 'Leave the faults out for such messages: without them nothing is held.',
  });
}

/** Returns the error for an answer above a limit. */
export function answerTooLong(
  reason: CutReason,
  { bodyMax, memory }: { bodyMax?: number; memory: BodyMemory },
): McpRecordError {
  return reason === 'itself' ? tooLong('an answer', bodyMax) : tooLongTogether('an answer', memory);
}

/** Returns the error for a body for which there is no room beside others. */
export function tooLongTogether(what: string, { bytesMax }: BodyMemory): McpRecordError {
  return new McpRecordError({
    code: 'HTTP_BODY_TOO_LONG',
    what: `Cannot hold ${what} whole`,
    why: `all bodies that are being sent are together longer than ${bytesMax} bytes, and it is the longest`,
    next: 'Send fewer at once, or leave the faults out for such messages: without them nothing is held.',
  });
}

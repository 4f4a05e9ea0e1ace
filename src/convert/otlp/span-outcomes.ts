import type { Side } from '../../channel/frame.ts';
import { jsonOf } from '../../protocol/json-text.ts';
import { errorOf, resultOf } from '../../protocol/message.ts';
import { type AttributeEntries, attributes, otlpText, type Span, STATUS_ERROR } from './otlp-types.ts';

/** Value of `error.type` for an error without a code. */
const OTHER = '_OTHER';

/** Adds the outcome of an answered request: none, the error of JSON-RPC, or the failure of a tool. */
export function addAnswer(span: Span, answer: unknown, httpStatus: number | undefined): void {
  const error = errorOf(answer);
  const { isError, resultType } = resultOf(answer);
  add(span, [['http.response.status_code', httpStatus]]);
  if (error !== undefined) {
    const { code, message } = error;
    const known = typeof code === 'number' || typeof code === 'string' ? jsonOf(code).replaceAll('"', '') : undefined;
    add(span, [['rpc.response.status_code', known]]);
    fail(span, known ?? OTHER, typeof message === 'string' ? message : undefined);
  } else if (isError === true) fail(span, 'tool_error');
  else if (typeof resultType === 'string' && resultType !== 'complete')
    add(span, [['mcp_record.result_type', resultType]]);
}

/** Adds the outcome of a request that the server refused with an HTTP status. */
export function addRefusal(span: Span, status: number | undefined): void {
  add(span, [['http.response.status_code', status]]);
  fail(span, status === undefined ? OTHER : String(status), `HTTP ${status}`);
}

/** Adds the outcome of a request that was cancelled, and not answered. */
export function addCancellation(span: Span, by: Side): void {
  fail(span, 'cancelled', `cancelled by the ${by}`);
}

/** Adds the outcome of a request without any answer in the recording. */
export function addNoResponse(span: Span): void {
  fail(span, 'no_response', 'no response was recorded');
}

function fail(span: Span, type: string, message?: string): void {
  add(span, [['error.type', type]]);
  span.status = { code: STATUS_ERROR, ...(message !== undefined && { message: otlpText(message) }) };
}

function add(span: Span, entries: AttributeEntries): void {
  span.attributes.push(...attributes(entries));
}

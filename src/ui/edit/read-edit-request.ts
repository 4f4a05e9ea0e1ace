import type { EditRequest } from '../../html-report/data/live-page-protocol.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { isObject } from '../../protocol/message.ts';

/**
 * Parses the body of a request to check or save an edit.
 * @throws McpRecordError UI_BAD_EDIT
 */
export function readEditRequest(body: string): EditRequest {
  const value = jsonIn(body);
  if (isObject(value) && isEditRequest(value)) return value;
  throw new McpRecordError({
    code: 'UI_BAD_EDIT',
    what: 'Cannot read this request',
    why: 'it is not an edit of an answer',
    next: 'Reload the page: it may be of another version of mcp-record.',
  });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEditRequest(value: object): value is EditRequest {
  const { line, part, before, text, version, save } = value as Record<keyof EditRequest, unknown>;
  const areTexts = [before, text, version].every((one) => typeof one === 'string');
  const isMessage = typeof before === 'string' && isObject(jsonIn(before));
  return areTexts && isMessage && [line, part].every(Number.isInteger) && typeof save === 'boolean';
}

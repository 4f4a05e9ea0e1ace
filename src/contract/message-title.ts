import { isRequest } from '../protocol/message.ts';
import { subjectOf } from '../protocol/method-table.ts';

/** Returns the title of a message for reports: `tools/call "add"`. */
export function messageTitle(message: unknown): string {
  return isRequest(message) ? subjectOf(message.method, message.params) : 'message';
}

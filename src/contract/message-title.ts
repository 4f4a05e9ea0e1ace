import { isRequest } from '../protocol/message.ts';
import { subjectOf } from '../protocol/method-rules.ts';

/** What a message is called in a report: `tools/call "add"`. */
export function messageTitle(message: unknown): string {
  return isRequest(message) ? subjectOf(message.method, message.params) : 'message';
}

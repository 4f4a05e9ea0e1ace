import type { Request } from '../protocol/message.ts';
import { isStream, type Repeat, repeatOf } from '../protocol/method-table.ts';

/** Reports whether a request is made for its effect or its one answer: it is no list, poll or subscription, and no `initialize`. */
export function isCall({ method }: Request, repeat?: Repeat): boolean {
  return method !== 'initialize' && !isStream(method) && repeatOf(method, repeat) === 'once';
}

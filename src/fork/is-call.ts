import type { Request } from '../protocol/message.ts';
import { isStream, type Repeat, repeatOf } from '../protocol/method-table.ts';

/**
 * Reports whether a request is made for its effect or for a single answer. Lists, polls, subscriptions and `initialize`
 * are not calls.
 */
export function isCall({ method }: Request, repeat?: Repeat): boolean {
  return method !== 'initialize' && !isStream(method) && repeatOf(method, repeat) === 'once';
}

import { isObject } from '../protocol/message.ts';
import { type DefinedFault, defineFault } from './fault.ts';
import { withMessage } from './message.ts';
import { object, type Param } from './param.ts';

type Takes = { merge: Param<Record<string, unknown>> };

const params: Takes = { merge: object('a JSON merge patch (RFC 7396) for the message') };

/** Any message in place of the right one. */
export const patch: DefinedFault<Takes> = defineFault({
  name: 'patch',
  doc: 'The message is altered by a JSON merge patch: what it has replaces, null removes.',
  grounds: ['stdio', 'http', 'memory'],
  params,
  start({ merge }, { next }) {
    return {
      hit: (frame) => next(withMessage(frame, (message) => merged(message, merge) as typeof message)),
    };
  },
});

/** RFC 7396. */
function merged(target: unknown, change: unknown): unknown {
  if (!isObject(change)) return change;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

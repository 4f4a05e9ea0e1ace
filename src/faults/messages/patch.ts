import type { Headers } from '../../channel/frame.ts';
import { isObject } from '../../protocol/message.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { headers, object, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { withMessage } from '../support/edit-message.ts';

type Takes = { merge: WithFallback<Record<string, unknown>>; headers: WithFallback<Headers> };

const params: Takes = {
  merge: withDefault(object('a JSON merge patch (RFC 7396) for the message'), {}),
  headers: withDefault(headers('over HTTP, fields of its head, unless that has left already'), {}),
};

/** Replaces parts of a message. */
export const patch: DefinedFault<Takes> = defineFault({
  name: 'patch',
  doc: 'A JSON merge patch alters the message: its values replace, null removes. Over HTTP the head may be altered, too.',
  transports: ['stdio', 'http', 'memory'],
  params,
  unfit: ({ values, transport }) =>
    changes(values.headers) && transport !== 'http' ? `there are no headers over ${transport}` : undefined,
  start({ merge, headers }, { next }) {
    return {
      hit(frame) {
        const said = changes(merge) ? withMessage(frame, (message) => merged(message, merge) as typeof message) : frame;
        const isOnHttp = 'headers' in said || said.stream !== undefined;
        if (said.kind !== 'message' || !isOnHttp || !changes(headers)) return next(said);
        next({ ...said, headers: { ...said.headers, ...headers } });
      },
    };
  },
});

function changes(change: object): boolean {
  return Object.keys(change).length > 0;
}

/** Applies a JSON merge patch (RFC 7396). */
function merged(target: unknown, change: unknown): unknown {
  if (!isObject(change)) return change;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

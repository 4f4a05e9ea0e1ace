import type { Frame, Headers, MessageFrame } from '../../channel/frame.ts';
import { isObject } from '../../protocol/message.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { headers, object, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { editFrames, withMessage } from '../support/edit-message.ts';

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
  isOfMessages: true,
  unfit({ values: { merge, headers }, transport }) {
    if (changes(headers)) return transport === 'http' ? undefined : `there are no headers over ${transport}`;
    return changes(merge)
      ? undefined
      : ['it has nothing to change', 'Write, for example, "merge: { result: { isError: true } }".'];
  },
  start({ merge, headers }, { next, transport }) {
    const edit = (frame: Frame) => {
      const said = changes(merge) ? withMessage(frame, (message) => merged(message, merge) as typeof message) : frame;
      if (said.kind !== 'message' || transport !== 'http' || hasLeft(said)) return said;
      const isNew = ([name, value]: [string, string]) => said.headers?.[name] !== value;
      return Object.entries(headers).some(isNew) ? { ...said, headers: { ...said.headers, ...headers } } : said;
    };
    const why = changes(merge) ? 'the message was the same before' : 'the head had the fields already, or had left';
    return editFrames(next, edit, why);
  },
});

/** Reports whether the head of a message has left: it is an event of a stream. */
function hasLeft({ sse }: MessageFrame): boolean {
  return sse !== undefined;
}

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

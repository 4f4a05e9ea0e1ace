import { type DefinedFault, defineFault } from '../fault.ts';
import { type WithFallback, withDefault, word } from '../rules/declare-fault-params.ts';
import { idOf, withId } from '../support/edit-message.ts';

type Wrong = 'unknown' | 'reused' | 'other-type';

type Takes = { id: WithFallback<Wrong> };

const params: Takes = {
  id: withDefault(
    word<Wrong>(
      'unknown: an id that nobody used; reused: the id of the message before; other-type: a text for a number, or a number for a text',
      'unknown',
      'reused',
      'other-type',
    ),
    'unknown',
  ),
};

/** Gives a response an id that matches no pending request. */
export const wrongId: DefinedFault<Takes> = defineFault({
  name: 'wrong-id',
  doc: 'The response has a wrong id.',
  transports: ['stdio', 'http', 'memory'],
  params,
  when: { kind: 'response' },
  span: 'session',
  start({ id: wrong }, { next }) {
    let last: string | undefined;
    return {
      hit(frame) {
        const id = idOf(frame);
        if (id === undefined) return next(frame);
        if (wrong === 'unknown') return next(withId(frame, '"mcp-record:unknown"'));
        if (wrong === 'reused') return next(withId(frame, last ?? id));
        const isText = id.startsWith('"');
        const number = Number(JSON.parse(id));
        next(withId(frame, isText ? (Number.isSafeInteger(number) ? String(number) : '0') : `"${id}"`));
      },
      pass(frame) {
        if (frame.kind !== 'bytes') last = idOf(frame) ?? last;
        next(frame);
      },
    };
  },
});

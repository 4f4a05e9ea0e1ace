import { type DefinedFault, defineFault } from '../fault.ts';
import { type WithFallback, withDefault, word } from '../rules/declare-fault-params.ts';
import { isOfNotifications } from '../rules/when.ts';
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
  isOfMessages: true,
  unfit: ({ when }) => (isOfNotifications(when) ? 'a notification has no id' : undefined),
  start({ id: wrong }, { next }) {
    let last: string | undefined;
    const wrongFor = (id: string): string | undefined => {
      if (wrong === 'unknown') return '"mcp-record:unknown"';
      if (wrong === 'reused') return last;
      const isText = id.startsWith('"');
      const number = Number(JSON.parse(id));
      return isText ? (Number.isSafeInteger(number) ? String(number) : '0') : `"${id}"`;
    };
    return {
      unchanged(frame) {
        const id = idOf(frame);
        if (id === undefined) return 'the message had no id of its own';
        const instead = wrongFor(id);
        if (instead === undefined) return 'no message with an id had come before, so that there was none to reuse';
        return instead === id ? `the id was ${id} anyway` : undefined;
      },
      hit(frame) {
        const id = idOf(frame)!;
        next(withId(frame, wrongFor(id)!));
        last = id;
      },
      pass(frame) {
        if (frame.kind !== 'bytes') last = idOf(frame) ?? last;
        next(frame);
      },
    };
  },
});

import { type DefinedFault, defineFault } from '../fault.ts';
import { count, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { withText } from '../support/edit-message.ts';

type Takes = { bytes: WithFallback<number> };

const params: Takes = { bytes: withDefault(count('length of the message in bytes'), 16 * 1024 * 1024) };

/** Extends a message beyond a reader's limit with white space. It stays valid JSON. */
export const oversize: DefinedFault<Takes> = defineFault({
  name: 'oversize',
  doc: 'The message is padded to a length with white space inside it.',
  transports: ['stdio', 'http', 'memory'],
  noticedBy: 'receiver',
  params,
  isOfMessages: true,
  start({ bytes }, { next }) {
    return {
      unchanged(frame) {
        const length = frame.kind === 'message' ? Buffer.byteLength(frame.json.text) : 0;
        return length >= bytes ? `the message had ${length} bytes already, and "bytes" is ${bytes}` : undefined;
      },
      hit: (frame) =>
        next(
          withText(frame, (text) => {
            const missing = bytes - Buffer.byteLength(text);
            return text[0] + ' '.repeat(missing) + text.slice(1);
          }),
        ),
    };
  },
});

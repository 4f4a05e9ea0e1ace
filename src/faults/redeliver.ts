import type { MessageFrame } from '../channel/frame.ts';
import { type DefinedFault, defineFault } from './fault.ts';
import { count, or, type WithFallback } from './param.ts';

type Takes = { count: WithFallback<number> };

const params: Takes = { count: or(count('how many'), 1) };

const REMEMBERED_MAX = 1_000;

/** A server that is not sure what has arrived. */
export const redeliver: DefinedFault<Takes> = defineFault({
  name: 'redeliver',
  doc: 'A client that resumes a stream gets first the last messages, of those that the rule is about, that it has had already.',
  grounds: ['http'],
  params,
  span: 'session',
  unfit: ({ when }) => (when.from === 'client' ? 'only what a server says is resumed' : undefined),
  start({ count }, { next }) {
    const delivered: MessageFrame[] = [];
    const resuming = new Set<number | undefined>();
    const again = (stream: number | undefined) => {
      if (stream === undefined || !resuming.delete(stream)) return;
      for (const frame of delivered.slice(-count)) next({ ...frame, stream, sse: frame.sse ?? {} });
    };
    return {
      hit(frame) {
        again(frame.stream);
        next(frame);
        if (frame.kind === 'message') delivered.push(frame);
        if (delivered.length > REMEMBERED_MAX) delivered.shift();
      },
      pass(frame) {
        if (frame.kind !== 'reply') again(frame.stream);
        next(frame);
        if (frame.kind === 'reply' && frame.status !== 'sse') resuming.delete(frame.stream);
        again(frame.stream);
      },
      intercept(frame) {
        if (frame.kind === 'open' && frame.resumes !== undefined) resuming.add(frame.stream);
        return false;
      },
    };
  },
});

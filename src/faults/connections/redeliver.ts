import type { MessageFrame, WireFrame } from '../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { count, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';

type Takes = { count: WithFallback<number> };

const params: Takes = { count: withDefault(count('number of repeated messages'), 1) };

const REMEMBERED_MAX = 1_000;

/** Delivers a message twice, like a server that is unsure of its delivery. */
export const redeliver: DefinedFault<Takes> = defineFault({
  name: 'redeliver',
  doc: 'A client that resumes a stream gets the last messages again that it had, of those that the rule applies to. To use it with `resume`, put it after that rule.',
  transports: ['http'],
  params,
  span: 'session',
  isOfMessages: true,
  awaits: 'no client resumed a stream on which it had such a message',
  unfit: ({ when }) => (when.from === 'client' ? 'only messages of the server can be resumed' : undefined),
  start({ count }, { next, happened }) {
    const delivered: MessageFrame[] = [];
    /** Event id to its stream. */
    const streams = new Map<string, number | undefined>();
    /** Stream that resumes another → the last event that its client received. */
    const resuming = new Map<number | undefined, string>();
    const again = (stream: number | undefined) => {
      const event = resuming.get(stream);
      if (stream === undefined || event === undefined) return;
      resuming.delete(stream);
      const had = delivered.filter((frame) => frame.stream === streams.get(event));
      for (const frame of had.slice(-count)) {
        happened(frame);
        next({ ...frame, stream, sse: frame.sse ?? {} });
      }
    };
    const note = (frame: WireFrame) => {
      const id = 'sse' in frame ? frame.sse?.id : undefined;
      if (id === undefined) return;
      streams.set(id, frame.stream);
      if (streams.size > REMEMBERED_MAX) streams.delete(streams.keys().next().value!);
    };
    return {
      hit(frame) {
        again(frame.stream);
        note(frame);
        next(frame);
        if (frame.kind === 'message') delivered.push(frame);
        if (delivered.length > REMEMBERED_MAX) delivered.shift();
      },
      pass(frame) {
        if (frame.kind !== 'http-response') again(frame.stream);
        note(frame);
        next(frame);
        if (frame.kind === 'http-response' && frame.status !== 'sse') resuming.delete(frame.stream);
        again(frame.stream);
      },
      intercept(frame) {
        if (frame.kind === 'open' && frame.resumes !== undefined) resuming.set(frame.stream, frame.resumes);
        return false;
      },
    };
  },
});

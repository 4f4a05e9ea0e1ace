import type { Frame, WireFrame } from '../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { milliseconds, type WithFallback, withDefault, word } from '../rules/declare-fault-params.ts';

type From = 'missed' | 'nothing';

type Takes = { retry: WithFallback<number>; from: WithFallback<From> };

const params: Takes = {
  retry: withDefault(milliseconds('how long the client has to wait'), 100),
  from: withDefault(
    word<From>(
      'missed: a client that comes back gets the messages that it missed; nothing: it gets none',
      'missed',
      'nothing',
    ),
    'missed',
  ),
};

/** Stream that the fault ended, for the client to resume. */
interface Left {
  /** Frames of the stream since then. */
  held: WireFrame[];
  /** Stream on which the client resumed. */
  on?: number;
}

/**
 * Ends a stream that the client has to resume (2025-11-25, "Sending Messages to the Server"). An event with an id and
 * no data primes the client, the stream ends, and a GET with `Last-Event-ID` resumes it. Clients of other revisions see
 * a stream that ended without its answer.
 */
export const resume: DefinedFault<Takes> = defineFault({
  name: 'resume',
  doc: 'Before the message, the client gets an event id and a time to wait, and the stream ends. It continues when the client asks for it with Last-Event-ID.',
  transports: ['http'],
  params,
  when: { kind: 'response' },
  span: 'session',
  unfit: ({ when }) => (when.from === 'client' ? 'only messages of the server can be resumed' : undefined),
  start({ retry, from: served }, { next, back, clock }) {
    const streams = new Map<number, Left>();
    const tokens = new Map<string, Left>();
    const resumedBy = (frame: Frame) =>
      frame.kind === 'open' && frame.stream !== undefined ? tokens.get(frame.resumes ?? '') : undefined;
    const isTaken = (frame: WireFrame): boolean => {
      const left = streams.get(frame.stream ?? 0);
      if (left === undefined) return false;
      if (left.on === undefined) left.held.push(frame);
      else if (served === 'missed' || frame.kind === 'close') next(moved(frame, left.on));
      return true;
    };
    return {
      hit(frame) {
        const { stream } = frame;
        if (stream === undefined || isTaken(frame)) return;
        const left: Left = { held: [frame] };
        const id = `mcp-record-${tokens.size + 1}`;
        streams.set(stream, left);
        tokens.set(id, left);
        const said = { at: clock.now(), from: 'server', stream } as const;
        next({ ...said, kind: 'sse', sse: { id, retry, data: '' } });
        next({ ...said, kind: 'close' });
      },
      pass: (frame) => (isTaken(frame) ? undefined : next(frame)),
      intercept(frame) {
        const left = resumedBy(frame);
        if (left) left.on = frame.stream!;
        return left !== undefined;
      },
      other(frame) {
        const left = resumedBy(frame);
        if (left?.on === undefined) return;
        back({ kind: 'http-response', at: clock.now(), from: 'server', status: 'sse', stream: left.on });
        for (const one of left.held.splice(0)) {
          if (served === 'missed' || one.kind === 'close') next(moved(one, left.on));
        }
      },
    };
  },
});

/** Moves a frame to another stream. A message becomes an event. */
function moved(frame: WireFrame, stream: number): WireFrame {
  if (frame.kind !== 'message') return { ...frame, stream };
  const { status: _, headers: __, ...said } = frame;
  return { ...said, stream, sse: frame.sse ?? {} } satisfies Frame;
}

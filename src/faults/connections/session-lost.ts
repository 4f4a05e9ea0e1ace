import type { WireFrame } from '../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { replyToSender } from '../support/reply-to-sender.ts';

const SESSION = 'mcp-session-id';

/** Forgets the session, like a restarted server. Stateless requests are not affected. */
export const sessionLost: DefinedFault<Record<never, never>> = defineFault({
  name: 'session-lost',
  doc: 'The session of the message has ended: requests in it get 404, until the client initializes again.',
  transports: ['http'],
  params: {},
  // A client that loses every session never makes progress.
  when: { from: 'client', after: 2 },
  times: 1,
  span: 'session',
  unfit: ({ when }) => (when.from === 'server' ? 'only a message of the client can lose its session' : undefined),
  start(_values, tools) {
    const lost = new Set<string>();
    /** Refused exchanges that have not ended. */
    const refused = new Set<number | undefined>();
    const take = (frame: WireFrame) => {
      const { stream } = frame;
      if (refused.has(stream)) return void (frame.kind === 'close' && refused.delete(stream));
      if (!lost.has(sessionOf(frame) ?? '')) return tools.next(frame);
      refused.add(stream);
      replyToSender(tools, {
        kind: 'http-response',
        at: tools.clock.now(),
        from: 'server',
        status: 404,
        headers: { 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}',
        ...(stream !== undefined && { stream }),
      });
    };
    return {
      unchanged: (frame) =>
        sessionOf(frame) === undefined ? 'the message belongs to no session: it has no Mcp-Session-Id' : undefined,
      hit(frame) {
        lost.add(sessionOf(frame)!);
        take(frame);
      },
      pass: take,
    };
  },
});

function sessionOf(frame: WireFrame): string | undefined {
  return frame.kind === 'message' || frame.kind === 'open' ? frame.headers?.[SESSION] : undefined;
}

import type { Frame, MessageFrame } from '../../channel/frame.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isObject, isRequest } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { isModern } from '../../protocol/revisions.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { count, milliseconds, text, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { idOf } from '../support/edit-message.ts';

type Takes = { at: WithFallback<number>; delay: WithFallback<number>; reason: WithFallback<string> };

const params: Takes = {
  at: withDefault(count('number of messages of the other side before the cancellation', 0), 0),
  delay: withDefault(milliseconds('time from then to the cancellation'), 0),
  reason: withDefault(text('reason, for the log'), 'Injected by mcp-record'),
};

const ENDED = 'the response had ended before the cancellation';

/**
 * Cancels a request. `at` and `delay` decide whether the server has not yet begun the request, is processing the
 * request, or has already answered.
 */
export const cancel: DefinedFault<Takes> = defineFault({
  name: 'cancel',
  doc: 'The request is followed by notifications/cancelled: at once, after a number of messages of the other side, or after a time. Over HTTP from 2026-07-28 on, its stream is closed instead. In a sweep of a client, it happens to the requests of the server.',
  transports: ['stdio', 'http', 'memory'],
  noticedBy: 'receiver',
  params,
  when: { from: 'client', kind: 'request' },
  isOfMessages: true,
  awaits: 'the session ended before the cancellation',
  unfit: ({ when }) => (when.kind === 'request' ? undefined : 'only a request can be cancelled'),
  start({ at, delay, reason }, { next, later, clock, from, transport, happened, cameToNothing }) {
    const waiting: { request: MessageFrame; left: number; since: Frame | undefined }[] = [];
    /** The frame of the other side that is being forwarded. A client may send its next request meanwhile. */
    let forwarded: Frame | undefined;
    const give = (request: MessageFrame) => {
      if (delay === 0) cancelNow(request);
      else later(delay, () => cancelNow(request), { holdsNoFrame: true });
    };
    /** HTTP: whether the exchange of the request has ended and can carry no more frames. */
    let hasEnded = false;
    const cancelNow = (request: MessageFrame) => {
      if (hasEnded) return cameToNothing(request, ENDED);
      happened(request);
      // 2026-07-28, "Cancellation": over HTTP, closing the response stream cancels the request.
      if (transport === 'http' && isSelfDescribing(request.json.value))
        return next({ kind: 'close', at: clock.now(), from, how: 'fin' });
      const text = JSON.stringify({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 0, reason },
      });
      const json = new JsonText(text.replace('"requestId":0', () => `"requestId":${idOf(request)}`));
      next({ kind: 'message', at: clock.now(), from, json });
    };
    return {
      unchanged: (frame) =>
        frame.kind === 'message' && isRequest(frame.json.value) ? undefined : 'the message was no request',
      hit(frame) {
        next(frame);
        if (frame.kind !== 'message') return;
        if (at === 0) give(frame);
        else waiting.push({ request: frame, left: at, since: forwarded });
      },
      intercept(frame) {
        forwarded = frame;
        return false;
      },
      other(frame) {
        forwarded = undefined;
        // A client closes its side of the exchange when its request is whole, and still reads the stream of the server.
        if (transport === 'http' && frame.kind === 'close' && (from === 'client' || frame.how !== undefined)) {
          hasEnded = true;
          for (const { request } of waiting.splice(0)) cameToNothing(request, ENDED);
        }
        if (frame.kind !== 'message') return;
        for (const one of waiting.filter(({ since }) => since !== frame)) {
          one.left--;
          if (one.left > 0) continue;
          waiting.splice(waiting.indexOf(one), 1);
          give(one.request);
        }
      },
    };
  },
});

function isSelfDescribing(message: unknown): boolean {
  const version = isObject(message) ? metaOf(message.params)[META.protocolVersion] : undefined;
  return typeof version === 'string' && isModern(version);
}

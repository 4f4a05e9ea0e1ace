import { type Frame, otherSide } from '../../channel/frame.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { errorOf, isRequest, isResponse } from '../../protocol/message.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { anything, text, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { isOfNotifications } from '../rules/when.ts';
import { idOf } from '../support/edit-message.ts';
import { replyToSender } from '../support/reply-to-sender.ts';

type Takes = { code: WithFallback<number>; message: WithFallback<string>; data: WithFallback<unknown> };

const params: Takes = {
  code: withDefault(
    {
      doc: 'JSON-RPC error code',
      wanted: 'a whole number',
      read: (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : undefined),
    },
    -32603,
  ),
  message: withDefault(text('error message'), 'Injected by mcp-record'),
  data: withDefault(anything('error data'), undefined),
};

/** Answers a request immediately with an error instead of forwarding it, or replaces its response. */
export const errorReply: DefinedFault<Takes> = defineFault({
  name: 'error-reply',
  doc: 'A JSON-RPC error replaces the response. On a request: the error comes at once, and no handler or cassette answers. The journal counts the request.',
  transports: ['stdio', 'http', 'memory'],
  params,
  when: { kind: 'response' },
  isOfMessages: true,
  unfit: ({ when }) => (isOfNotifications(when) ? 'nobody answers a notification' : undefined),
  start({ code, message, data }, tools) {
    const { next, clock, from } = tools;
    const error = { code, message, ...(data !== undefined && { data }) };
    const reply = (frame: Frame, side: Frame['from']): Frame => {
      const text = JSON.stringify({ jsonrpc: '2.0', id: 0, error });
      // The error response to an unparseable request has the id null or no id.
      const json = new JsonText(text.replace('"id":0', () => `"id":${idOf(frame) ?? 'null'}`));
      const { stream } = frame;
      // The transport chooses the HTTP status of an error.
      const sse = frame.kind === 'message' ? frame.sse : undefined;
      return {
        kind: 'message',
        at: clock.now(),
        from: side,
        json,
        ...(stream !== undefined && { stream }),
        ...(sse && { sse }),
      };
    };
    return {
      unchanged(frame) {
        const said = frame.kind === 'message' ? frame.json.value : undefined;
        if (isResponse(said)) return isSame(errorOf(said), error) ? 'the response was this error anyway' : undefined;
        return isRequest(said) ? undefined : 'the message was no request and no response';
      },
      hit(frame) {
        const said = frame.kind === 'message' ? frame.json.value : undefined;
        if (isResponse(said)) next(reply(frame, from));
        else if (isRequest(said)) replyToSender(tools, reply(frame, otherSide(from)));
        // The error of a fault that threw replaces answers alone.
        else next(frame);
      },
    };
  },
});

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

import { STATUS_CODES } from 'node:http';
import type { Frame, Headers, ResponseFrame } from '../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { headers, type Param, text, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { replyToSender } from '../support/reply-to-sender.ts';
import { STATUS_HEADERS } from '../support/status-headers.ts';
import { streamEndingFault } from '../support/stream-ending-fault.ts';

type Takes = {
  status: Param<number>;
  headers: WithFallback<Headers>;
  body: WithFallback<string | undefined>;
};

const params: Takes = {
  status: {
    doc: 'the status',
    wanted: 'a status from 200 to 599',
    read: (value) => (Number.isInteger(value) && isStatus(value as number) ? (value as number) : undefined),
  },
  headers: withDefault(headers('header fields, besides those that belong to the status'), {}),
  body: withDefault<string | undefined, undefined>(
    text('body of the response, in place of the words for the status'),
    undefined,
  ),
};

const HAS_LEFT = 'no status could be sent, since that of the event stream had left';

/** Answers with an HTTP status instead of the server, like a gateway, a rate limit or an authorization check. */
export const httpStatus: DefinedFault<Takes> = defineFault({
  name: 'http-status',
  doc: 'An HTTP status answers the request, which no handler or cassette answers then. The journal counts it. On a response in a JSON body, with "from: server": the status takes its place.',
  transports: ['http'],
  params,
  when: { from: 'client' },
  unfit: ({ when }) =>
    when.kind === 'end' && when.from === 'client' ? 'the client has left, and nobody gets the status' : undefined,
  start({ status, headers: own, body = `${STATUS_CODES[status] ?? status}\n` }, tools) {
    const reply = (frame: Frame): ResponseFrame => ({
      kind: 'http-response',
      at: tools.clock.now(),
      from: 'server',
      status,
      headers: { 'content-type': 'text/plain', ...STATUS_HEADERS[status], ...own },
      body,
      ...(frame.stream !== undefined && { stream: frame.stream }),
    });
    let isStream = false;
    return streamEndingFault({
      next: tools.next,
      passing(frame) {
        if (frame.kind === 'http-response' && frame.status === 'sse') isStream = true;
      },
      unchanged: () => (isStream ? HAS_LEFT : undefined),
      strike(frame) {
        if (tools.from === 'client') replyToSender(tools, reply(frame));
        else tools.next(reply(frame));
      },
      // The end of the client's request is dropped with the request. The end of the server's answer still passes.
      outlives: (frame) => tools.from === 'server' && frame.kind === 'close',
    });
  },
});

function isStatus(value: number): boolean {
  return value >= 200 && value <= 599;
}

import { describe, expect, it } from 'vitest';
import type { Frame, SseFields } from '../../../src/channel/frame.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { httpCassette } from '../../../src/replay/http/http-cassette.ts';
import { deliveriesOf } from '../../../src/replay/http/recorded-delivery.ts';
import { call, cassette as cassetteOf, client, notification, result, server } from '../../support/conversation.ts';
import { type Served, served } from '../served.ts';

const on = (stream: number, frame: Frame, sse?: SseFields): Frame => ({
  ...frame,
  stream,
  ...(sse && { sse }),
});
const text = (json: string): Frame => ({ kind: 'message', at: 0, from: 'server', json: new JsonText(json) });

/** The recorded server of frames over HTTP, which has no sessions. */
function serving(...frames: Frame[]) {
  const { header, ...cassette } = cassetteOf(...frames);
  return served(httpCassette({ ...cassette, header: { ...header, transport: 'http' } }));
}

const outcome = ({ status, body, events, isOver }: Served) => ({ status, body, events, isOver });
const json = (body: unknown) => ({ status: 200, body, events: [], isOver: true });
const stream = (...events: unknown[]) => ({ status: 200, body: undefined, events, isOver: true });

describe('a body that answered another id than was asked for', () => {
  const wrong = [on(1, client(call(1, 'a'))), on(1, server(result(99, 'A')))];

  it('is the body again, under its own id', () => {
    expect(outcome(serving(...wrong).post(call(5, 'a')))).toEqual(json(result(99, 'A')));
  });

  it('leaves the calls around it as they are', () => {
    const { post } = serving(...wrong, on(2, client(call(2, 'b'))), on(2, server(result(2, 'B'))));
    expect(outcome(post(call(7, 'b')))).toEqual(json(result(7, 'B')));
    expect(outcome(post(call(8, 'a')))).toEqual(json(result(99, 'A')));
  });

  it('answers no other request that was open under that id', () => {
    const { post } = serving(
      on(1, client(call(1, 'a'))),
      on(2, client(call(2, 'b'))),
      on(1, server(result(2, 'for b'))),
      on(2, server(result(2, 'B'))),
    );
    expect(outcome(post(call(1, 'a')))).toEqual(json(result(2, 'for b')));
    expect(outcome(post(call(2, 'b')))).toEqual(json(result(2, 'B')));
  });

  it.each(['{"jsonrpc":"2.0","id":"1","result":{}}', '{"no":"message"}', '[]', '[1,"x"]'])('be it %s', (body) => {
    const { post } = serving(on(1, client(call(1, 'a'))), on(1, text(body)));
    expect(outcome(post(call(5, 'a')))).toEqual(json(JSON.parse(body)));
  });

  it('has the status and the type that it had', () => {
    const headers = { 'content-type': 'text/plain', 'www-authenticate': 'Bearer' };
    const said = { ...on(1, server(result(99, 'A'))), status: 418, headers } as Frame;
    const { status, headers: shown } = serving(on(1, client(call(1, 'a'))), said).post(call(5, 'a'));
    expect({ status, shown }).toEqual({ status: 418, shown: { 'content-type': 'text/plain' } });
  });

  it('of an event stream comes on the stream of its own call, which ends as it did', () => {
    const { post } = serving(
      on(1, client(call(1, 'a'))),
      on(2, client(call(2, 'b'))),
      on(1, server(result(99, 'A')), {}),
      on(1, { kind: 'close', at: 0, from: 'server' }),
      on(2, server(result(2, 'B')), {}),
    );
    expect(outcome(post(call(5, 'a')))).toEqual(stream(result(99, 'A')));
    expect(outcome(post(call(6, 'b')))).toEqual(stream(result(6, 'B')));
  });
});

describe('an answer that was given twice', () => {
  it('is given twice on its stream, under the live id, and then the stream ends', () => {
    const answer = on(1, server(result(1, 'A')), {});
    expect(outcome(serving(on(1, client(call(1, 'a'))), answer, answer).post(call(5, 'a')))).toEqual(
      stream(result(5, 'A'), result(5, 'A')),
    );
  });

  it('is given twice in one list', () => {
    const both = on(1, server([result(1, 'A'), result(1, 'A')]));
    expect(outcome(serving(on(1, client(call(1, 'a'))), both).post(call(5, 'a')))).toEqual(
      json([result(5, 'A'), result(5, 'A')]),
    );
  });

  it('comes with whatever else was said after it on its stream', () => {
    const late = notification('message', { level: 'info', data: 'late' });
    const { post } = serving(
      on(1, client(call(1, 'a'))),
      on(1, server(result(1, 'A')), {}),
      on(1, server(late), {}),
      on(2, client(call(2, 'b'))),
      on(2, server(result(2, 'B'))),
    );
    expect(outcome(post(call(5, 'a')))).toEqual(stream(result(5, 'A'), late));
    expect(outcome(post(call(6, 'b')))).toEqual(json(result(6, 'B')));
  });
});

describe('a list of answers', () => {
  const batch = (...ids: number[]) => ids.map((id) => call(id, `tool-${id % 10}`));

  it('of one stays a list', () => {
    const { post } = serving(on(1, client(batch(1))), on(1, server([result(1, 'A')])));
    expect(outcome(post(batch(11)))).toEqual(json([result(11, 'A')]));
  });

  it('of one that answered a call outside of a batch stays one, too', () => {
    const { post } = serving(on(1, client(call(1, 'a'))), on(1, server([result(1, 'A')])));
    expect(outcome(post(call(5, 'a')))).toEqual(json([result(5, 'A')]));
  });

  it('is one event where it was one', () => {
    const { post } = serving(on(1, client(batch(1, 2))), on(1, server([result(2, 'B'), result(1, 'A')]), {}));
    expect(outcome(post(batch(11, 12)))).toEqual(stream([result(11, 'A'), result(12, 'B')]));
  });

  it('that lacks an answer ends the exchange as it did', () => {
    const { post } = serving(on(1, client(batch(1, 2))), on(1, server([result(1, 'A')])));
    expect(outcome(post(batch(11, 12)))).toEqual(json([result(11, 'A')]));
  });

  it('gives who asks for one thing of it that answer alone, in an event or a body', () => {
    const answers = server([result(1, 'A'), result(2, 'B'), result(2, 'again')]);
    const [body, event] = [undefined, {}].map((sse) => serving(on(1, client(batch(1, 2))), on(1, answers, sse)));
    expect(outcome(body!.post(call(5, 'tool-1')))).toEqual(json(result(5, 'A')));
    expect(event!.post(call(5, 'tool-1')).events).toEqual([result(5, 'A')]);
  });

  it('is made of the answers to calls that were single in the cassette, a wrong one among them', () => {
    const { post } = serving(
      on(1, client(batch(1, 2))),
      on(1, server([result(1, 'A'), result(2, 'B')])),
      on(2, client(call(3, 'x'))),
      on(2, server(result(99, 'X'))),
    );
    const { body, isOver } = post([call(11, 'tool-1'), call(12, 'tool-2')]);
    expect({ body, isOver }).toEqual({ body: [result(11, 'A'), result(12, 'B')], isOver: true });
  });
});

it('a body that is no UTF-8 has the bytes that it had', () => {
  const body = Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d);
  const reply: Frame = { kind: 'http-response', at: 0, from: 'server', status: 200, body };
  expect(serving(on(1, client(call(1, 'a'))), on(1, reply)).post(call(5, 'a')).body).toEqual(body);
});

describe('how messages were delivered', () => {
  it('says nothing of exchanges that asked for nothing, and of what is ordinary but for the size of a body', () => {
    const frames = [
      on(1, client(notification('initialized'))),
      on(1, server(result(7, 'x'))),
      on(2, client(call(1, 'a'))),
    ];
    const { events } = cassetteOf(
      ...frames,
      on(2, server(result(1, 'A'))),
      on(3, client(call(2, 'b'))),
      on(3, server(result(2, 'B')), {}),
    );
    const { of, bare, last } = deliveriesOf(events);
    expect([[...of.values()], bare.size, last.size]).toEqual([[{ bodyFor: 1 }], 0, 0]);
  });
});

import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { httpCassette } from '../../src/replay/http/http-cassette.ts';
import { call, notification, request, result } from '../support/conversation.ts';
import { served } from './served.ts';

const json = JSON.stringify;
const opening = request(0, 'initialize', { protocolVersion: '2025-11-25' });
const opened = { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25' } };
const note = (data: string) => notification('message', { level: 'info', data });

/** A server that closes the stream of a call before it has answered, as SDKs with an event store do. */
const POLLED = `format: mcp-record/1
transport: http
url: http://127.0.0.1:1/mcp
events:
- client: ${json(opening)}
  stream: 1
- sse: { id: "1", retry: 10 }
  stream: 1
- server: ${json(opened)}
  stream: 1
  session: new
  sse: { id: "2" }
- open: GET
  stream: 2
- sse: { id: "3" }
  stream: 2
- client: ${json(call(1, 'a'))}
  stream: 3
- sse: { id: "4", retry: 10 }
  stream: 3
- server: ${json(note('one'))}
  stream: 3
  sse: { id: "5" }
- close: server
  stream: 3
- open: GET
  stream: 4
  resumes: "4"
- server: ${json(note('one'))}
  stream: 4
  sse: { id: "5" }
- server: ${json(note('two'))}
  stream: 4
  sse: { id: "6" }
- server: ${json(result(1, 'A'))}
  stream: 4
  sse: { id: "7" }
- server: ${json(notification('tools/list_changed'))}
  stream: 2
  sse: { id: "8" }
`;

function session(text = POLLED) {
  const mock = served(httpCassette(parseCassette(text, 'cassette.yaml')));
  const first = mock.post(opening);
  const id = { 'mcp-session-id': first.headers['mcp-session-id']! };
  const listen = (last?: string) =>
    mock.ask('GET', {
      accept: 'text/event-stream',
      ...id,
      ...(last !== undefined && { 'last-event-id': last }),
    });
  return { ...mock, first, id, listen };
}

describe('2025-11-25, "Resumability and Redelivery" (§6)', () => {
  it('sends an event after the resumption that broke off before it, with the same id', () => {
    const broken = POLLED.replace(
      '- close: server\n  stream: 3\n',
      `- server: '{"id":1,"resu'\n  stream: 3\n  sse: { id: "7" }\n  partial: true\n- close: server\n  stream: 3\n`,
    );
    const { post, id, listen } = session(broken);
    expect(post(call(1, 'a'), id)).toMatchObject({ ids: ['4', '5'] });
    const resumed = listen('4');
    expect(resumed.events.at(-1)).toEqual(result(1, 'A'));
  });

  it('primes streams and gives events ids as the cassette has them', () => {
    const { first, listen } = session();
    expect([first.events, first.ids, first.isOver]).toEqual([['', opened], ['1', '2'], true]);
    expect(listen()).toMatchObject({ ids: ['3'], isOver: false });
  });

  it('closes the stream of a call where the server had, and says the rest to who comes back', () => {
    const { post, id, listen } = session();
    const asked = post(call(7, 'a'), id);
    expect(asked).toMatchObject({ ids: ['4', '5'], events: ['', note('one')], isOver: true });
    const back = listen('5');
    expect(back).toMatchObject({ ids: ['6', '7'], events: [note('two'), result(7, 'A')], isOver: true });
  });

  it('delivers again what came after the event that a client has', () => {
    const { post, id, listen } = session();
    post(call(7, 'a'), id);
    expect(listen('4')).toMatchObject({ ids: ['5', '6', '7'], isOver: true });
    expect(listen('6')).toMatchObject({ ids: ['7'], isOver: true });
  });

  it('goes on with a stream to listen on, with what was said in between', () => {
    const { post, id, listen } = session();
    const { leave } = listen();
    leave();
    post(call(7, 'a'), id);
    expect(listen('3')).toMatchObject({ ids: ['8'], isOver: false });
  });

  it('goes on with a call whose connection was lost', () => {
    const { post, id, listen } = session();
    const asked = post(call(7, 'a'), id);
    asked.leave();
    expect(listen('4').events.at(-1)).toEqual(result(7, 'A'));
  });

  it('answers 400 to an event that there is not', () => {
    const { listen } = session();
    expect(listen('nine').status).toBe(400);
  });

  it('gives each event of a session an id of its own', () => {
    const mock = served(
      httpCassette(
        parseCassette(POLLED.replaceAll(/tools\/call","params":\{"name":"a"\}/g, 'tools/list"'), 'cassette.yaml'),
      ),
    );
    const id = { 'mcp-session-id': mock.post(opening).headers['mcp-session-id']! };
    const all = [7, 8, 9].flatMap((one) => mock.post(request(one, 'tools/list'), id).ids);
    expect(all.length).toBeGreaterThan(4);
    expect(new Set(all).size).toBe(all.length);
  });

  it('primes the stream of each of several calls at once as its own was', () => {
    const both = `${POLLED.slice(0, POLLED.indexOf('- open: GET'))}- client: ${json(call(1, 'a'))}
  stream: 3
- client: ${json(call(2, 'b'))}
  stream: 4
- sse: { id: "3" }
  stream: 3
- sse: { id: "4" }
  stream: 4
- server: ${json(result(2, 'B'))}
  stream: 4
  sse: { id: "5" }
- server: ${json(result(1, 'A'))}
  stream: 3
  sse: { id: "6" }
`;
    const mock = served(httpCassette(parseCassette(both, 'cassette.yaml')));
    const id = { 'mcp-session-id': mock.post(opening).headers['mcp-session-id']! };
    expect(mock.post(call(1, 'a'), id).ids).toEqual(['3', '6']);
    expect(mock.post(call(2, 'b'), id).ids).toEqual(['4', '5']);
  });

  it('where events have no ids, who comes back only listens', () => {
    const plain = POLLED.replaceAll(/^- sse: .*\n {2}stream: \d\n/gm, '').replaceAll(/\{ id: "\d" \}/g, '{}');
    const mock = served(httpCassette(parseCassette(plain, 'cassette.yaml')));
    const id = { 'mcp-session-id': mock.post(opening).headers['mcp-session-id']! };
    const back = mock.ask('GET', { accept: 'text/event-stream', ...id, 'last-event-id': '4' });
    expect(back).toMatchObject({ status: 200, ids: [], isOver: false });
  });
});

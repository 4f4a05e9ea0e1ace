import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { httpCassette } from '../../src/replay/http/http-cassette.ts';
import { call, notification, request, result } from '../support/conversation.ts';
import { served } from './served.ts';

const json = JSON.stringify;
const opening = request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} });
const note = (data: string) => notification('message', { level: 'info', data });

/** A session whose client listens in exchange 2; the events after that. */
const cassette = (events: string, listening = '') =>
  httpCassette(
    parseCassette(
      `format: mcp-record/1
transport: http
events:
- client: ${json(opening)}
  stream: 1
- server: ${json({ jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25' } })}
  stream: 1
  session: new
- open: GET
  stream: 2
${listening}${events}`,
      'cassette.yaml',
    ),
  );
const said = (message: unknown, stream: number, sse = '') =>
  `- server: ${json(message)}\n  stream: ${stream}\n${sse && `  sse: ${sse}\n`}`;
const asked = (message: unknown, stream: number) => `- client: ${json(message)}\n  stream: ${stream}\n`;
const lost = (how: string) => `- close: server\n  stream: 2\n  how: ${how}\n`;
const again = '- open: GET\n  stream: 4\n';
const ended = '- open: DELETE\n  stream: 6\n';

function session(...cassettes: ReturnType<typeof httpCassette>[]) {
  const mock = served(...cassettes);
  const id = { 'mcp-session-id': mock.post(opening).headers['mcp-session-id']! };
  const listen = (last?: string) =>
    mock.ask('GET', { accept: 'text/event-stream', ...id, ...(last && { 'last-event-id': last }) });
  return { ...mock, listen, calls: (name: string) => mock.post(call(7, name), id) };
}

describe('where the recorded client listened', () => {
  const logged = cassette(asked(call(1, 'a'), 3) + said(note('one'), 2, '{}') + said(result(1, 'A'), 3));

  it('what came meanwhile comes there, and the answer stays what it was', () => {
    const { listen, calls } = session(logged);
    const listening = listen();
    expect(calls('a')).toMatchObject({ body: result(7, 'A'), events: [] });
    expect(listening).toMatchObject({ events: [note('one')], isOver: false });
  });

  it('it waits for who listens later', () => {
    const { listen, calls } = session(logged);
    expect(calls('a')).toMatchObject({ body: result(7, 'A') });
    expect(listen().events).toEqual([note('one')]);
  });

  it('a question does not wait for who never listens', () => {
    const ask = request(9, 'roots/list');
    const asking = cassette(asked(call(1, 'a'), 3) + said(ask, 2, '{}') + said(result(1, 'A'), 3));
    expect(session(asking).calls('a').events).toContainEqual(ask);
    const { listen, calls } = session(asking);
    const listening = listen();
    calls('a');
    expect(listening.events).toEqual([ask]);
  });
});

describe('a stream to listen on that was lost', () => {
  const events = (how: string) =>
    asked(call(1, 'a'), 3) + said(note('one'), 2, '{}') + lost(how) + said(result(1, 'A'), 3) + again;
  const more = asked(call(2, 'b'), 5) + said(note('two'), 4, '{}') + said(result(2, 'B'), 5);

  it.each([['fin'], ['rst']])('is lost again (%s), after what it said; who comes back hears the rest', (how) => {
    const { listen, calls } = session(cassette(events(how) + more));
    const listening = listen();
    calls('a');
    expect(listening).toMatchObject({ events: [note('one')], isOver: true, lost: how });
    const back = listen();
    expect(calls('b')).toMatchObject({ body: result(7, 'B') });
    expect(back).toMatchObject({ events: [note('two')], isOver: false });
  });

  it('is closed again where it was closed, and goes on by the ids of its events', () => {
    const ids = cassette(
      asked(call(1, 'a'), 3) +
        said(note('one'), 2, '{ id: "2" }') +
        '- close: server\n  stream: 2\n' +
        said(result(1, 'A'), 3) +
        '- open: GET\n  stream: 4\n  resumes: "2"\n' +
        said(note('two'), 4, '{ id: "3" }'),
      '- sse: { id: "1" }\n  stream: 2\n',
    );
    const { listen, calls } = session(ids);
    const listening = listen();
    calls('a');
    expect(listening).toMatchObject({ ids: ['1', '2'], isOver: true });
    expect(listening).not.toHaveProperty('lost');
    expect(listen('2')).toMatchObject({ events: [note('two')], isOver: false });
  });

  it('is lost for who listens only then, and not for who comes after', () => {
    const { listen, calls } = session(cassette(events('rst') + more));
    calls('a');
    expect(listen()).toMatchObject({ events: [note('one')], lost: 'rst' });
    expect(listen()).toMatchObject({ events: [], isOver: false });
  });

  it('stays open where nothing came after: the session was over', () => {
    const { listen, calls } = session(cassette(asked(call(1, 'a'), 3) + said(result(1, 'A'), 3) + lost('fin') + ended));
    const listening = listen();
    calls('a');
    expect(listening.isOver).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { discoverResponseIn } from '../../../src/replay/match/protocol-generation.ts';
import {
  call,
  cancel,
  cassette as cassetteOf,
  client,
  clientCloses,
  exits,
  notification,
  play,
  progress,
  request,
  result,
  server,
  stderr,
} from '../../support/conversation.ts';

const toolsChanged = notification('tools/list_changed');

describe('a response', () => {
  it('comes when its request does, in whatever order the client asks', () => {
    const session = play(
      cassetteOf(client(call(1, 'a')), server(result(1, 'A')), client(call(2, 'b')), server(result(2, 'B'))),
    );
    session.says(call(2, 'b'));
    expect(session.hears()).toEqual([result(2, 'B')]);
    session.says(call(1, 'a'));
    expect(session.hears()).toEqual([result(1, 'A')]);
  });

  it.each([0, '', 'x', '7', 7, -1])('carries the live id %j, of its own type', (id) => {
    const session = play(cassetteOf(client(call(1, 'a')), server(result(1, 'A'))));
    session.says(call(id, 'a'));
    expect(session.hears()).toEqual([result(id, 'A')]);
  });

  it('carries an id past 2^53 digit by digit', () => {
    const session = play(cassetteOf(client(call(1, 'a')), server(result(1, 'A'))));
    session.says('{"jsonrpc":"2.0","id":12345678901234567891,"method":"tools/call","params":{"name":"a"}}');
    expect(session.hearsText()).toEqual(['{"jsonrpc":"2.0","id":12345678901234567891,"result":{"text":"A"}}']);
  });

  it('keeps the number tokens and the key order of the cassette', () => {
    const text = '{"result":{"b":1.0,"a":1e400,"n":-0},"id":1,"jsonrpc":"2.0"}';
    const session = play(cassetteOf(client(call(1, 'a')), server(text)));
    session.says(call(5, 'a'));
    expect(session.hearsText()).toEqual([text.replace('"id":1', '"id":5')]);
  });

  it('of the same call twice is used in recorded order', () => {
    const session = play(
      cassetteOf(client(call(1, 'a')), server(result(1, 'one')), client(call(2, 'a')), server(result(2, 'two'))),
    );
    session.says(call(10, 'a'), call(11, 'a'));
    expect(session.hears()).toEqual([result(10, 'one'), result(11, 'two')]);
  });

  it('answers the one of twenty concurrent calls that asked', () => {
    const calls = Array.from({ length: 20 }, (_, n) => n);
    const session = play(
      cassetteOf(
        ...calls.map((n) => client(call(n, 'echo', { n }))),
        ...calls.toReversed().map((n) => server(result(n, `echo ${n}`))),
      ),
    );
    session.says(...calls.map((n) => call(100 + n, 'echo', { n })));
    expect(session.hears()).toEqual(calls.map((n) => result(100 + n, `echo ${n}`)));
  });
});

describe('progress', () => {
  const recorded = cassetteOf(
    client(call(1, 'slow', {}, 1)),
    client(call(2, 'other', {}, 2)),
    server(progress(2, 10)),
    server(progress(1, 1)),
    server(progress(1, 2)),
    server(result(2, 'other')),
    server(result(1, 'done')),
  );

  it('goes to its call, with the live token, a millisecond before the response', () => {
    const session = play(recorded);
    session.says(call(5, 'slow', {}, 'tok'));
    expect(session.hears()).toEqual([progress('tok', 1), progress('tok', 2)]);
    session.clock.advance(1);
    expect(session.hears()).toEqual([result(5, 'done')]);
  });

  it('is left out where the live call has no token', () => {
    const session = play(recorded);
    session.says(call(5, 'slow'));
    expect(session.hears()).toEqual([result(5, 'done')]);
  });
});

describe('a server request', () => {
  const ask = request(0, 'sampling/createMessage', { messages: [], maxTokens: 5 });
  const answer = { jsonrpc: '2.0', id: 0, result: { role: 'assistant' } };
  const asking = cassetteOf(client(call(0, 'ask')), server(ask), client(answer), server(result(0, 'answered')));

  it('is sent, and what followed its answer waits for the live answer', () => {
    const session = play(asking);
    session.says(call(3, 'ask'));
    expect(session.hears()).toEqual([ask]);
    session.says(answer);
    expect(session.hears()).toEqual([result(3, 'answered')]);
  });

  it('may be answered with an error, and a second answer is ignored and reported', () => {
    const session = play(asking);
    session.says(call(3, 'ask'), { jsonrpc: '2.0', id: 0, error: { code: -1, message: 'no' } }, answer);
    expect(session.hears()).toEqual([ask, result(3, 'answered')]);
    expect(session.findings.map(({ kind }) => kind)).toEqual(['differs', 'stray']);
  });

  it('that is never answered holds back its own call only', () => {
    const session = play(
      cassetteOf(...asking.events.map(({ frame }) => frame), client(call(1, 'b')), server(result(1, 'B'))),
    );
    session.says(call(3, 'ask'), call(4, 'b'));
    expect(session.hears()).toEqual([ask, result(4, 'B')]);
    session.player.finish();
    expect(session.findings.map(({ kind, text }) => [kind, text])).toEqual([
      ['unsent', '1 recorded message could not be sent:\n    cassette.yaml:4 response'],
      ['unanswered', 'cassette.yaml:2 The client never answered sampling/createMessage.'],
    ]);
  });

  const crossing = cassetteOf(
    client(call(1, 'a')),
    client(call(2, 'b')),
    server(ask),
    client(answer),
    server(result(2, 'B')),
    server(result(1, 'A')),
  );

  it('with two calls open belongs to the one whose response follows its answer: the other is free', () => {
    const session = play(crossing);
    session.says(call(1, 'a'));
    expect(session.hears()).toEqual([result(1, 'A')]);
    session.says(call(2, 'b'));
    expect(session.hears()).toEqual([ask]);
    session.says(answer);
    expect(session.hears()).toEqual([result(2, 'B')]);
  });

  it('with two calls open does not deadlock a client that sends the second first', () => {
    const session = play(crossing);
    session.says(call(2, 'b'), answer, call(1, 'a'));
    expect(session.hears()).toEqual([ask, result(2, 'B'), result(1, 'A')]);
  });
});

describe('a frame that names nothing', () => {
  const log = notification('message', { level: 'info', data: 'hello' });

  it('goes with the only call in flight, in its place', () => {
    const session = play(
      cassetteOf(
        client(call(1, 'a', {}, 1)),
        server(progress(1, 1)),
        server(log),
        server(progress(1, 2)),
        server(result(1, 'A')),
      ),
    );
    session.says(call(1, 'a', {}, 1));
    session.clock.advance(1);
    expect(session.hears()).toEqual([progress(1, 1), log, progress(1, 2), result(1, 'A')]);
  });

  it('goes after the last client message where nothing is in flight', () => {
    const session = play(
      cassetteOf(
        client(notification('initialized')),
        server(toolsChanged),
        client(call(1, 'a')),
        server(result(1, 'A')),
      ),
    );
    expect(session.hears()).toEqual([]);
    session.says(notification('initialized'));
    expect(session.hears()).toEqual([toolsChanged]);
  });

  it('goes at once where the client had not spoken', () => {
    const session = play(cassetteOf(stderr('Starting'), client(call(1, 'a')), server(result(1, 'A'))));
    expect(session.hears()).toEqual([expect.objectContaining({ on: 'stderr', data: 'Starting' })]);
  });

  it('goes before the next response in the cassette, for a client that waits for it before it asks more', () => {
    const session = play(
      cassetteOf(
        client(call(1, 'a')),
        client(call(2, 'b')),
        server(toolsChanged),
        server(result(1, 'A')),
        server(result(2, 'B')),
      ),
    );
    session.says(call(1, 'a'));
    expect(session.hears()).toEqual([toolsChanged]);
    session.clock.advance(1);
    expect(session.hears()).toEqual([result(1, 'A')]);
    session.says(call(2, 'b'));
    expect(session.hears()).toEqual([result(2, 'B')]);
  });

  it('is not held back by a ping, a poll or a repeated list that never comes again', () => {
    const list = (id: number) => request(id, 'tools/list');
    const session = play(
      cassetteOf(
        client(list(1)),
        server(result(1, 'list')),
        client(list(2)),
        client(request(3, 'ping')),
        client(request(4, 'tasks/get', { taskId: 't' })),
        server(toolsChanged),
        server(result(2, 'list')),
      ),
    );
    session.says(list(9));
    expect(session.hears()).toEqual([result(9, 'list'), toolsChanged]);
  });
});

describe('a list', () => {
  const list = (id: number) => request(id, 'tools/list');
  const changing = cassetteOf(
    client(list(1)),
    server(result(1, 'before')),
    client(call(2, 'change')),
    server(toolsChanged),
    server(result(2, 'changed')),
    client(list(3)),
    server(result(3, 'after')),
  );

  it('of an extension repeats its answer for the same question, and is a miss for another', () => {
    const skills = (id: number, params = {}) => request(id, 'acme/list', params);
    const session = play(cassetteOf(client(skills(1, { tag: 'a' })), server(result(1, 'a'))));
    session.says(skills(5, { tag: 'a' }), skills(6, { tag: 'a' }));
    expect(session.hears()).toEqual([result(5, 'a'), result(6, 'a')]);
    session.says(skills(7, { tag: 'b' }));
    expect(session.findings.map(({ kind }) => kind)).toEqual(['miss']);
  });

  it('repeats its answer, and does not give the one from after a change before the change', () => {
    const session = play(changing);
    session.says(list(1), list(2));
    expect(session.hears()).toEqual([result(1, 'before'), result(2, 'before')]);
    session.says(call(3, 'change'));
    session.clock.advance(1);
    session.says(list(4), list(5));
    expect(session.hears()).toEqual([toolsChanged, result(3, 'changed'), result(4, 'after'), result(5, 'after')]);
  });
});

describe('a cancelled call', () => {
  it('gets its frames and then silence, as in the cassette', () => {
    const session = play(
      cassetteOf(
        client(call(1, 'slow', {}, 1)),
        server(progress(1, 1)),
        client(cancel(1)),
        client(call(2, 'b')),
        server(result(2, 'B')),
      ),
    );
    session.says(call(8, 'slow', {}, 8), cancel(8));
    session.says(call(9, 'b'));
    expect(session.hears()).toEqual([progress(8, 1), result(9, 'B')]);
    session.player.finish();
    expect(session.findings).toEqual([]);
  });

  it('is stopped at once by a live cancel, and what it still had is reported', () => {
    const session = play(cassetteOf(client(call(1, 'slow', {}, 1)), server(progress(1, 1)), server(result(1, 'done'))));
    session.says(call(8, 'slow', {}, 8), cancel(8));
    session.clock.advance(10);
    expect(session.hears()).toEqual([progress(8, 1)]);
    session.player.finish();
    expect(session.findings.map(({ kind }) => kind)).toEqual(['unrecorded', 'unsent']);
  });

  it('is answered all the same where the recorded server answered after the cancel', () => {
    const session = play(
      cassetteOf(client(call(1, 'slow', {}, 1)), server(progress(1, 1)), client(cancel(1)), server(result(1, 'late'))),
    );
    session.says(call(8, 'slow', {}, 8), cancel(8));
    session.clock.advance(1);
    expect(session.hears()).toEqual([progress(8, 1), result(8, 'late')]);
  });

  it('keeps what came after the recorded cancel back until the live one', () => {
    const session = play(
      cassetteOf(
        client(call(1, 'slow', {}, 1), 0),
        server(progress(1, 1), 10),
        client(cancel(1), 20),
        server(result(1, 'late'), 500),
      ),
    );
    session.says(call(8, 'slow', {}, 8));
    session.clock.advance(499);
    expect(session.hears()).toEqual([progress(8, 1)]);
    session.says(cancel(8));
    expect(session.hears()).toEqual([result(8, 'late')]);
  });

  it('does not keep a client waiting that never cancels: it hears what came after as late as in the cassette', () => {
    const session = play(cassetteOf(client(call(1, 'slow'), 0), client(cancel(1), 20), server(result(1, 'late'), 500)));
    session.says(call(8, 'slow'));
    session.clock.advance(499);
    expect(session.hears()).toEqual([]);
    session.clock.advance(1);
    expect(session.hears()).toEqual([result(8, 'late')]);
    expect(session.findings).toEqual([]);
  });

  it('is the one with that id in that direction: a server request with the same id goes on', () => {
    const ask = request(1, 'roots/list');
    const session = play(
      cassetteOf(client(call(1, 'a')), server(ask), client(result(1, 'roots')), server(result(1, 'A'))),
    );
    session.says(call(1, 'a'), cancel(77), result(1, 'roots'));
    expect(session.hears()).toEqual([ask, result(1, 'A')]);
  });
});

describe('what the cassette does not hold', () => {
  it('answers ping from life (§14)', () => {
    const session = play(cassetteOf(client(call(1, 'a')), server(result(1, 'A'))));
    session.says(request('p', 'ping'));
    expect(session.hears()).toEqual([{ jsonrpc: '2.0', id: 'p', result: {} }]);
  });

  it('answers server/discover on a legacy cassette at once, and not with a miss', () => {
    const session = play(cassetteOf(client(request(0, 'initialize')), server(result(0, 'welcome'))));
    session.says(request('probe', 'server/discover'));
    expect(session.hears()).toMatchObject([{ id: 'probe', error: { code: -32601 } }]);
    expect(session.findings).toEqual([]);
  });

  it('answers a modern cassette’s missing discover from the cassette, and initialize with its versions', () => {
    const version = '2026-07-28';
    const _meta = { 'io.modelcontextprotocol/protocolVersion': version };
    const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } };
    const session = play(
      cassetteOf(
        client(request(0, 'tools/list', { _meta })),
        server({ jsonrpc: '2.0', id: 0, result: { tools: [], _meta: serverInfo } }),
      ),
    );
    session.says(request(1, 'server/discover', { _meta }));
    session.says(request(2, 'initialize', { protocolVersion: '2025-11-25' }));
    expect(session.hears()).toMatchObject([
      {
        id: 1,
        result: { supportedVersions: [version], capabilities: { tools: {} }, ttlMs: 0, _meta: serverInfo },
      },
      { id: 2, error: { code: -32022, data: { supported: [version], requested: '2025-11-25' } } },
    ]);
  });

  it('answers discover with what the server said to the probe before the session', () => {
    const probe = cassetteOf(
      client(request('p', 'server/discover')),
      server({ jsonrpc: '2.0', id: 'p', result: { capabilities: { tools: { listChanged: true } } } }),
    );
    const discovered = discoverResponseIn(probe.events)!;
    const session = play(cassetteOf(client(request(0, 'initialize')), server(result(0, 'welcome'))), {
      discovered,
    });
    session.says(request(1, 'server/discover'));
    expect(session.hears()).toEqual([
      { jsonrpc: '2.0', id: 1, result: { capabilities: { tools: { listChanged: true } } } },
    ]);
  });

  it('is a miss that names the closest requests, what differs, and what to do', () => {
    const session = play(
      cassetteOf(
        client(call(1, 'add', { a: 1, b: 3 })),
        server(result(1, '4')),
        client(call(2, 'sub', {})),
        server(result(2, '0')),
      ),
    );
    session.says(call(7, 'add', { b: 4, a: 1 }));
    expect(session.hears()).toMatchObject([
      {
        id: 7,
        error: {
          code: -32603,
          data: { mcpRecord: { cassette: 'cassette.yaml', closest: [{ line: 1 }, { line: 3 }] } },
        },
      },
    ]);
    expect(session.findings).toEqual([
      {
        kind: 'miss',
        text: [
          'Cannot answer tools/call "add": no recorded call matches. Closest:',
          '    cassette.yaml:1 tools/call "add" differs at /params/arguments/b (3 → 4)',
          '    cassette.yaml:3 tools/call "sub" differs at /params/name ("sub" → "add"), /params/arguments (nothing → {"a":1,"b":4})',
          '  Correct the client, or record the session again. Ignore only what differs in every run: --ignore /params/arguments/b',
        ].join('\n'),
        varies: '/params/arguments/b',
        expected: { method: 'tools/call', params: { name: 'add', arguments: { a: 1, b: 3 } } },
        actual: { method: 'tools/call', params: { name: 'add', arguments: { a: 1, b: 4 } } },
      },
    ]);
  });

  it('is a miss that says so where the matching call was already used', () => {
    const session = play(cassetteOf(client(call(1, 'add')), server(result(1, '4'))));
    session.says(call(1, 'add'), call(2, 'add'));
    expect(session.findings.map(({ text }) => text)).toEqual([
      'Cannot answer tools/call "add": every matching recorded call was already used (cassette.yaml:1).\n' +
        '  Record the session again, or remove the extra request from the client.',
    ]);
  });

  it('is no miss where only ignored values differ', () => {
    const session = play(cassetteOf(client(call(1, 'add', { now: 1, x: 1 })), server(result(1, 'ok'))), {
      ignore: ['/params/arguments/now'],
    });
    session.says(call(2, 'add', { now: 99, x: 1 }));
    expect(session.hears()).toEqual([result(2, 'ok')]);
  });

  it('is reported at the end where the client never asked', () => {
    const session = play(cassetteOf(client(call(1, 'add')), server(result(1, '4'))));
    session.player.finish();
    expect(session.findings.map(({ text }) => text)).toEqual([
      '1 recorded request never came:\n    cassette.yaml:1 tools/call "add"',
    ]);
  });
});

describe('a process that only asked what the server can do', () => {
  it('leaves nothing unused: the session is another process’s', () => {
    const session = play(cassetteOf(client(request(0, 'initialize')), server(result(0, 'welcome'))));
    session.says(request('probe', 'server/discover'));
    session.player.finish();
    expect(session.findings).toEqual([]);
  });
});

describe('the end', () => {
  it('comes as in the cassette when the client closes', () => {
    const session = play(
      cassetteOf(client(call(1, 'a')), server(result(1, 'A')), clientCloses, stderr('bye'), exits(3)),
    );
    session.says(call(1, 'a'));
    session.hears();
    session.closes();
    expect(session.hears()).toMatchObject([{ data: 'bye' }, { kind: 'exit', status: 3 }]);
  });

  it('comes with the call that was open, where the recorded server died in it', () => {
    const session = play(
      cassetteOf(client(call(1, 'a')), server(result(1, 'A')), client(call(2, 'b')), exits('SIGSEGV')),
    );
    session.says(call(1, 'a'));
    expect(session.hears()).toEqual([result(1, 'A')]);
    session.says(call(2, 'b'));
    expect(session.hears()).toMatchObject([{ kind: 'exit', status: 'SIGSEGV' }]);
  });
});

describe('recorded timing', () => {
  it('keeps the gap between what released a frame and the frame', () => {
    const recorded = cassetteOf(
      client(call(1, 'a', {}, 1), 1000),
      server(progress(1, 1), 1030),
      server(result(1, 'A'), 1100),
    );
    const session = play(recorded, { timing: 'recorded' });
    session.says(call(1, 'a', {}, 1));
    session.clock.advance(29);
    expect(session.hears()).toEqual([]);
    session.clock.advance(1);
    expect(session.hears()).toEqual([progress(1, 1)]);
    session.clock.advance(69);
    expect(session.hears()).toEqual([]);
    session.clock.advance(1);
    expect(session.hears()).toEqual([result(1, 'A')]);
  });

  it.each([
    [{ factor: 0.5 }, 50],
    [{ cap: 20 }, 20],
  ])('obeys %j', (timing, wait) => {
    const session = play(cassetteOf(client(call(1, 'a')), server(result(1, 'A'), 100)), { timing });
    session.says(call(1, 'a'));
    session.clock.advance(wait - 1);
    expect(session.hears()).toEqual([]);
    session.clock.advance(1);
    expect(session.hears()).toEqual([result(1, 'A')]);
  });
});

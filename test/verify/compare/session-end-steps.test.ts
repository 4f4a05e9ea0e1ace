import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import type { ExitFrame } from '../../../src/channel/frame.ts';
import {
  brokenBy,
  endedUnanswered,
  junkSteps,
  sessionLevelSteps,
  unansweredSteps,
  unreadableSteps,
} from '../../../src/verify/compare/session-end-steps.ts';
import { call, cassette, client, clientCloses, exits, request, result, server } from '../../support/conversation.ts';
import { type Edit, live } from '../live.ts';

const one = [client(call(1, 'a')), server(result(1, 'A'))];
const ends = (status: number | string) => [clientCloses, exits(status)];
const signalled = { kind: 'signal', at: 0, from: 'client', signal: 'SIGTERM' } as const;
const stderr = (text: string) => ({
  kind: 'bytes',
  at: 0,
  from: 'server',
  on: 'stderr',
  data: Buffer.from(`${text}\n`),
});

describe('brokenBy', () => {
  it('says nothing of a session that went to its end', async () => {
    expect(brokenBy((await live(cassette(...one))).driven)).toBeUndefined();
  });

  it('says how the server ended before its time', async () => {
    expect(brokenBy((await live(cassette(...one), () => [exits(2)])).driven)).toBe('crashed: the server exited with 2');
    expect(brokenBy((await live(cassette(...one), () => [exits('SIGKILL')])).driven)).toBe(
      'crashed: the server was ended by SIGKILL',
    );
  });

  it('is content with a crash that is in the cassette', async () => {
    const { driven } = await live(cassette(client(call(1, 'a')), exits(2)), undefined, { patience: 10 });
    expect(brokenBy({ ...driven, died: true })).toBeUndefined();
  });
});

describe('endedUnanswered', () => {
  const ended = async (...play: Parameters<typeof live>) => endedUnanswered((await live(...play)).driven);

  it('is true of a server that ends before its first answer', async () => {
    expect(await ended(cassette(...one), () => [exits(2)])).toBe(true);
  });

  it('is false of a server that has answered, or is still running, or ended so in the cassette', async () => {
    const two = cassette(...one, client(call(2, 'b')), server(result(2, 'B')));
    expect(await ended(two, (said) => (said.id === 2 ? [exits(2)] : [said]))).toBe(false);
    expect(await ended(cassette(...one), () => [])).toBe(false);
    expect(await ended(cassette(client(call(1, 'a')), exits(2)), undefined, { patience: 10 })).toBe(false);
  });
});

describe('unansweredSteps', () => {
  const calls = cassette(
    ...one,
    client(call(2, 'b')),
    server(result(2, 'B')),
    client(call(3, 'c')),
    server(result(3, 'C')),
  );

  it('calls each of them hung while the server lives', async () => {
    const { driven } = await live(calls, (said) => (said.id === 2 ? [] : [said]));
    expect(unansweredSteps(driven.unanswered, driven)).toEqual([
      { title: 'tools/call "b"', line: 3, status: 'failed', headline: 'hung: no answer came in time' },
    ]);
  });

  it('tells once that the server crashed, with the last lines of standard error', async () => {
    const errors = Array.from({ length: 20 }, (_, n) => stderr(`line ${n}`));
    const { driven } = await live(calls, (said) => (said.id === 2 ? [...errors, exits(1)] : [said]));
    const [first, second] = unansweredSteps(driven.unanswered, driven);
    expect(first).toMatchObject({
      status: 'failed',
      headline: 'crashed: the server exited with 1 before it answered',
    });
    expect(first!.details).toHaveLength(8);
    expect(first!.details!.at(-1)).toBe('stderr: line 19');
    expect(second).toMatchObject({ line: 5, status: 'skipped' });
  });

  it('tells of a crash after the last answer, too', async () => {
    const { driven } = await live(cassette(...one), (said) => [said, exits(1)]);
    const died = { ...driven, died: true };
    expect(unansweredSteps([], died)).toMatchObject([
      { title: 'the session', status: 'failed', headline: 'crashed: the server exited with 1' },
    ]);
  });
});

describe('endingSteps', () => {
  const after = async (...end: ReturnType<typeof ends>) =>
    sessionLevelSteps((await live(cassette(...one, ...end))).driven);

  it('passes the same exit status in silence, and fails another', async () => {
    expect(await after(...ends(0))).toEqual([]);
    expect(await after(...ends(7))).toMatchObject([
      { title: 'the server', line: 4, status: 'failed', headline: 'ended with 0; in the cassette with 7' },
    ]);
  });

  it('fails a bad end that the cassette does not know, and no good one, nor one by a signal of the client', async () => {
    const { driven } = await live(cassette(...one));
    const endsWith = (status: number | string, more: object = {}) =>
      sessionLevelSteps({ ...driven, exit: exits(status) as ExitFrame, ...more });
    for (const status of [3, 'SIGSEGV'])
      expect(endsWith(status)).toMatchObject([
        { title: 'the server', status: 'failed', headline: expect.stringContaining(`ended with ${status} after`) },
      ]);
    expect(endsWith(0)).toEqual([]);
    expect(endsWith('SIGTERM', { killed: true })).toEqual([]);
  });

  it('asks no status of a server that was ended by its client in the cassette, but that it does not crash', async () => {
    const signalledEnd = [clientCloses, signalled as never, exits('SIGTERM')];
    expect(await after(...signalledEnd)).toEqual([]);
    const played = cassette(...one, ...signalledEnd);
    const { driven } = await live(played);
    for (const status of [3, 'SIGSEGV']) {
      expect(sessionLevelSteps({ ...driven, exit: exits(status) as ExitFrame })).toMatchObject([
        { status: 'failed', headline: `ended with ${status}; in the cassette with SIGTERM` },
      ]);
    }
    expect(sessionLevelSteps((await live(played, undefined, { endsOn: 'SIGTERM' })).driven)).toEqual([]);
  });

  it('fails a server that has to be ended, where it ended with its input in the cassette', async () => {
    const { driven } = await live(cassette(...one, ...ends(0)), undefined, { endsOn: 'SIGTERM' });
    expect(sessionLevelSteps(driven)).toMatchObject([
      {
        line: 4,
        status: 'failed',
        headline: 'did not end after its input had ended, and needed SIGTERM; in the cassette it ended with 0',
      },
    ]);
  });

  it('fails a server that only SIGKILL ends, where SIGTERM did in the cassette', async () => {
    const { driven } = await live(cassette(...one, clientCloses, signalled as never, exits('SIGTERM')));
    expect(sessionLevelSteps({ ...driven, killed: true, exit: exits('SIGKILL') as ExitFrame })).toMatchObject([
      { status: 'failed', headline: expect.stringContaining('needed SIGKILL') },
    ]);
  });

  it('fails a server that lives on where it ended by itself in the cassette', async () => {
    const { driven } = await live(cassette(...one, exits(1)));
    expect(sessionLevelSteps(driven)).toMatchObject([
      { line: 3, headline: 'is still running, but ended by itself in the cassette' },
    ]);
  });
});

describe('junkSteps', () => {
  const junk = (said: unknown) => ['starting…', said];

  it('fails lines that are no messages, and shows the first', async () => {
    const { driven } = await live(cassette(...one), junk);
    expect(junkSteps(driven)).toEqual([
      {
        title: 'standard output',
        status: 'failed',
        headline: '1 line that is no message: "starting…"',
      },
    ]);
  });

  it.each([{}, { level: 30, msg: 'hi' }, { jsonrpc: '2.0' }, { id: 77, foo: 1 }, { jsonrpc: '2.0', id: 1, method: 5 }])(
    'fails a line of JSON that is no message: %j',
    async (line) => {
      const { driven } = await live(cassette(...one), (said) => [line, said]);
      expect(junkSteps(driven)).toMatchObject([
        { title: 'standard output', headline: `1 line that is no message: ${JSON.stringify(JSON.stringify(line))}` },
      ]);
    },
  );

  it('allows them where the cassette has other JSON', async () => {
    const { driven } = await live(cassette(server({ level: 30 } as never), ...one), (said) => [{ level: 31 }, said]);
    expect(junkSteps(driven)).toEqual([]);
  });

  it('allows them where the cassette has some', async () => {
    const noise = { kind: 'line', at: 0, from: 'server', on: 'protocol', data: 'starting' } as const;
    const { driven } = await live(cassette(noise, ...one), junk);
    expect(junkSteps(driven)).toEqual([]);
  });
});

describe('unreadableSteps', () => {
  const initialize = (protocolVersion: string) => [
    client(request(0, 'initialize', { protocolVersion })),
    server({ jsonrpc: '2.0', id: 0, result: { protocolVersion } }),
  ];
  const steps = async (played: Cassette, edit: Edit) => unreadableSteps((await live(played, edit)).driven);

  it.each([
    ['no', {}],
    ['another', { jsonrpc: '1.0' }],
  ])('fails answers with %s version of JSON-RPC, which clients drop', async (_what, version) => {
    const found = await steps(cassette(...one), ({ id, result }) => [{ ...version, id, result }]);
    expect(found).toMatchObject([
      {
        title: 'messages without "jsonrpc": "2.0"',
        status: 'failed',
        headline: expect.stringMatching(/^1 message that clients do not read, the first of them "\{/),
      },
    ]);
  });

  it('fails a batch of a revision without batches', async () => {
    const edit: Edit = (said) => [said.id === 1 ? [said] : said];
    expect(await steps(cassette(...initialize('2025-11-25'), ...one), edit)).toMatchObject([
      { title: 'messages in a batch', status: 'failed' },
    ]);
    expect(await steps(cassette(...initialize('2025-03-26'), ...one), edit)).toEqual([]);
  });

  it('passes a batch where the server sent one in the cassette', async () => {
    const edit: Edit = (said) => [[said]];
    expect(await steps(cassette(client(call(1, 'a')), server([result(1, 'A')])), edit)).toEqual([]);
  });
});

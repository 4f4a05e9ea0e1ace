import { describe, expect, it } from 'vitest';
import {
  call,
  cassette,
  client,
  clientCloses,
  exits,
  notification,
  result,
  server,
  stderr,
} from '../../support/conversation.ts';
import { live } from '../live.ts';

const two = cassette(
  client(call(1, 'a')),
  server(notification('message', { data: 'x' })),
  server(result(1, 'A')),
  client(call(2, 'b')),
  server(result(2, 'B')),
  clientCloses,
);
const closesStdout = { kind: 'close', at: 0, from: 'server' };

describe('drive', () => {
  it('pairs each live answer and notification with the recorded one', async () => {
    const { driven, heard } = await live(two);
    expect(heard).toEqual([call(1, 'a'), call(2, 'b'), 'close']);
    expect(driven.exchanges.map(({ request, recorded, live }) => [request.line, recorded?.line, live.value])).toEqual([
      [1, 3, result(1, 'A')],
      [4, 5, result(2, 'B')],
    ]);
    expect(driven.notifications).toMatchObject([{ recorded: { line: 2 } }]);
    expect(driven).toMatchObject({
      unanswered: [],
      findings: [],
      died: false,
      killed: false,
      exit: { status: 0 },
    });
  });

  it('goes on without an answer that does not come, and says which', async () => {
    const { driven, heard } = await live(two, (said) => (said.id === 1 ? [] : [said]));
    expect(heard).toEqual([call(1, 'a'), call(2, 'b'), 'close']);
    expect(driven.unanswered).toMatchObject([{ line: 1 }]);
    expect(driven.findings).toMatchObject([{ kind: 'missing' }]);
    expect(driven.stopped).toBeUndefined();
  });

  it('gives up after three waits in a row that were in vain', async () => {
    const calls = [1, 2, 3, 4, 5].flatMap((id) => [client(call(id, 'a')), server(result(id, 'A'))]);
    const { driven, heard } = await live(cassette(...calls), () => []);
    expect(heard).toEqual([call(1, 'a'), call(2, 'a'), call(3, 'a'), 'close']);
    expect(driven.stopped).toContain('3 waits in a row were in vain');
    expect(driven.unanswered).toHaveLength(5);
  });

  it('does not count waits in vain between which an answer came', async () => {
    const calls = [1, 2, 3, 4, 5, 6].flatMap((id) => [client(call(id, 'a')), server(result(id, 'A'))]);
    const { heard } = await live(cassette(...calls), (said) => (said.id === 3 ? [said] : []));
    expect(heard).toEqual([...[1, 2, 3, 4, 5, 6].map((id) => call(id, 'a')), 'close']);
  });

  it('gives up on a flood, and keeps little of it', async () => {
    const flood = Array.from({ length: 100_001 }, () => 'noise');
    const { driven } = await live(two, () => flood);
    expect(driven.stopped).toContain('100000 lines');
    expect(driven.noise).toHaveLength(100);
  });

  it('keeps only the beginning of a long line, and only the end of standard error', async () => {
    const errors = Array.from({ length: 150 }, (_, n) => ({
      kind: 'bytes',
      at: 0,
      from: 'server',
      on: 'stderr',
      data: Buffer.from(`error ${n}\n`),
    }));
    const { driven } = await live(two, (said) => ['x'.repeat(5_000), ...errors, said]);
    expect(driven.noise[0]!.data).toHaveLength(1_000);
    const stderrLines = driven.noise.filter(({ on }) => on === 'stderr');
    expect(stderrLines).toHaveLength(100);
    expect(stderrLines.at(-1)!.data).toBe('error 149');
  });

  it('ends at once when the server dies', async () => {
    const { driven, heard } = await live(two, () => [exits(3)]);
    expect(heard).toEqual([call(1, 'a')]);
    expect(driven).toMatchObject({ died: true, exit: { status: 3 } });
  });

  it('ends a server that has closed its output and lives on', async () => {
    const { driven, heard } = await live(two, () => [closesStdout], { endsOn: 'SIGTERM' });
    expect(heard).toEqual([call(1, 'a'), 'close', 'SIGTERM']);
    expect(driven).toMatchObject({ died: true, killed: true });
  });

  it('ends a server by force that ignores the end of its input, and waits no longer for its exit than that takes', async () => {
    const { driven, heard } = await live(two, (said) => [said], { endsOn: 'nothing' });
    expect(heard.slice(-3)).toEqual(['close', 'SIGTERM', 'SIGKILL']);
    expect(driven).toMatchObject({ died: false, killed: true });
    expect(driven.exit).toBeUndefined();
  });

  it('does not take what is recorded on standard error for something to say', async () => {
    const { heard } = await live(cassette(stderr('hello'), client(call(1, 'a')), server(result(1, 'A'))));
    expect(heard).toEqual([call(1, 'a'), 'close']);
  });
});

import { describe, expect, it } from 'vitest';
import { proposalText, proposeIgnores } from '../../../src/verify/compare/propose-ignores.ts';
import { call, cassette, client, notification, server } from '../../support/conversation.ts';
import { type Edit, live } from '../live.ts';

const answer = (...texts: string[]) => ({
  jsonrpc: '2.0',
  id: 1,
  result: { content: texts.map((text) => ({ text })) },
});
const session = cassette(
  client(call(1, 'now')),
  server(notification('message', { data: 'x' })),
  server(answer('12:00', 'same', 'a', 'b')),
);

async function propose(first: Edit, second: Edit, ignore: string[] = []) {
  const runs = [await live(session, first), await live(session, second)] as const;
  return proposeIgnores(runs[0].driven, runs[1].driven, ignore);
}
const says =
  (...texts: string[]): Edit =>
  (said) => [said.id === 1 ? answer(...texts) : said];

describe('proposeIgnores', () => {
  it('proposes what differs between the two runs, and not what differs from the cassette', async () => {
    expect(await propose(says('12:01', 'other'), says('12:02', 'other'))).toEqual([
      {
        pointer: '/result/content/0/text',
        seen: ['tools/call "now" /result/content/0/text ("12:01" → "12:02")'],
      },
    ]);
  });

  it('proposes the whole list where more than two of its elements vary', async () => {
    const [{ pointer, seen } = { pointer: '', seen: [] }, ...rest] = await propose(
      says('1', '2', '3'),
      says('4', '5', '6'),
    );
    expect([pointer, seen.length, rest]).toEqual(['/result/content/*/text', 3, []]);
    expect(await propose(says('1', '2'), says('3', '4'))).toHaveLength(2);
  });

  it('looks at notifications, too', async () => {
    const logs =
      (data: string): Edit =>
      (said) => [said.method ? notification('message', { data }) : said];
    expect(await propose(logs('a'), logs('b'))).toMatchObject([{ pointer: '/params/data' }]);
  });

  it('proposes nothing that is ignored, or volatile anyway', async () => {
    expect(await propose(says('1'), says('2'), ['/result/content/0/text'])).toEqual([]);
    const dated =
      (createdAt: string): Edit =>
      (said) => [said.id === 1 ? { ...answer('x'), result: { createdAt } } : said];
    expect(await propose(dated('a'), dated('b'))).toEqual([]);
  });
});

describe('proposalText', () => {
  it('gives options to copy into a shell, with some of what was seen', () => {
    const lines = proposalText([{ pointer: "/a/it's", seen: ['1', '2', '3', '4', '5'] }]);
    expect(lines.slice(1, -2)).toEqual([
      "  --ignore '/a/it'\\''s'",
      '      1',
      '      2',
      '      3',
      '      and 2 more',
    ]);
  });

  it('says that there is nothing to propose', () => {
    expect(proposalText([])).toEqual(['Two runs of the server say the same: there is nothing to ignore.']);
  });
});

import { describe, expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { proposeIgnores } from '../../../src/verify/propose/propose-ignores.ts';
import { call, cassette, client, notification, request, server } from '../../support/conversation.ts';
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
  return proposeIgnores(runs[0].driven, runs[1].driven, { ignore });
}
const says =
  (...texts: string[]): Edit =>
  (said) => [said.id === 1 ? answer(...texts) : said];

describe('proposeIgnores', () => {
  it('proposes what differs between the two runs, and not what differs from the cassette', async () => {
    expect(await propose(says('x', 'other'), says('y', 'other'))).toEqual([
      {
        patterns: [],
        pointers: ['/result/content/0/text'],
        seen: ['tools/call "now" /result/content/0/text ("x" → "y")'],
        beside: [{ line: 3 }],
      },
    ]);
  });

  it('proposes nothing for a later answer that repeats an id of its run', async () => {
    const said = (id: number, text: string) => ({ ...answer(text), id });
    const order = cassette(
      client(call(1, 'order')),
      server(said(1, 'Order ord_8f3a')),
      client(call(2, 'status', { order: 'ord_8f3a' })),
      server(said(2, 'ord_8f3a: tea')),
    );
    const shop = (id: string) =>
      live(order, ({ id: asked }) => [said(Number(asked), asked === 1 ? `Order ${id}` : `${id}: tea`)]);
    const [first, second] = [await shop('ord_1111'), await shop('ord_2222')];
    const seen = proposeIgnores(first.driven, second.driven).flatMap((proposal) => proposal.seen);
    expect(seen).toEqual(['tools/call "order" /result/content/0/text ("Order ord_1111" → "Order ord_2222")']);
  });

  it('proposes the form of an id beside its answer, first, and that of a time for the session', async () => {
    const note = (id: number, of: string, at: string) => ({
      ...answer(`{"id":"${of}","title":"milk","at":"${at}"}`),
      id,
    });
    const order = cassette(
      client(call(1, 'create')),
      server(note(1, 'note_8f3a', '12:30:01')),
      client(call(2, 'get', { id: 'note_8f3a' })),
      server(note(2, 'note_8f3a', '12:30:01')),
    );
    const notes = (of: string, at: string) => live(order, ({ id }) => [note(Number(id), of, at)]);
    const [first, second] = [await notes('note_1111', '13:00:01'), await notes('note_2222', '13:00:07')];
    expect(proposeIgnores(first.driven, second.driven)).toMatchObject([
      { patterns: ['"id":"note_\\w+'], beside: [{ line: 2, next: 3 }], seen: [expect.stringContaining('"create"')] },
      {
        patterns: ['"at":"[0-2]?\\d:[0-5]\\d:[0-5]\\d'],
        seen: [expect.stringContaining('"create"'), expect.stringContaining('"get"')],
      },
    ]);
  });

  it('proposes the form of an id in structured content, as in a text', async () => {
    const said = (id: string) => ({ ...answer('placed'), result: { structuredContent: { order: id } } });
    const order = cassette(client(call(1, 'order')), server(said('ord_8f3a')));
    const [first, second] = [await live(order, () => [said('ord_1111')]), await live(order, () => [said('ord_2222')])];
    expect(proposeIgnores(first.driven, second.driven)).toMatchObject([
      { patterns: ['ord_\\w+'], pointers: ['/result/structuredContent/order'] },
    ]);
  });

  it('proposes the whole list where more than two of its elements vary', async () => {
    const [{ pointers, seen } = { pointers: [], seen: [] }, ...rest] = await propose(
      says('1', '2', '3'),
      says('4', '5', '6'),
    );
    expect([pointers, seen.length, rest]).toEqual([['/result/content/*/text'], 3, []]);
    expect(await propose(says('1', '2'), says('3', '4'))).toHaveLength(2);
  });

  const days = ['2026-01-01', '2026-02-02', '2026-03-03'].map((day) => `Today is ${day}.`) as [string, string, string];
  it('proposes the form of a date inside a text, once for all places, and then the places', async () => {
    const sessionOfToday = cassette(client(call(1, 'now')), server(answer(days[0], 'x', days[0])));
    const runs = [
      await live(sessionOfToday, says(days[1], 'x', days[1])),
      await live(sessionOfToday, says(days[2], 'x', days[2])),
    ] as const;
    const proposals = proposeIgnores(runs[0].driven, runs[1].driven);
    expect(proposals).toMatchObject([
      {
        patterns: ['Today is \\d{4}-[01]\\d-[0-3]\\d'],
        pointers: ['/result/content/0/text', '/result/content/2/text'],
      },
    ]);
    expect(proposals[0]).not.toHaveProperty('beside');
  });

  it('sees a date that is the same in both runs and another one in the cassette, but no other difference', async () => {
    const sessionOfToday = cassette(client(call(1, 'now')), server(answer(days[0], 'warm')));
    const run = await live(sessionOfToday, says(days[1], 'cold'));
    expect(proposeIgnores(run.driven, run.driven)).toEqual([
      {
        patterns: ['Today is \\d{4}-[01]\\d-[0-3]\\d'],
        pointers: ['/result/content/0/text'],
        seen: [expect.stringContaining('the same in both runs, another one in the cassette')],
      },
    ]);
  });

  it('says if the cassette differs in something else, which the pattern does not hide', async () => {
    const [one] = await propose(says('at 12:01'), says('at 12:02'));
    expect(one).toMatchObject({ seen: [expect.stringContaining('the cassette also differs in something else')] });
  });

  it('has no secret in a proposal', async () => {
    const secretOf = (time: string) => says(`key huntress at ${time}`);
    const runs = [await live(session, secretOf('12:01')), await live(session, secretOf('12:02'))] as const;
    const redaction = {
      redact: (json: JsonText) => new JsonText(json.text.replaceAll('huntress', '[redacted:KEY:1]')),
      advise: () => '',
    };
    const proposals = proposeIgnores(runs[0].driven, runs[1].driven, { redaction });
    expect(proposals).toMatchObject([{ patterns: [], pointers: ['/result/content/0/text'] }]);
    expect(JSON.stringify(proposals)).not.toContain('huntress');
  });

  describe('in a list of two pages', () => {
    const page = (id: number, uris: string[], nextCursor?: string) => ({
      jsonrpc: '2.0',
      id,
      result: {
        resources: uris.map((uri) => ({ uri: `note:///${uri}`, name: 'n' })),
        ...(nextCursor && { nextCursor }),
      },
    });
    const lists = cassette(
      client(request(1, 'resources/list')),
      server(page(1, ['aa11bb22', 'cc33dd44'], 'p2')),
      client(request(2, 'resources/list', { cursor: 'p2' })),
      server(page(2, ['ee55ff66'])),
    );
    const run = async (first: string[], second: string[], session = lists) =>
      (await live(session, ({ id }) => [id === 1 ? page(1, first, 'p2') : page(2, second)])).driven;
    const pattern = expect.stringMatching(/^note:/);

    it('proposes a rule for each page, with the examples of this page and its indexes', async () => {
      const runs = [
        await run(['1a1a1a1a', 'cc33dd44'], ['2b2b2b2b']),
        await run(['3c3c3c3c', 'cc33dd44'], ['4d4d4d4d']),
      ];
      expect(proposeIgnores(runs[0]!, runs[1]!)).toEqual([
        {
          patterns: [pattern],
          pointers: ['/result/resources/0/uri'],
          seen: [expect.stringContaining('1a1a1a1a')],
          beside: [{ line: 2, next: 3 }],
        },
        {
          patterns: [pattern],
          pointers: ['/result/resources/0/uri'],
          seen: [expect.stringContaining('2b2b2b2b')],
          beside: [{ line: 4 }],
        },
      ]);
    });

    it('proposes it for all pages where the live server divides the list anew, and names the rules that are there', async () => {
      const session = { ...lists, events: [...lists.events] };
      session.events[1] = { ...session.events[1]!, match: { ignore: ['/note:\\w+/'] } };
      const runs = [await run(['1a1a1a1a'], ['cc33dd44', '2b2b2b2b'], session)];
      runs.push(await run(['3c3c3c3c'], ['cc33dd44', '4d4d4d4d'], session));
      const places = proposeIgnores(runs[0]!, runs[1]!).flatMap(({ beside = [] }) => beside);
      expect(places).toContainEqual({ line: 2, next: 3, hasMatch: true, rules: ['/note:\\w+/'] });
      expect(places).toContainEqual({ line: 4 });
    });
  });

  it('looks at notifications, too', async () => {
    const logs =
      (data: string): Edit =>
      (said) => [said.method ? notification('message', { data }) : said];
    expect(await propose(logs('a'), logs('b'))).toMatchObject([{ pointers: ['/params/data'] }]);
  });

  it('proposes nothing that is ignored, or volatile anyway', async () => {
    expect(await propose(says('1'), says('2'), ['/result/content/0/text'])).toEqual([]);
    const dated =
      (createdAt: string): Edit =>
      (said) => [said.id === 1 ? { ...answer('x'), result: { createdAt } } : said];
    expect(await propose(dated('a'), dated('b'))).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Ignore } from '../../../src/match/ignore-rules.ts';
import { LiveIds } from '../../../src/verify/compare/inconsistent-server-ids.ts';
import { call, cassette, client, request, server } from '../../support/conversation.ts';
import { live } from '../live.ts';

const answer = (id: number, result: object) => ({ jsonrpc: '2.0', id, result });
const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
const both = (words: string, data: object) => ({ ...text(words), structuredContent: data });

/** A call, its recorded answer, the rules beside this answer, and the live one. */
interface Exchanged {
  args?: object;
  /** The method and params of a request that is no call. */
  asks?: [method: string, params?: object];
  recorded: object;
  live: object;
  rules?: string[];
}

/** What is wrong in the answers of a live server, by their number. */
async function wrong(exchanges: Exchanged[], ignore: Ignore[] = []) {
  const frames = exchanges.flatMap(({ args = {}, asks, recorded }, index) => [
    client(asks ? request(index, asks[0], { ...asks[1] }) : call(index, 'tool', { ...args })),
    server(answer(index, recorded)),
  ]);
  const session = cassette(...frames);
  for (const [index, { rules }] of exchanges.entries()) {
    const at = 2 * index + 1;
    if (rules) session.events[at] = { ...session.events[at]!, match: { ignore: rules } };
  }
  const { driven } = await live(session, ({ id }) => [answer(Number(id), exchanges[Number(id)]!.live)], { ignore });
  const ids = new LiveIds(driven, ignore, undefined);
  return driven.exchanges.flatMap((exchange, index) =>
    ids.wrongIn(exchange).map(({ path, words, isHidden }) => ({ index, path, words, isHidden })),
  );
}

const TEXT = '/result/content/0/text';
const ID = '/result/structuredContent/id';

describe('an id of the cassette', () => {
  const order = (one: string, other = one) => both(`Order ${one}`, { id: other });
  const rules = ['/Order \\S+/', ID];

  it('that a rule leaves out is one live id at all places of its answer', async () => {
    expect(await wrong([{ recorded: order('ord_8f3a'), live: order('ord_1111'), rules }])).toEqual([]);
    expect(await wrong([{ recorded: order('ord_8f3a'), live: order('ord_1111', 'ord_2222'), rules }])).toEqual([
      {
        index: 0,
        path: ID,
        words: `"ord_2222" at ${ID}, and "ord_1111" at ${TEXT}: the cassette has one id at both, "ord_8f3a"`,
        isHidden: true,
      },
    ]);
  });

  it('that one place has as recorded is wrong at the other one', async () => {
    const live = order('ord_1111', 'ord_8f3a');
    const found = await wrong([{ recorded: order('ord_8f3a'), live, rules: rules.slice(0, 1) }]);
    expect(found).toMatchObject([{ path: ID, isHidden: true }]);
  });

  it('that nobody sends back, and that no rule leaves out, is judged by the comparison of values', async () => {
    expect(await wrong([{ recorded: order('ord_8f3a'), live: order('ord_1111', 'ord_2222') }])).toEqual([]);
  });

  it('is one live id in several answers, by rules beside them and of the session', async () => {
    const exchanges = (last: string, own = true): Exchanged[] => [
      { recorded: text('Order ord_8f3a61c0'), live: text('Order ord_1111aaaa'), ...(own && { rules: ['/ord_\\w+/'] }) },
      { recorded: text('Last: ord_8f3a61c0'), live: text(`Last: ${last}`), ...(own && { rules: ['/ord_\\w+/'] }) },
    ];
    expect(await wrong(exchanges('ord_1111aaaa'))).toEqual([]);
    const words = expect.stringMatching(
      /^"ord_2222bbbb" at \S+, and "ord_1111aaaa" at \S+ of tools\/call "tool" \(line 1\): the cassette has one id at both/,
    );
    expect(await wrong(exchanges('ord_2222bbbb'))).toMatchObject([{ index: 1, words, isHidden: true }]);
    expect(await wrong(exchanges('ord_2222bbbb', false), [/ord_\w+/])).toMatchObject([{ index: 1, words }]);
  });

  it('may be equal by chance in two answers, or twice in one text, where it has few forms', async () => {
    const nodes = (one: string, other: string, more = ''): Exchanged[] => [
      { recorded: text('on node-1'), live: text(`on ${one}`), rules: ['/node-\\d/'] },
      {
        recorded: text(`on node-1${more && ', node-1'}`),
        live: text(`on ${other}${more && `, ${more}`}`),
        rules: ['/node-\\d/'],
      },
    ];
    expect(await wrong(nodes('node-2', 'node-3'))).toEqual([]);
    expect(await wrong(nodes('node-2', 'node-3', 'node-4'))).toEqual([]);
  });

  it('may be anything inside an object that is left out', async () => {
    const list = (...ids: string[]) => both(`Top: ${ids[0]}`, { items: ids.map((id) => ({ id })) });
    const recorded = list('doc_8f3a61c0', 'doc_11aa22bb');
    const live = both('Top: doc_99ff88ee', { items: [{ id: 'doc_00aa11bb' }, { id: 'doc_99ff88ee' }] });
    const own = ['/Top: \\S+/', '/result/structuredContent/items'];
    expect(await wrong([{ recorded, live, rules: own }])).toEqual([]);
  });

  it.each([
    ['dates', ['on 2026-11-28, due 2026-11-28', 'on 2026-12-01, due 2026-12-02'], '/\\d{4}-\\d\\d-\\d\\d/'],
    ['times', ['09:00:00 to 09:00:00', '10:00:00 to 10:00:01'], '/\\d\\d:\\d\\d:\\d\\d/'],
    ['durations', ['12345ms of 12345ms', '20000ms of 30000ms'], '/\\d+ms/'],
    ['numbers', ['12345 of 12345', '20000 of 30000'], '/\\d+/'],
  ])('is none of the %s, which are often equal by chance', async (_, [recorded, live], rule) => {
    expect(await wrong([{ recorded: text(recorded!), live: text(live!), rules: [rule] }])).toEqual([]);
  });
});

describe('an id that the client sends back', () => {
  const placed: Exchanged[] = [
    { recorded: text('Order ord_8f3a'), live: text('Order ord_1111'), rules: ['/ord_\\w+/'] },
    { recorded: text('Order ord_91c2'), live: text('Order ord_2222'), rules: ['/ord_\\w+/'] },
  ];
  const status = (live: string, more: Partial<Exchanged> = {}): Exchanged => ({
    args: { id: 'ord_8f3a' },
    recorded: text('ord_8f3a: tea'),
    live: text(live),
    ...more,
  });
  const OTHER = /^this answer has another id than the one that was sent: "ord_2222" at \S+, and not "ord_1111"$/;

  it('is in the answer to it', async () => {
    expect(await wrong([...placed, status('ord_1111: tea')])).toEqual([]);
    expect(await wrong([...placed, status('ord_2222: tea')])).toMatchObject([
      { index: 2, words: expect.stringMatching(OTHER), isHidden: false },
    ]);
    const rules = ['/ord_\\w+/'];
    expect(await wrong([...placed, status('ord_2222: tea', { rules })])).toMatchObject([{ index: 2, isHidden: true }]);
  });

  it('is missed where the text around it has changed, and another one is there', async () => {
    expect(await wrong([...placed, status('found milk (ord_2222)')])).toMatchObject([
      { words: expect.stringMatching(OTHER) },
    ]);
    expect(await wrong([...placed, status('found milk (ord_1111), not ord_2222')])).toEqual([]);
    expect(await wrong([...placed, status('no such order')])).toEqual([]);
  });

  it('is missed where the client made it up', async () => {
    const asked = (live: string): Exchanged[] => [
      { args: { id: 'job-12345' }, recorded: text('job-12345 runs'), live: text(live) },
    ];
    expect(await wrong(asked('job-12345 runs'))).toEqual([]);
    expect(await wrong(asked('JOB-12345 runs'))).toEqual([]);
    expect(await wrong(asked('job-54321 runs'))).toMatchObject([
      { words: expect.stringContaining('"job-54321" at'), isHidden: false },
    ]);
  });

  it('is not the one of another order', async () => {
    const same = [placed[0]!, { ...placed[1]!, live: text('Order ord_1111') }, status('ord_1111: tea')];
    expect(await wrong(same)).toMatchObject([
      {
        index: 1,
        words: expect.stringMatching(
          /^this answer has the id of another one: "ord_1111" at \S+ is also at \S+ of tools\/call "tool" \(line 1\), where the cassette has "ord_8f3a" in place of "ord_91c2"$/,
        ),
      },
    ]);
    const last = { recorded: text('Last: ord_91c2'), live: text('Last: ord_1111') };
    expect(await wrong([placed[0]!, status('ord_1111: tea'), last])).toMatchObject([{ index: 2, isHidden: false }]);
  });
});

describe('two ids of the cassette that are one id', () => {
  const list = (...ids: string[]) => text(JSON.stringify({ notes: ids.map((id) => ({ id })) }));
  const rules = ['/"id":"[\\w-]+/'];
  const get = (id: string, live: string) => ({ args: { id }, recorded: text(`got ${id}`), live: text(`got ${live}`) });

  it('are found in one answer, if the client sends one of them', async () => {
    const listed = { recorded: list('n856747', 'n992038'), live: list('n111111', 'n111111'), rules };
    const found = await wrong([listed, get('n992038', 'n111111')]);
    expect(found).toMatchObject([{ index: 0, words: expect.stringContaining('has the id of another one: "n111111"') }]);
    const right = { ...listed, live: list('n111111', 'n222222') };
    expect(await wrong([right, get('n992038', 'n222222')])).toEqual([]);
  });

  it('are found if the answer with the other one comes first', async () => {
    const exchanges = (first: string) => [
      { recorded: list('n521315'), live: list(first), rules },
      { recorded: list('n992038'), live: list('n111111'), rules },
      get('n992038', 'n111111'),
    ];
    expect(await wrong(exchanges('n111111'))).toMatchObject([{ index: 1 }]);
    expect(await wrong(exchanges('n333333'))).toEqual([]);
  });

  it('are found though the client sends neither, if they are hardly equal by chance', async () => {
    const uuid = (digit: number) => `${`${digit}`.repeat(8)}-aaaa-4aaa-8aaa-${digit}b3f5a7c9e1d`;
    const recorded = list(uuid(1), uuid(2));
    expect(await wrong([{ recorded, live: list(uuid(3), uuid(3)), rules }])).toHaveLength(1);
    expect(await wrong([{ recorded, live: list(uuid(3), uuid(4)), rules }])).toEqual([]);
  });
});

it('names the word that has an id, since redaction knows no part of a secret', async () => {
  const asked = { args: { id: '118833' }, recorded: text('is CUST-2024-118833'), live: text('is CUST-2024-999999') };
  const [found] = await wrong([{ recorded: text('CUST-2024-118833'), live: text('CUST-2024-118833') }, asked]);
  expect(found?.words ?? '').not.toMatch(/"(?:118833|999999)" at/);
});

describe('an id in a list', () => {
  const ids = ['9a1b84a8-c472-4a8f-b8d5-215d7bf05e57', '0c2d84a8-c472-4a8f-b8d5-215d7bf05e58'];
  const lives = ['11aa84a8-c472-4a8f-b8d5-215d7bf05e59', '22bb84a8-c472-4a8f-b8d5-215d7bf05e60'];
  const STRAY = '33cc84a8-c472-4a8f-b8d5-215d7bf05e61';
  const rules = ['/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/'];
  const created = ids.map((id, index) => ({ recorded: text(id), live: text(lives[index]!), rules }));
  const NAMES = ['a', 'b', 'c'];
  const noted = (all: readonly string[], names = NAMES) =>
    all.map((id, index) => ({ uri: `note:///${id}`, name: names[index]! }));
  const page = (resources: object[], nextCursor?: string) => ({ resources, ...(nextCursor && { nextCursor }) });
  const listed = (live: object, more: Partial<Exchanged> = {}): Exchanged => {
    return { asks: ['resources/list'], recorded: page(noted(ids)), live, rules, ...more };
  };
  const stray = expect.stringContaining(`"note:///${STRAY}" at /result/resources/0/uri`);

  it('is the one that another answer returned, also where a rule leaves it out', async () => {
    expect(await wrong([...created, listed(page(noted(lives)))])).toEqual([]);
    const found = await wrong([...created, listed(page(noted([STRAY, lives[1]!])))]);
    expect(found).toMatchObject([{ index: 2, path: '/result/resources/0/uri', words: stray, isHidden: true }]);
    expect(await wrong([...created, listed(page(noted([lives[1]!, lives[0]!])))])).not.toEqual([]);
  });

  it('is the one of a later answer', async () => {
    expect(await wrong([listed(page(noted(lives))), ...created])).toEqual([]);
    expect(await wrong([listed(page(noted([STRAY, lives[1]!]))), ...created])).toMatchObject([{ index: 1 }]);
  });

  it('is the one that the client sends to read the resource', async () => {
    const sent: Exchanged = {
      asks: ['resources/read', { uri: `note:///${ids[0]}` }],
      recorded: { contents: [] },
      live: { contents: [] },
    };
    expect(await wrong([created[0]!, listed(page(noted(lives))), sent])).toEqual([]);
    expect(await wrong([created[0]!, listed(page(noted([STRAY, lives[1]!]))), sent])).toMatchObject([
      { index: 1, words: stray },
    ]);
  });

  it('belongs to the item with its name, though the server lists its items in another order, or more of them', async () => {
    const [a, b] = noted(lives);
    const added = { uri: `note:///${STRAY}`, name: 'new' };
    expect(await wrong([...created, listed(page([b!, a!]))])).toEqual([]);
    expect(await wrong([...created, listed(page([added, a!, b!]))])).toEqual([]);
    expect(await wrong([...created, listed(page([{ ...added, name: 'b' }, a!]))])).toMatchObject([{ words: stray }]);
  });

  it('is followed across the pages of a list, however the server divides it', async () => {
    const pages = (...lives: object[][]): Exchanged[] =>
      lives.map((items, index) => ({
        asks: ['resources/list', index === 0 ? {} : { cursor: 'p2' }],
        recorded: page([noted(ids)[index]!], index === 0 ? 'p2' : undefined),
        live: page(items, index === 0 && lives.length > 1 ? 'p2' : undefined),
        rules,
      }));
    const [a, b] = noted(lives);
    expect(await wrong([...created, ...pages([a!], [b!])])).toEqual([]);
    const [, wrongB] = noted([STRAY, STRAY]);
    expect(await wrong([...created, ...pages([a!], [wrongB!])])).toMatchObject([
      { index: 3, path: '/result/resources/1/uri' },
    ]);
    const [first, second] = pages([a!, b!], []);
    const whole = (items: object[]) => [{ ...first!, live: page(items) }, second!];
    expect(await wrong([...created, ...whole([a!, wrongB!])])).toMatchObject([{ path: '/result/resources/1/uri' }]);
  });

  it.each([
    ['tools/list', 'tools', (id: string) => ({ name: 'get', description: `Gets note ${id}`, inputSchema: {} })],
    ['prompts/list', 'prompts', (id: string) => ({ name: 'get', description: `Gets note ${id}` })],
    ['resources/templates/list', 'resourceTemplates', (id: string) => ({ uriTemplate: `n:${id}/{x}`, name: 'a' })],
    ['skills/list', 'skills', (id: string) => ({ uri: `skill://${id}`, name: 'a' })],
  ])('is followed in %s', async (method, field, item) => {
    const exchange = (id: string): Exchanged => {
      return { asks: [method], recorded: { [field]: [item(ids[0]!)] }, live: { [field]: [item(id)] }, rules };
    };
    expect(await wrong([created[0]!, exchange(lives[0]!)])).toEqual([]);
    expect(await wrong([created[0]!, exchange(STRAY)])).toMatchObject([{ index: 1, isHidden: true }]);
  });
});

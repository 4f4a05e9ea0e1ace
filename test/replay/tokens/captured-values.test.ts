import { describe, expect, it } from 'vitest';
import { correlateEntries } from '../../../src/cassette/correlate/correlate-entries.ts';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import { capturedValues, withCapturesIgnored } from '../../../src/replay/tokens/captured-values.ts';
import { compareSession } from '../../../src/verify/compare/compare-session.ts';
import { call, cassette, client, server } from '../../support/conversation.ts';
import { live } from '../../verify/live.ts';

type Answer = [tool: string, args: object, result: object];

const said = (id: number, result: object) => ({ jsonrpc: '2.0', id, result });
const data = (id: unknown, more: object = {}) => ({ content: [], structuredContent: { id, ...more } });
const both = (id: unknown, words = JSON.stringify({ id })) => ({
  content: [{ type: 'text', text: words }],
  structuredContent: { id },
});
const session = (answers: readonly Answer[]) =>
  cassette(
    ...answers.flatMap(([tool, args, result], id) => [client(call(id, tool, { ...args })), server(said(id, result))]),
  );

const CAPTURE = '/result/structuredContent/id';
const handles = [{ capture: CAPTURE, use: '/params/arguments/id' }];

/** What a live server's answers give, and the ids that the client sent. */
async function verified(answers: readonly Answer[], lives: readonly object[]) {
  const { driven, heard } = await live(session(answers), ({ id }) => [said(Number(id), lives[Number(id)]!)], {
    handles,
  });
  const { steps } = compareSession({ file: 'cassette.yaml', driven });
  const sent = heard.map((one) => (one as { params?: { arguments?: { id?: unknown } } }).params?.arguments?.id);
  return {
    sent: sent.filter((id) => id !== undefined),
    failed: steps.flatMap((s) => (s.status === 'failed' ? s.line : [])),
  };
}

describe('the value at the places of a test', () => {
  const notes: Answer[] = [
    ['create', {}, both(7)],
    ['get', { id: 7 }, both(7)],
  ];

  it('is sent as the live server returned it, and may be any value there', async () => {
    expect(await verified(notes, [both(500), both(500)])).toEqual({ sent: [500], failed: [] });
  });

  it.each([
    ['the structured content of a later answer', [both(500), { ...both(500), structuredContent: { id: 501 } }], 3],
    ['the text of a later answer', [both(500), both(500, '{"id":501}')], 3],
    ['both places of a later answer', [both(500), both(501)], 3],
    ['the text of its own answer', [both(500, '{"id":501}'), both(500)], 1],
  ])('fails where it is another one in %s', async (_, lives, line) => {
    expect((await verified(notes, lives)).failed).toEqual([line]);
  });

  it('is compared in a text word by word, so that an equal count does not hide a change', async () => {
    const counted = (id: number, count: number) => both(id, `note ${id} of ${count} notes`);
    const [first] = notes;
    const answers: Answer[] = [first!, ['get', { id: 7 }, counted(7, 12)]];
    expect((await verified(answers, [both(500), counted(500, 12)])).failed).toEqual([]);
    expect((await verified(answers, [both(500), counted(500, 500)])).failed).toEqual([3]);
    expect((await verified(answers, [both(500), counted(12, 12)])).failed).toEqual([3]);
  });

  it('fails where a rule leaves another one out', async () => {
    const recorded = session(notes);
    recorded.events[3] = { ...recorded.events[3]!, match: { ignore: ['/"id":\\d+/', CAPTURE] } };
    const steps = async (id: number) => {
      const lives = [both(500), both(id)];
      const { driven } = await live(recorded, (one) => [said(Number(one.id), lives[Number(one.id)]!)], { handles });
      return compareSession({ file: 'cassette.yaml', driven }).steps.map(({ status }) => status);
    };
    expect(await steps(500)).toEqual(['passed', 'passed']);
    expect(await steps(501)).toEqual(['passed', 'failed']);
  });

  it('may be a number that is sent as a text, or a word', async () => {
    const asText: Answer[] = [
      ['create', {}, data(7)],
      ['get', { id: '7' }, data(7)],
    ];
    expect(await verified(asText, [data(500), data(500)])).toEqual({ sent: ['500'], failed: [] });
    const words: Answer[] = [
      ['create', {}, data('red')],
      ['get', { id: 'red' }, data('red')],
    ];
    expect(await verified(words, [data('blue'), data('blue')])).toEqual({ sent: ['blue'], failed: [] });
    expect((await verified(words, [data('blue'), data('green')])).failed).toEqual([3]);
  });

  it('is ignored in all answers of a tool that returns such values, also where no request sends one', async () => {
    const two: Answer[] = [['create', {}, data(7)], ['create', { n: 2 }, data(8)], notes[1]!];
    expect((await verified(two, [data(500), data(501), both(500)])).failed).toEqual([]);
  });

  it('is compared in answers of other tools, and where the client sent it first', async () => {
    const other: Answer[] = [...notes, ['count', {}, data(3)]];
    expect((await verified(other, [both(500), both(500), data(4)])).failed).toEqual([5]);
    const own: Answer[] = [
      ['get', { id: 7 }, data(7)],
      ['get', { id: 7 }, data(7)],
    ];
    expect((await verified(own, [data(8), data(7)])).failed).toEqual([1]);
  });
});

describe('several rules', () => {
  const list = (...ids: unknown[]) => ({ content: [], structuredContent: { items: ids.map((id) => ({ id })) } });
  const two: Answer[] = [
    ['list', {}, list('a-1', 'b-2')],
    ['get', { id: 'a-1' }, data(1)],
    ['get', { id: 'b-2' }, data(2)],
    ['get', { id: 'c-3' }, data(3)],
  ];
  const [use, item] = ['/params/arguments/id', '/result/structuredContent/items'];
  const sentWith = async (rules: { capture: string; use: string }[], lives: object[] = [list('x-7', 'y-8')]) => {
    const { heard, driven } = await live(
      session(two),
      (one) => [said(Number(one.id), lives[Number(one.id)] ?? two[Number(one.id)]![2])],
      {
        handles: rules,
      },
    );
    const ids = heard.map((one) => (one as { params?: { arguments?: { id?: unknown } } }).params?.arguments?.id);
    const { notes, steps } = compareSession({ file: 'cassette.yaml', driven });
    return {
      ids: ids.filter((id) => id !== undefined),
      notes: notes.filter((note) => note.startsWith('handles')),
      failed: steps.flatMap((s) => (s.status === 'failed' ? (s.headline ?? '') : [])),
    };
  };

  it('may name one place of a request, since each has values of its own', async () => {
    const rules = [0, 1].map((index) => ({ capture: `${item}/${index}/id`, use }));
    expect(await sentWith(rules)).toEqual({ ids: ['x-7', 'y-8', 'c-3'], notes: [], failed: [] });
    expect(await sentWith([...rules, ...rules])).toEqual({ ids: ['x-7', 'y-8', 'c-3'], notes: [], failed: [] });
  });

  it('with a live value and without one take the live one; a request without any is not sent', async () => {
    const rules = [0, 1].map((index) => ({ capture: `${item}/${index}/id`, use }));
    const { ids, failed } = await sentWith(rules, [list('x-7')]);
    expect(ids).toEqual(['x-7', 'c-3']);
    expect(failed.join()).toContain('has no /result/structuredContent/items/1/id (handles)');
  });

  it('are one rule with an asterisk, for each item of a list', async () => {
    expect(await sentWith([{ capture: `${item}/*/id`, use }])).toEqual({
      ids: ['x-7', 'y-8', 'c-3'],
      notes: [],
      failed: [],
    });
    expect((await sentWith([{ capture: `${item}/*/id`, use: '/params/arguments/*' }])).ids).toEqual([
      'x-7',
      'y-8',
      'c-3',
    ]);
  });

  it.each([
    [`${item}/*/uri`, use, `no answer of the cassette has a text or number at ${item}/*/uri`],
    [item, use, `no answer of the cassette has a text or number at ${item}`],
    [`${item}/*/id`, '/params/id', 'no request of the cassette has a text or number at /params/id'],
    [
      '/result/structuredContent/id',
      use,
      `no request of the cassette sends at ${use} what an earlier answer returned at /result/structuredContent/id`,
    ],
  ])('that replace nothing are noted with the reason: %s, %s', async (capture, to, why) => {
    const { notes } = await sentWith([
      { capture: `${item}/*/id`, use },
      { capture, use: to },
    ]);
    expect(notes).toEqual([expect.stringContaining(`handles[1] replaced nothing: ${why}. `)]);
  });
});

it('an answer with captured values gets rules beside its own', () => {
  const recorded = session([
    ['create', {}, data(7)],
    ['get', { id: 7 }, data(7)],
  ]);
  recorded.events[1] = { ...recorded.events[1]!, match: { ignore: ['/result/x'] } };
  const entries = eventsToEntries(recorded.events);
  const captured = capturedValues(entries, correlateEntries(entries), handles);
  expect(captured.values).toMatchObject([{ recorded: '7', returned: { entry: 1 }, sent: { entry: 2 }, isShort: true }]);
  expect(withCapturesIgnored(entries, captured).map(({ match }) => match?.ignore)).toEqual([
    undefined,
    ['/result/x', CAPTURE],
    undefined,
    undefined,
  ]);
});

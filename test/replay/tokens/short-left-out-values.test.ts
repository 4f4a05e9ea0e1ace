import { expect, it } from 'vitest';
import { correlateEntries } from '../../../src/cassette/correlate/correlate-entries.ts';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import { leftOutReturnedValues } from '../../../src/replay/tokens/short-left-out-values.ts';
import { compareSession } from '../../../src/verify/compare/compare-session.ts';
import { call, cassette, client, request, server } from '../../support/conversation.ts';
import { live } from '../../verify/live.ts';

const said = (id: number, result: object) => ({ jsonrpc: '2.0', id, result });
const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

function pages(recorded: object, args: object, rules: string[], last: object = text('done')) {
  const session = cassette(
    client(call(1, 'list')),
    server(said(1, recorded)),
    client(call(2, 'list', { ...args })),
    server(said(2, last)),
  );
  session.events[1] = { ...session.events[1]!, match: { ignore: rules } };
  return session;
}

const found = (...[recorded, args, rules]: Parameters<typeof pages>) => {
  const entries = eventsToEntries(pages(recorded, args, rules).events);
  return leftOutReturnedValues(entries, correlateEntries(entries), []).map(({ recorded: value }) => value);
};
const POINTER = '/result/structuredContent/id';

it('a short value that a rule leaves out is followed, if it is no word or number by chance', () => {
  const cursor = text('{"next":"c14","of":3}');
  expect(found(cursor, { cursor: 'c14' }, ['/"next":"\\w+/'])).toEqual(['c14']);
  expect(found(cursor, { cursor: 'c14' }, ['/of":\\d+/'])).toEqual([]);
  const id = (value: unknown) => ({ structuredContent: { id: value } });
  expect(found(id('c14'), { cursor: 'c14' }, [POINTER])).toEqual(['c14']);
  expect(found(id('c14'), { cursor: 'c14' }, [])).toEqual([]);
  expect(found(id(7), { cartId: 7, copies: 7 }, [POINTER])).toEqual(['7']);
  expect(found(id('open'), { status: 'open' }, [POINTER])).toEqual([]);
});

it.each([
  ['in JSON in a text', text('{"id":"8682","title":"a"}'), { id: '8682' }, ['/"id":"\\d+/']],
  ['with few digits', text('{"id":"82"}'), { cartId: '82' }, ['/"id":"\\d+/']],
  ['as a number', text('{"id":7}'), { id: 7 }, ['/"id":\\d+/']],
  ['after a word of a text', text('Opened cart 7 for you'), { cart: '7' }, ['/cart \\d+/']],
  [
    'in a text, and in structured content',
    { ...text('Placed 7'), structuredContent: { id: '7' } },
    { id: '7' },
    ['/Placed \\d+/', POINTER],
  ],
])('a short number is followed under the same name %s', (_, recorded, args, rules) => {
  expect(found(recorded, args, rules)).toHaveLength(1);
  expect(found(recorded, { copies: Object.values(args)[0] }, rules)).toEqual([]);
});

it('verify sends a short number under the same name, and fails an answer about another one', async () => {
  const note = (id: string) => text(`{"id":"${id}","title":"a"}`);
  const outcome = async (live2: object, rules: string[] = []) => {
    const session = pages(note('8682'), { id: '8682' }, ['/"id":"\\d+/'], text('found {"id":"8682"}'));
    session.events[3] = { ...session.events[3]!, match: { ignore: rules } };
    const { driven, heard } = await live(session, ({ id }) => [said(Number(id), id === 1 ? note('4711') : live2)]);
    const { steps } = compareSession({ file: 'cassette.yaml', driven });
    return [heard[1], steps.map(({ status }) => status)];
  };
  const sent = expect.objectContaining({ params: { name: 'list', arguments: { id: '4711' } } });
  expect(await outcome(text('found {"id":"4711"}'))).toEqual([sent, ['passed', 'passed']]);
  expect(await outcome(text('found {"id":"4712"}'))).toEqual([sent, ['passed', 'failed']]);
  const rules = ['/"id":"\\d+/'];
  expect(await outcome(text('found {"id":"4711"}'), rules)).toEqual([sent, ['passed', 'passed']]);
  expect(await outcome(text('found {"id":"4712"}'), rules)).toEqual([sent, ['passed', 'failed']]);
});

it('verify sends the live value, and fails an answer about another one', async () => {
  const session = pages(text('{"next":"c14"}'), { cursor: 'c14' }, ['/"next":"\\w+/'], text('Page c14 of 14 items'));
  const outcome = async (second: string) => {
    const { driven, heard } = await live(session, ({ id }) => [
      said(Number(id), text(id === 1 ? '{"next":"c9"}' : second)),
    ]);
    const { steps } = compareSession({ file: 'cassette.yaml', driven });
    return [heard[1], steps.map(({ status }) => status)];
  };
  const sent = expect.objectContaining({ params: { name: 'list', arguments: { cursor: 'c9' } } });
  expect(await outcome('Page c9 of 14 items')).toEqual([sent, ['passed', 'passed']]);
  expect(await outcome('Page c9 of 9 items')).toEqual([sent, ['passed', 'failed']]);
  expect(await outcome('Page c3 of 14 items')).toEqual([sent, ['passed', 'failed']]);
});

it('a text of a list is followed as a whole where a rule leaves out a part of it, and not without a rule', async () => {
  const items = (...ids: string[]) => ({
    resources: ids.map((id, at) => ({ name: `note ${at}`, uri: `notes://${id}` })),
  });
  const contents = (id: string) => ({ contents: [{ uri: `notes://${id}`, text: 'tea' }] });
  const outcome = async (rules: string[], read: string) => {
    const session = cassette(
      client(request(1, 'resources/list')),
      server(said(1, items('n98', 'n41'))),
      client(request(2, 'resources/read', { uri: 'notes://n41' })),
      server(said(2, contents('n41'))),
    );
    session.events[1] = { ...session.events[1]!, match: { ignore: rules } };
    const { driven, heard } = await live(session, ({ id }) => [
      said(Number(id), id === 1 ? items('n2c', 'na7') : contents(read)),
    ]);
    const { steps } = compareSession({ file: 'cassette.yaml', driven });
    return [(heard[1] as { params: { uri: string } }).params.uri, ...steps.map(({ status }) => status)];
  };
  const rule = ['/notes:\\/\\/n\\w+/'];
  expect(await outcome(rule, 'na7')).toEqual(['notes://na7', 'passed', 'passed']);
  expect(await outcome(rule, 'n2c')).toEqual(['notes://na7', 'passed', 'failed']);
  expect(await outcome(['/result/resources/*/uri'], 'na7')).toEqual(['notes://na7', 'passed', 'passed']);
  expect((await outcome([], 'n41'))[0]).toBe('notes://n41');
});

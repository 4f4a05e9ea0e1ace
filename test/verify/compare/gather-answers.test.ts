import { describe, expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { gatherAnswers } from '../../../src/verify/compare/gather-answers.ts';
import { call, cassette, client, request, result, server } from '../../support/conversation.ts';
import { live } from '../live.ts';

const page = (id: number, names: string, nextCursor?: string) => ({
  jsonrpc: '2.0',
  id,
  result: { tools: [...names].map((name) => ({ name })), ...(nextCursor && { nextCursor }) },
});
const list = (id: number, cursor?: string) => request(id, 'tools/list', cursor === undefined ? undefined : { cursor });
const three = cassette(
  client(list(1)),
  server(page(1, 'ab', 'c1')),
  client(list(2, 'c1')),
  server(page(2, 'cd', 'c2')),
  client(list(3, 'c2')),
  server(page(3, 'e')),
  client(call(4, 'x')),
  server(result(4, 'X')),
);
const names = (value: unknown) =>
  (value as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name).join('');

const IGNORE = ['/id', '/result/nextCursor'];

describe('gatherAnswers', () => {
  it('joins the pages of a list, and leaves other answers alone', async () => {
    const { driven } = await live(three);
    const { answers, unanswered } = gatherAnswers(driven, IGNORE);
    expect(answers.map(({ request, exchanges }) => [request.line, exchanges.length])).toEqual([
      [1, 3],
      [7, 1],
    ]);
    expect([names(answers[0]!.recorded), names(answers[0]!.live)]).toEqual(['abcde', 'abcde']);
    expect(unanswered).toEqual([]);
  });

  it('compares whole lists where the live server cuts them into fewer pages', async () => {
    const { driven } = await live(three, (said) => (said.id === 1 ? [page(1, 'abcde')] : [said]));
    const { answers, unanswered } = gatherAnswers(driven, IGNORE);
    expect([names(answers[0]!.recorded), names(answers[0]!.live)]).toEqual(['abcde', 'abcde']);
    expect(answers[0]!.pagesLeft).toBe(2);
    expect(unanswered).toEqual([]);
  });

  it('compares whole lists where it cuts them into more', async () => {
    const { driven } = await live(cassette(client(list(1)), server(page(1, 'abc'))));
    const [first] = driven.exchanges;
    const pages = ['ab', 'c'].map((items) => ({
      ...first!,
      live: new JsonText(JSON.stringify(page(1, items))),
    }));
    const { answers } = gatherAnswers({ ...driven, exchanges: pages }, IGNORE);
    expect(answers.map(({ recorded, live }) => [names(recorded), names(live)])).toEqual([['abc', 'abc']]);
  });

  it('reports a page that was asked for and did not come', async () => {
    const { driven } = await live(three, (said) => (said.id === 3 ? [] : [said]));
    const { answers, unanswered } = gatherAnswers(driven, IGNORE);
    expect(unanswered.map(({ line }) => line)).toEqual([5]);
    expect(names(answers[0]!.live)).toBe('abcd');
  });

  it('keeps a list that is asked for again apart', async () => {
    const twice = cassette(client(list(1)), server(page(1, 'a')), client(list(2)), server(page(2, 'ab')));
    const { answers } = gatherAnswers((await live(twice)).driven, IGNORE);
    expect(answers.map(({ live }) => names(live))).toEqual(['a', 'ab']);
  });

  it('takes an error on the way for the answer', async () => {
    const error = { jsonrpc: '2.0', id: 2, error: { code: -1, message: 'no' } };
    const { driven } = await live(three, (said) => [said.id === 2 ? error : said]);
    expect(gatherAnswers(driven, IGNORE).answers[0]!.live).toMatchObject({ error: { code: -1 } });
  });

  it('compares the last answer about a task, however often the live server had to be asked', async () => {
    const get = (id: string | number) => request(id, 'tasks/get', { taskId: 't' });
    const task = (id: unknown, status: string) => ({ jsonrpc: '2.0', id, result: { taskId: 't', status } });
    const { driven } = await live(cassette(client(get(1)), server(task(1, 'completed'))), ({ id }) => [
      task(id, 'working'),
    ]);
    const [first] = driven.exchanges;
    const polls = ['working', 'completed'].map((status) => ({
      ...first!,
      live: new JsonText(JSON.stringify(task(1, status))),
    }));
    const seen = (exchanges: typeof polls) =>
      gatherAnswers({ ...driven, exchanges }, IGNORE).answers.map(({ live }) => live);
    expect(seen(polls)).toEqual([{ jsonrpc: '2.0', result: { taskId: 't', status: 'completed' } }]);
    expect(seen(polls.slice(0, 1))).toEqual([{ jsonrpc: '2.0', result: { taskId: 't', status: 'working' } }]);
  });
});

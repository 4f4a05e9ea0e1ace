import { describe, expect, it } from 'vitest';
import type { SessionEntry } from '../../../src/cassette/split-batches-into-entries.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { compareAnswer } from '../../../src/verify/compare/compare-answer.ts';
import type { Answer } from '../../../src/verify/compare/gather-answers.ts';
import type { Exchange } from '../../../src/verify/run/server-run-result.ts';
import { call, request } from '../../support/conversation.ts';

const answer = (message: object, recorded: unknown, live: unknown, duration = 5): Answer => ({
  request: { message, line: 7 } as SessionEntry,
  exchanges: [],
  recorded,
  live,
  duration,
  pagesLeft: 0,
});
const tools = (...names: string[]) => ({
  result: { tools: names.map((name) => ({ name, description: name })) },
});

describe('answerStep', () => {
  it('passes an answer that is the recorded one', () => {
    const step = compareAnswer(answer(call(1, 'add'), { result: { a: 1 } }, { result: { a: 1 } }));
    expect(step).toEqual({ title: 'tools/call "add"', line: 7, duration: 5, status: 'passed' });
  });

  it('fails another one, with both for drawing the difference', () => {
    const step = compareAnswer(answer(call(1, 'add'), { result: { a: 1 } }, { result: { a: 2 } }));
    expect(step).toMatchObject({
      status: 'failed',
      headline: '/result/a (1 → 2)',
      recorded: { result: { a: 1 } },
      live: { result: { a: 2 } },
      changes: [],
    });
  });

  it('passes a default of the specification that is spelled out now', () => {
    const step = compareAnswer(answer(call(1, 'add'), { result: { a: 1 } }, { result: { a: 1, isError: false } }));
    expect(step).toMatchObject({ status: 'passed' });
  });

  it('says that an answer was also slow where its values differ', () => {
    const slow = answer(call(1, 'add'), { result: { a: 1 } }, { result: { a: 2 } }, 900);
    const details = ['slow: took 900 ms, and 100 ms are allowed'];
    expect(compareAnswer(slow, { timeMax: 100 })).toMatchObject({ headline: '/result/a (1 → 2)', details });
  });

  it('fails an answer with a wrong id, also where the values are equal', () => {
    const wrong = (isHidden: boolean) => [{ path: '/result/a', words: 'another id', isHidden }];
    const same = answer(call(1, 'add'), { result: { a: 1 } }, { result: { a: 1 } });
    expect(compareAnswer(same, { wrong: wrong(true) })).toMatchObject({ status: 'failed', headline: 'another id' });
    const other = answer(call(1, 'add'), { result: { a: 1 } }, { result: { a: 2 } });
    const step = compareAnswer(other, { wrong: wrong(false) });
    expect(step).toMatchObject({ headline: '/result/a (1 → 2)', details: ['another id'] });
    expect(step).not.toHaveProperty('isMoreThanValues');
    expect(compareAnswer(other, { wrong: wrong(true) })).toMatchObject({ isMoreThanValues: true });
  });

  it('fails an answer that came when the client had given up, unless the client has cancelled the call', () => {
    const said = answer(call(1, 'slow'), { result: {} }, { result: {} }, 1_500);
    const exchanges: Exchange[] = [
      { request: said.request, recorded: undefined, live: new JsonText('{}'), duration: 1_500, isLate: true },
    ];
    const headline = 'hung: it came after 1500 ms, when the client had given up';
    expect(compareAnswer({ ...said, exchanges })).toMatchObject({ status: 'failed', headline });
    expect(compareAnswer({ ...said, exchanges }, { isCancelled: true })).toMatchObject({ status: 'passed' });
  });

  it('fails a result under a status that clients take for a failure, where the cassette has no HTTP', () => {
    const said = answer(call(1, 'slow'), { result: {} }, { result: {} });
    const recorded = { frame: { kind: 'message', at: 0, from: 'server' } } as SessionEntry;
    const step = (status: number, live: string) =>
      compareAnswer({
        ...said,
        exchanges: [{ request: said.request, recorded, live: new JsonText(live), duration: 0, status }],
      });
    for (const status of [202, 404, 500])
      expect(step(status, '{"result":{}}')).toMatchObject({
        status: 'failed',
        headline: `HTTP status ${status}, under which clients read no result`,
      });
    expect(step(200, '{"result":{}}')).toMatchObject({ status: 'passed' });
    expect(step(400, '{"error":{}}')).toMatchObject({ status: 'passed' });
  });

  it('does not compare that a cancelled call is answered, where the recorded stream ended without an answer', () => {
    const ended = { frame: { kind: 'close', at: 0, from: 'server', stream: 1 } } as SessionEntry;
    const said = answer(call(1, 'slow'), undefined, { result: {} });
    const exchanges = [{ request: said.request, recorded: ended, live: new JsonText('{}'), duration: 0 }];
    expect(compareAnswer({ ...said, exchanges })).toMatchObject({ status: 'failed' });
    const step = compareAnswer({ ...said, exchanges }, { isCancelled: true });
    expect(step).toMatchObject({ status: 'skipped', headline: 'was cancelled in the cassette' });
  });

  it('leads with the worst of the changes of a list', () => {
    const [recorded, live] = [tools('a'), tools('a', 'c')];
    Object.assign(live.result.tools[0]!, { execution: 'other' });
    Object.assign(recorded.result.tools[0]!, { execution: 'one' });
    const step = compareAnswer(answer(request(1, 'tools/list'), recorded, live));
    expect(step.headline).toBe('breaking: tool "a": execution changed (and 1 more compatible)');
    expect(step.changes!.map(({ severity }) => severity)).toEqual(['breaking', 'compatible']);
  });

  it('names a difference without a severity beside a compatible change', () => {
    const of = (name: string, note: string) => ({ result: { ...tools('a', name).result, note } });
    const headline = (note: string) => {
      const recorded = { result: { ...tools('a').result, note: 'x' } };
      return compareAnswer(answer(request(1, 'tools/list'), recorded, of('c', note))).headline;
    };
    expect(headline('x')).toBe('compatible: new tool "c"');
    expect(headline('y')).toBe('compatible: new tool "c"; another difference has no severity');
  });

  it('judges how a server opens', () => {
    const [recorded, live] = [{ result: { capabilities: { tools: {} } } }, { result: { capabilities: {} } }];
    for (const method of ['initialize', 'server/discover']) {
      expect(compareAnswer(answer(request(1, method), recorded, live)).headline).toBe(
        'breaking: capability "tools" was lost',
      );
    }
  });

  it('says it in other words where the list has become an error', () => {
    const error = { error: { code: -32601, message: 'gone' } };
    expect(compareAnswer(answer(request(1, 'tools/list'), tools('a'), error)).headline).toBe(
      'error -32601 "gone" instead of a result',
    );
  });

  it('passes an answer at the limit, and fails a slower one', () => {
    const same = { result: {} };
    expect(compareAnswer(answer(call(1, 'add'), same, same, 10), { timeMax: 10 }).status).toBe('passed');
    expect(compareAnswer(answer(call(1, 'add'), same, same, 10.6), { timeMax: 10 })).toMatchObject({
      status: 'failed',
      headline: 'slow: took 11 ms, and 10 ms are allowed',
    });
  });

  it('skips what was not answered in the cassette', () => {
    expect(compareAnswer(answer(call(1, 'add'), undefined, {})).status).toBe('skipped');
  });
});

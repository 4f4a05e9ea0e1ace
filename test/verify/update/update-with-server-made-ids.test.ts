import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import type { Ignore } from '../../../src/match/ignore-rules.ts';
import { failedSteps } from '../../../src/text-report/outcome-model.ts';
import { compareSession } from '../../../src/verify/compare/compare-session.ts';
import { passUpdatedSteps, updatableLines } from '../../../src/verify/update/pass-updated-steps.ts';
import { updateCassette } from '../../../src/verify/update/update-cassette.ts';
import { type LiveOptions, live, type Said } from '../live.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-update-ids-'));
  file = join(folder, 'cassette.yaml');
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = () => readFileSync(file, 'utf8');

interface Exchanged {
  call: object;
  result: object;
  /** Ignore rules beside the answer. */
  rules?: readonly string[];
}

/** Returns a cassette of calls with the lines that an update writes. */
const tapeOf = (calls: readonly Exchanged[]) =>
  [
    'format: mcp-record/1',
    'transport: stdio',
    'events:',
    ...calls.flatMap(({ call, result, rules }, index) => [
      `- client: ${JSON.stringify({ jsonrpc: '2.0', id: index + 1, method: 'tools/call', params: call })}`,
      `- server: ${JSON.stringify({ jsonrpc: '2.0', id: index + 1, result })}`,
      ...(rules ? [`  match: ${JSON.stringify({ ignore: rules })}`] : []),
    ]),
    '',
  ].join('\n');

const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

/** Answers a request by its id and the arguments that came. */
type Answers = (id: number, recorded: Said) => object | undefined;

interface RunOptions extends Pick<LiveOptions, 'handles'> {
  ignore?: readonly Ignore[];
}

/** Plays the cassette to a server. */
async function play(answers: Answers, options: RunOptions = {}) {
  const cassette = loadCassette(file);
  const { driven } = await live(
    cassette,
    (said) => {
      const result = said.id === undefined ? undefined : answers(Number(said.id), said);
      return [result === undefined ? said : { jsonrpc: '2.0', id: said.id, result }];
    },
    options,
  );
  const { ignore = [] } = options;
  return { cassette, driven, ignore, outcome: compareSession({ file, driven, ignore }) };
}

/** Updates the cassette as the command does: titles of the steps that were taken over, and those that still fail. */
async function update(answers: Answers, options: RunOptions = {}) {
  const { outcome, ...played } = await play(answers, options);
  const update = updateCassette({ ...played, only: updatableLines(outcome) });
  const { steps, notes } = passUpdatedSteps(outcome, update);
  const linesOf = (isWanted: (step: (typeof steps)[number]) => boolean) =>
    steps.filter(isWanted).map(({ line }) => line);
  const taken = linesOf(({ isTakenOver = false }) => isTakenOver);
  return { count: update.count, taken, left: linesOf(({ status }) => status === 'failed'), notes };
}

const failures = async (answers: Answers, options: RunOptions = {}) =>
  failedSteps((await play(answers, options)).outcome).map(({ title, headline }) => `${title}: ${headline}`);

/** Expects that the events have these results, and that all other lines are as before. */
function expectResults(before: string, results: Readonly<Record<number, object>>): void {
  const now = loadCassette(file).events.map(({ frame }) => (frame.kind === 'message' ? frame.json.value : frame));
  writeFileSync(file, before);
  const old = loadCassette(file).events.map(({ frame }) => (frame.kind === 'message' ? frame.json.value : frame));
  for (const [event, result] of Object.entries(results))
    old[Number(event)] = { jsonrpc: '2.0', id: (Number(event) + 1) / 2, result };
  expect(now).toEqual(old);
}

describe('an update of a cassette with ids that the server makes up', () => {
  const orders = (rules?: string[]) =>
    tapeOf([
      { call: { name: 'order' }, result: text('Order ord_8f3a61c0 is placed.'), ...(rules && { rules }) },
      { call: { name: 'status', arguments: { order: 'ord_8f3a61c0' } }, result: text('ord_8f3a61c0: tea') },
      { call: { name: 'cancel', arguments: { order: 'ord_8f3a61c0' } }, result: text('ord_8f3a61c0 is cancelled.') },
    ]);
  const server =
    (id: string, drink: string): Answers =>
    (call) =>
      text([`Order ${id} is placed.`, `${id}: ${drink}`, `${id} is cancelled.`][call - 1]!);

  it('writes recorded ids, and nothing that passed', async () => {
    const before = orders(['/ord_\\w+/']);
    writeFileSync(file, before);
    expect(await update(server('ord_52ffd6c8', 'coffee'))).toMatchObject({ count: 1, taken: [7], left: [] });
    const after = read();
    expectResults(before, { 3: text('ord_8f3a61c0: coffee') });
    writeFileSync(file, after);
    expect(await failures(server('ord_0a0b0c0d', 'coffee'))).toEqual([]);
    expect(await failures(server('ord_0a0b0c0d', 'tea'))).toEqual([expect.stringContaining('"status"')]);
  });

  it('writes them where only the new answer has them', async () => {
    const before = orders(['/ord_\\w+/']);
    writeFileSync(file, before);
    const chatty =
      (id: string): Answers =>
      (call) =>
        call === 2
          ? { ...text('coffee'), structuredContent: { of: id, link: `/orders/${id}` } }
          : server(id, '')(call, {});
    expect(await update(chatty('ord_52ffd6c8'))).toMatchObject({ count: 1, left: [] });
    const after = read();
    expectResults(before, {
      3: { ...text('coffee'), structuredContent: { of: 'ord_8f3a61c0', link: '/orders/ord_8f3a61c0' } },
    });
    writeFileSync(file, after);
    expect(await failures(chatty('ord_0a0b0c0d'))).toEqual([]);
  });

  it('leaves an answer that differs in the id alone, and says what to do', async () => {
    const before = orders();
    writeFileSync(file, before);
    const { notes, ...updated } = await update(server('ord_52ffd6c8', 'coffee'));
    expect(updated).toEqual({ count: 1, taken: [6], left: [4] });
    expect(notes).toContainEqual(
      expect.stringMatching(/^"ord_52ffd6c8" in the answer to tools\/call "order" .* an update keeps that\. Ignore/),
    );
    expectResults(before, { 3: text('ord_8f3a61c0: coffee') });
  });

  it('writes nothing where all must be written and one cannot', async () => {
    const list = tapeOf([
      { call: { name: 'add' }, result: { structuredContent: { id: A } }, rules: ['/result/structuredContent/id'] },
      { call: { name: 'list' }, result: { structuredContent: { ids: [A] } } },
      { call: { name: 'count' }, result: text('one') },
    ]);
    writeFileSync(file, list);
    const answers: Answers = (call) =>
      [{ structuredContent: { id: X } }, { structuredContent: { ids: [X] } }, text('two')][call - 1]!;
    const { outcome, ...played } = await play(answers);
    const only = updatableLines(outcome);
    expect([...only]).toEqual([7, 9]);
    expect(updateCassette({ ...played, only, areAll: true })).toMatchObject({ count: 0, lines: new Set() });
    expect(read()).toBe(list);
    expect(await update(answers)).toMatchObject({ count: 1, taken: [9], left: [7] });
  });

  const [A, B] = ['a416b297-2c7e-4d15-9c00-6a5b4c3d2e1f', 'e1620b04-91aa-4b6e-8f21-0d1c2b3a4958'];
  const [X, Y, Z] = [
    '0c9d8e7f-6a5b-4c3d-9e1f-a0b1c2d3e4f5',
    '7f6e5d4c-3b2a-4918-8071-62534a4b3c2d',
    '5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b2c1d',
  ];
  const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

  it('keeps ids that a rule names, also those that no later call sends', async () => {
    const note = (id: string, title: string) => ({
      content: [{ type: 'text', text: JSON.stringify({ id, title }) }],
      structuredContent: { id, title },
    });
    const list = (...ids: string[]) => ({ structuredContent: { notes: ids.map((id) => ({ id })) } });
    const before = tapeOf([
      { call: { name: 'add', arguments: { title: 'one' } }, result: note(A, 'one'), rules: [`/${UUID}/`] },
      { call: { name: 'add', arguments: { title: 'two' } }, result: note(B, 'two'), rules: [`/${UUID}/`] },
      { call: { name: 'get', arguments: { id: A } }, result: note(A, 'one') },
      { call: { name: 'list' }, result: list(A, B), rules: ['/result/structuredContent/notes/*/id'] },
    ]);
    writeFileSync(file, before);
    const answers =
      ([x, y, z]: readonly string[]): Answers =>
      (call) =>
        [note(x!, 'one!'), note(y!, 'two'), note(x!, 'one!'), list(x!, y!, z!)][call - 1]!;
    expect(await update(answers([X, Y, Z]))).toMatchObject({ count: 3, taken: [4, 10, 12], left: [] });
    const after = read();
    expectResults(before, { 1: note(A, 'one!'), 5: note(A, 'one!'), 7: list(A, B, Z) });
    writeFileSync(file, after);
    expect(await failures(answers([Z, X, Y]))).toEqual([]);
  });

  it('keeps ids that a test names, short ones and numbers', async () => {
    const before = tapeOf([
      { call: { name: 'open' }, result: { structuredContent: { cart: 7, size: 1 } } },
      { call: { name: 'read', arguments: { cart: 7 } }, result: { structuredContent: { cart: 7, items: 7, size: 1 } } },
    ]);
    writeFileSync(file, before);
    const handles = [{ capture: '/result/structuredContent/cart', use: '/params/arguments/cart' }];
    const answers =
      (cart: number): Answers =>
      (call) => ({ structuredContent: call === 1 ? { cart, size: 2 } : { cart, items: 7, size: 2 } });
    expect(await update(answers(9), { handles })).toMatchObject({ count: 2, left: [] });
    const after = read();
    expectResults(before, {
      1: { structuredContent: { cart: 7, size: 2 } },
      3: { structuredContent: { cart: 7, items: 7, size: 2 } },
    });
    writeFileSync(file, after);
    expect(await failures(answers(8), { handles })).toEqual([]);
  });

  it('keeps what an expression for the session names', async () => {
    const before = tapeOf([{ call: { name: 'now' }, result: text('tea at 2026-11-28') }]);
    writeFileSync(file, before);
    const ignore = [/\d{4}-\d\d-\d\d/];
    expect(await update(() => text('coffee at 2026-11-29'), { ignore })).toMatchObject({ count: 1 });
    expectResults(before, { 1: text('coffee at 2026-11-28') });
  });

  it('writes a notification with the recorded id, and passes one that differs in the id alone', async () => {
    const [order, status] = orders(['/ord_\\w+/']).split(/(?=- client: .*"status")/);
    const told = (data: string) => ({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data },
    });
    const [call, ...rest] = status!.split('\n');
    const before = [order!.trimEnd(), call, `- server: ${JSON.stringify(told('ord_8f3a61c0 is ready'))}`, ...rest].join(
      '\n',
    );
    writeFileSync(file, before);
    const tell = async (id: string, words: string) => {
      const cassette = loadCassette(file);
      const { driven } = await live(cassette, (said) => [
        said.method
          ? told(`${id} ${words}`)
          : { jsonrpc: '2.0', id: said.id, result: server(id, 'tea')(Number(said.id), said) },
      ]);
      return { cassette, driven, outcome: compareSession({ file, driven }) };
    };
    expect(failedSteps((await tell('ord_52ffd6c8', 'is ready')).outcome)).toEqual([]);
    const { outcome, ...played } = await tell('ord_52ffd6c8', 'is late');
    expect(updateCassette({ ...played, only: updatableLines(outcome) }).count).toBe(1);
    expect(read()).toContain('ord_8f3a61c0 is late');
    expect(failedSteps((await tell('ord_0a0b0c0d', 'is late')).outcome)).toEqual([]);
  });
});

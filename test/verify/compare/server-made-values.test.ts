import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { compareSession } from '../../../src/verify/compare/compare-session.ts';
import { liveRedaction } from '../../../src/verify/compare/equal-placeholders.ts';
import {
  mixedTaskSteps,
  type ReplacedValue,
  replacedBefore,
  replacedValueNotes,
  replacedValueNotesOfAnyRun,
  replacedValues,
  staleValueNotes,
  withRecordedValues,
} from '../../../src/verify/compare/server-made-values.ts';
import { call, cassette, client, request, server } from '../../support/conversation.ts';
import { live } from '../live.ts';

const said = (id: number, text: string) => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
const order = cassette(
  client(call(1, 'order')),
  server(said(1, 'Order ord_8f3a')),
  client(call(2, 'status', { order: 'ord_8f3a' })),
  server(said(2, 'ord_8f3a: tea')),
);

const run = async (id: string) => {
  const { driven } = await live(order, ({ id: asked }) => [
    said(Number(asked), asked === 1 ? `Order ${id}` : `${id}: tea`),
  ]);
  return driven;
};

describe('a value that a live server made up anew', () => {
  it('is known with the answer that returned it and the request that sent it, and noted', async () => {
    const driven = await run('ord_1111');
    expect(replacedValues(driven)).toMatchObject([{ recorded: 'ord_8f3a', live: 'ord_1111' }]);
    expect(replacedValueNotes(driven)).toEqual([
      expect.stringMatching(
        /^tools\/call "order" .* returned "ord_1111" in place of "ord_8f3a": sent so at \/params\/arguments\/order of tools\/call "status" /,
      ),
    ]);
    // In one of many sessions, the note is the same in all.
    const ofAny = replacedValueNotesOfAnyRun(driven);
    expect(ofAny).toEqual(replacedValueNotesOfAnyRun(await run('ord_2222')));
    expect(ofAny).toEqual([
      expect.stringMatching(
        /^tools\/call "order" .* returned a new value in each session in place of "ord_8f3a": sent so at \/params\/arguments\/order of tools\/call "status" \(line \d+\)\.$/,
      ),
    ]);
    const [value] = replacedValues(driven);
    const [first, second] = [driven.plan.entries[0]!, driven.plan.entries[2]!];
    expect([replacedBefore(first, [value!]), replacedBefore(second, [value!])]).toEqual([[], [value]]);
  });

  it('is noted once where a part of it looks like an id, too, and an answer may repeat the part', async () => {
    const session = cassette(
      client(call(1, 'open')),
      server({ jsonrpc: '2.0', id: 1, result: { structuredContent: { session: 'sess-he2b49ct' } } }),
      client(call(2, 'close', { session: 'sess-he2b49ct' })),
      server(said(2, 'closed he2b49ct')),
    );
    const { driven } = await live(session, ({ id }) => [
      id === 1
        ? { jsonrpc: '2.0', id, result: { structuredContent: { session: 'sess-k31fz0aa' } } }
        : said(Number(id), 'closed k31fz0aa'),
    ]);
    expect(replacedValueNotes(driven)).toEqual([
      expect.stringContaining('"sess-k31fz0aa" in place of "sess-he2b49ct"'),
    ]);
    expect(withRecordedValues('closed he2b49ct', 'closed k31fz0aa', replacedValues(driven))).toBe('closed he2b49ct');
  });

  it('that is the recorded one is none', async () => {
    expect(replacedValues(await run('ord_8f3a'))).toEqual([]);
  });
});

describe('an id beside a redacted secret', () => {
  const RECORDED = '0a0b0c0d-1111-2222-3333-444455556666';
  const LIVE = 'ffffffff-1111-4222-8333-444455556666';
  const TOKEN = `ghp_${'1a2B3c4D5e6F7g8H9i0J1k2L3m4N5o6P7q8R'}`;
  const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

  /** Plays a call that returns an id with a secret, and one that sends the id. */
  const played = async (
    [recorded, answered]: [object, object],
    { rules = true, answer = 'alpha', beside = true } = {},
  ) => {
    const redactor = createRedactor({ env: {}, rules: rules ? [{ pattern: /nk-prod-\w+/, name: 'NOTES_KEY' }] : [] });
    const redaction = liveRedaction(redactor, {}, () => 'Give the rule.', { env: {} });
    const session = cassette(
      client(call(1, 'open')),
      server({ jsonrpc: '2.0', id: 1, result: recorded }),
      client(call(2, 'read', { session: RECORDED })),
      server(said(2, `session ${RECORDED}: alpha`)),
    );
    if (beside) session.events[1] = { ...session.events[1]!, match: { ignore: [`/${UUID}/`] } };
    const edit = ({ id }: { id?: string | number }) => [
      id === 1 ? { jsonrpc: '2.0', id, result: answered } : said(Number(id), `session ${LIVE}: ${answer}`),
    ];
    const { driven, heard } = await live(session, edit, { redaction });
    const { steps, notes } = compareSession({
      file: 'a.yaml',
      driven,
      redaction,
      ignore: beside ? [] : [new RegExp(UUID)],
    });
    const [, sent] = heard.filter((said) => (said as { method?: string }).method === 'tools/call');
    const { session: id } = (sent as { params: { arguments: { session: string } } }).params.arguments;
    const failed = steps.flatMap(({ title, status, headline }) =>
      status === 'failed' ? [`${title}: ${headline}`] : [],
    );
    return { id, driven, notes, failed };
  };
  const texts = (text: (id: string, secret: string) => string, name = 'NOTES_KEY', secret = 'nk-prod-9Qz7Lw2Xy81') =>
    [said(0, text(RECORDED, `[redacted:${name}:1]`)).result, said(0, text(LIVE, secret)).result] as [object, object];
  const data = (member: (id: string, secret: string) => object) =>
    [
      { content: [], structuredContent: member(RECORDED, '[redacted:NOTES_KEY:1]') },
      { content: [], structuredContent: member(LIVE, 'nk-prod-9Qz7Lw2Xy81') },
    ] as [object, object];

  it.each<[string, [object, object]]>([
    ['after it', texts((id, key) => `opened session ${id} with key ${key} for tenant blue`)],
    ['before it', texts((id, key) => `key ${key} opens session ${id}.`)],
    ['on another line', texts((id, key) => `session: ${id}\ntenant: blue\nkey ${key}\n`)],
    ['beside it, found by its form', texts((id, token) => `Use ${token} in ${id}, please`, 'github-token', TOKEN)],
    ['beside it, with its number', texts((id, key) => `${key} ${id}`).map(reNumbered) as [object, object]],
    ['in structured content', data((id, key) => ({ id, key }))],
    ['in a text of structured content', data((id, key) => ({ hint: `${key} in ${id}` }))],
    ['in JSON in a text', texts((id, key) => JSON.stringify({ note: `use ${key}`, id }))],
  ])('%s is sent as the live server returned it', async (_, answers) => {
    expect(await played(answers)).toMatchObject({ id: LIVE, failed: [] });
    expect(await played(answers, { beside: false })).toMatchObject({ id: LIVE, failed: [] });
    expect(await played(answers, { answer: 'beta' })).toMatchObject({
      id: LIVE,
      failed: [expect.stringContaining('"read": /result/content/0/text')],
    });
  });

  it('is sent as recorded, with a note, where the text around it has changed, or a rule was not given', async () => {
    const changed: [object, object] = [said(0, `session ${RECORDED}`).result, said(0, `none, but ${LIVE}`).result];
    const { id, driven, notes } = await played(changed);
    expect(id).toBe(RECORDED);
    const note = expect.stringMatching(
      `^"${RECORDED}" was sent as recorded at /params/arguments/session of tools/call "read" \\(line \\d+\\), because the text around it has changed in the answer to tools/call "open" \\(line \\d+\\)\\.$`,
    );
    expect(staleValueNotes(driven)).toEqual([note]);
    expect(notes).toContainEqual(note);

    const [recorded, answered] = texts((id, key) => `${key} ${id}.`);
    expect((await played([recorded, answered], { rules: false })).notes).toContainEqual(note);
    expect(staleValueNotes((await played([recorded, answered])).driven)).toEqual([]);
    expect(staleValueNotes((await played([recorded, said(0, `none. Was ${RECORDED}`).result])).driven)).toEqual([]);
  });

  function reNumbered(answer: object): object {
    return JSON.parse(JSON.stringify(answer).replace(':1]', ':12]'));
  }
});

describe('an answer that repeats it', () => {
  const replaced = [
    { recorded: 'ord_8f3a', live: 'ord_1111' },
    { recorded: '4711001', live: '5000002' },
  ] as unknown as ReplacedValue[];
  const recorded = { list: ['id ord_8f3a', 'x'], ticket: 4_711_001, other: 4_711_001 };

  it('has the recorded value there', () => {
    const answer = { list: ['id ord_1111', 'x'], ticket: 5_000_002, other: 7 };
    expect(withRecordedValues(recorded, answer, replaced)).toEqual({ ...recorded, other: 7 });
  });

  it('keeps another value, and the live one where the recorded answer has something else', () => {
    const answer = { list: ['id ord_9999', 'ord_1111'], ticket: '5000002', new: 'ord_1111' };
    expect(withRecordedValues(recorded, answer, replaced)).toEqual(answer);
    expect(withRecordedValues(recorded, answer, [])).toBe(answer);
  });
});

describe('the task of an answer', () => {
  const created = (id: number, taskId: string) => ({
    jsonrpc: '2.0',
    id,
    result: { task: { taskId, status: 'working' } },
  });
  const got = (id: number, taskId: string) => ({ jsonrpc: '2.0', id, result: { taskId, status: 'completed' } });
  const returned = (id: number, taskId: string) => ({
    jsonrpc: '2.0',
    id,
    result: { content: [], _meta: { 'io.modelcontextprotocol/related-task': { taskId } } },
  });
  const two = cassette(
    client(call(1, 'a')),
    server(created(1, 'one')),
    client(call(2, 'b')),
    server(created(2, 'two')),
    client(request(3, 'tasks/get', { taskId: 'one' })),
    server(got(3, 'one')),
    client(request(4, 'tasks/result', { taskId: 'one' })),
    server(returned(4, 'one')),
  );
  const steps = async (...answers: object[]) =>
    mixedTaskSteps((await live(two, ({ id }) => [answers[Number(id) - 1]])).driven).map(
      ({ line, headline }) => `${line}: ${headline}`,
    );

  it('is the one that was asked for, with an id of this run', async () => {
    expect(await steps(created(1, 'x'), created(2, 'y'), got(3, 'x'), returned(4, 'x'))).toEqual([]);
  });

  it('fails if it is another one', async () => {
    expect(await steps(created(1, 'x'), created(2, 'y'), got(3, 'y'), returned(4, 'z'))).toEqual([
      '5: is about task "y", not "x"',
      '7: is about task "z", not "x"',
    ]);
  });

  it('fails if two calls have the same', async () => {
    expect(await steps(created(1, 'x'), created(2, 'x'), got(3, 'x'), returned(4, 'x'))).toEqual([
      '3: "x" is the id of another task',
    ]);
  });
});

describe('a redacted token that the server makes up and the client sends back', () => {
  const [PLACEHOLDER, LIVE, OTHER] = [
    '[redacted:github-token:1]',
    `ghp_${'aB3dE5gH7jK9'.repeat(3)}`,
    `ghp_${'zY8xW6vU4tS2'.repeat(3)}`,
  ];
  const session = cassette(
    client(call(1, 'login')),
    server(said(1, `Your token is ${PLACEHOLDER}.`)),
    client(call(2, 'who', { token: PLACEHOLDER })),
    server(said(2, `${PLACEHOLDER}: ada`)),
  );
  const verified = async (last: string) => {
    const redaction = liveRedaction(createRedactor({ env: {} }), {}, () => 'Give the rule.', { env: {} });
    const edit = ({ id }: { id?: string | number }) => [said(Number(id), id === 1 ? `Your token is ${LIVE}.` : last)];
    const { driven, heard } = await live(session, edit, { redaction });
    return { heard, ...compareSession({ file: 'a.yaml', driven, redaction }) };
  };

  it('is sent as the live one, equals its placeholder everywhere, and is noted without its value', async () => {
    const { heard, steps, notes } = await verified(`${LIVE}: ada`);
    expect(heard).toContainEqual(call(2, 'who', { token: LIVE }));
    expect(steps.map(({ status }) => status)).toEqual(['passed', 'passed']);
    expect(notes).toEqual([
      expect.stringMatching(/^tools\/call "login" .* returned the live value of \[redacted:github-token:1\]: sent at /),
    ]);
    expect(notes.join()).not.toContain(LIVE);
  });

  it.each([`${OTHER}: ada`, `${LIVE}: bob`])('does not hide another answer: %s', async (last) => {
    const { steps } = await verified(last);
    expect(steps.map(({ status }) => status)).toEqual(['passed', 'failed']);
  });
});

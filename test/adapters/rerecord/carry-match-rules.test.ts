import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { carryMatchRules } from '../../../src/adapters/rerecord/carry-match-rules.ts';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();
const HEAD = 'format: mcp-record/1\nrecorder: mcp-record/0.1.0\ntransport: stdio\nevents:\n';
let files = 0;

/** A call with its answer, each with what stands beside it. */
interface Call {
  query: unknown;
  beside?: string;
  besideAnswer?: string;
  method?: string;
  answer?: string;
}

/** Writes a recording of calls, in the layout of the recorder. */
function recording(calls: readonly Call[], head = HEAD): string {
  const file = join(folder, `${files++}.yaml`);
  const events = calls.map(({ query, beside, besideAnswer, method = 'tools/call', answer = 'rain' }, n) => {
    const more = (text?: string) => (text === undefined ? '' : `  match: ${text}\n`);
    const call = `- client:\n    jsonrpc: "2.0"\n    id: ${n}\n    method: ${method}\n    params: { name: search, arguments: { query: ${JSON.stringify(query)} } }\n`;
    const reply = `- server:\n    jsonrpc: "2.0"\n    id: ${n}\n    result: { content: [{ type: text, text: "${answer}" }] }\n  after: 5\n`;
    return call + more(beside) + reply + more(besideAnswer);
  });
  writeFileSync(file, `${head}${events.join('')}- end: complete\n`);
  return file;
}

/** Carries rules over. Returns the rules of each event of the recording, its text, and the notes. */
function carried(former: readonly Call[] | string, now: readonly Call[], ignore?: string[]) {
  const file = typeof former === 'string' ? former : recording(former);
  const made = recording(now);
  const notes = carryMatchRules({ file, recording: made, ignore });
  const { events } = loadCassette(made);
  return {
    file,
    calls: events.flatMap(({ match }, n) => (n % 2 === 0 ? [match] : [])),
    answers: events.flatMap(({ match }, n) => (n % 2 === 1 ? [match] : [])),
    text: readFileSync(made, 'utf8'),
    notes: notes.map((note) => note.replaceAll(file, 'FILE')),
  };
}

const RAIN = '{ arguments: { query: /^rain/i } }';
const rain = { arguments: { query: '/^rain/i' } };

it('gives an equal call its rule, as it was written, also where calls have another order', () => {
  const former = [{ query: 'snow' }, { query: 'rain', beside: RAIN, besideAnswer: '{ ignore: [/result/content] }' }];
  const { calls, answers, text, notes } = carried(former, [{ query: 'rain', answer: 'sun' }, { query: 'snow' }]);
  expect(calls).toEqual([rain, undefined]);
  expect(answers).toEqual([{ ignore: ['/result/content'] }, undefined]);
  expect(text).toContain(`\n  match: ${RAIN}\n`);
  expect(text).toContain('\n  after: 5\n  match: { ignore: [/result/content] }\n');
  expect(notes).toEqual([]);
});

it('writes a rule of several lines anew', () => {
  const { calls, text } = carried(
    [{ query: 'rain', beside: '\n    # any rain\n    arguments:\n      query: /^rain/i' }],
    [{ query: 'rain' }],
  );
  expect(calls).toEqual([rain]);
  expect(text).toContain('\n  match:\n    arguments:\n      query: /^rain/i\n');
});

it.each([
  ['a pattern that accepts it', RAIN, 'rain in Rome', rain],
  ['any arguments', '{ arguments: any }', 'snow', { arguments: 'any' }],
  ['an ignored place', '{ ignore: [/params/arguments/query] }', 7, { ignore: ['/params/arguments/query'] }],
])('gives a call with other arguments the rule with %s', (_, beside, query, match) => {
  const { calls, notes } = carried([{ query: 'rain', beside }], [{ query }]);
  expect([calls, notes]).toEqual([[match], []]);
});

it('gives no rule to a call that it does not accept, and names line, rule and reason', () => {
  const { calls, notes } = carried(
    [
      { query: 'rain', beside: RAIN },
      { query: 'fog', beside: '{ optional: true }', besideAnswer: '{ optional: true }' },
    ],
    [{ query: 'snow' }],
  );
  expect(calls).toEqual([undefined]);
  expect(notes).toEqual([
    `FILE was recorded again, without these 3 rules of the replaced file: line 5, tools/call "search": match: {"arguments":{"query":"/^rain/i"}} (no new message is the same); line 16, tools/call "search": match: {"optional":true} (no new message is the same); line 22, the answer to tools/call "search": match: {"optional":true} (no new message is the same). If you still need them, write them beside the new messages.`,
  ]);
});

it('gives no rule to one of several calls that it accepts', () => {
  const { calls, notes } = carried([{ query: 'rain', beside: RAIN }], [{ query: 'rain in Rome' }, { query: 'rainy' }]);
  expect(calls).toEqual([undefined, undefined]);
  expect(notes).toEqual([
    `FILE was recorded again, without this rule of the replaced file: line 5, tools/call "search": match: {"arguments":{"query":"/^rain/i"}} (which of 2 new messages is the same is not clear). If you still need it, write it beside the new message.`,
  ]);
});

it('leaves a call alone that the cassette had without a rule, though one of its rules accepts it', () => {
  const former = [{ query: 'rain', beside: '{ arguments: any }' }, { query: 'snow' }];
  expect(carried(former, [{ query: 'snow' }, { query: 'hail' }]).calls).toEqual([undefined, { arguments: 'any' }]);
  expect(carried(former, [{ query: 'snow' }])).toMatchObject({ calls: [undefined], notes: [expect.anything()] });
});

it('gives equal calls the rules of their places, and a rule of all equal calls to each', () => {
  const last = '{ repeat: last }';
  const two = [{ query: 'rain' }, { query: 'rain', beside: last }];
  expect(carried(two, [{ query: 'rain' }, { query: 'rain' }]).calls).toEqual([undefined, { repeat: 'last' }]);
  const unclear = carried(two, [{ query: 'rain' }, { query: 'rain' }, { query: 'rain' }]);
  expect(unclear.calls).toEqual([undefined, undefined, undefined]);
  expect(unclear.notes[0]).toContain('(which of 3 new messages is the same is not clear)');
  const { calls, notes } = carried([{ query: 'rain', beside: last }], [{ query: 'rain' }, { query: 'rain' }]);
  expect([calls, notes]).toEqual([[{ repeat: 'last' }, { repeat: 'last' }], []]);
});

it('follows an id that the server makes up', () => {
  const id = (name: string): Call[] => [
    { query: 'new', answer: `order ord_${name}` },
    { query: `ord_${name}`, beside: '{ repeat: last }' },
  ];
  const now = id('77c1d9b2e4').map(({ beside, ...call }) => call);
  expect(carried(id('8f3a5c60aa'), now)).toMatchObject({ calls: [undefined, { repeat: 'last' }], notes: [] });
});

it('compares without what the test ignores', () => {
  const former = [{ query: 'rain', beside: '{ repeat: last }' }];
  expect(carried(former, [{ query: 'snow' }], ['/params/arguments/query'])).toMatchObject({
    calls: [{ repeat: 'last' }],
    notes: [],
  });
});

it('names comments, and a rule beside what is no message', () => {
  const file = join(folder, 'by-hand.yaml');
  writeFileSync(
    file,
    'format: mcp-record/1\nevents:\n# mine\n- client: { id: 0, method: ping }\n- server: { method: notifications/progress, params: { progressToken: 0, progress: 1 } }\n  match: { optional: true }\n- server: { id: 0, result: {} }\n',
  );
  expect(carried(file, [{ query: 'rain' }]).notes).toEqual([
    `FILE was recorded again, without this rule of the replaced file: line 5: match: {"optional":true} (it is beside no request, answer or notification). If you still need it, write it beside the new message.`,
    'FILE was recorded again, without the comments of the replaced file: line 3.',
  ]);
});

it('leaves the recording as it is where the cassette has no rule or cannot be read', () => {
  const now = [{ query: 'rain' }];
  const plain = readFileSync(recording(now), 'utf8');
  expect(carried(now, now)).toMatchObject({ text: plain, notes: [] });
  const damaged = recording([{ query: 'rain', beside: '{ optional: 7 }' }]);
  const { text, notes } = carried(damaged, now);
  expect([text, notes]).toEqual([
    plain,
    [
      expect.stringMatching(
        /^FILE was recorded again, without the rules \(match\) of the replaced file, which could not be carried over: .*optional/,
      ),
    ],
  ]);
  expect(carryMatchRules({ file: folder, recording: damaged })).toEqual([]);
});

it('names all rules of a session that was not recorded again', () => {
  const file = recording([{ query: 'rain', beside: '{ optional: true }' }]);
  expect(carryMatchRules({ file })).toEqual([
    expect.stringContaining('line 5: match: {"optional":true} (this session was not recorded again)'),
  ]);
});

it('shows no secret of a rule', () => {
  const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
  const { notes } = carried([{ query: 'rain', beside: `{ arguments: { query: ${token} } }` }], []);
  expect(notes).toEqual([expect.stringContaining('"query":"[redacted:github-token')]);
  expect(notes[0]).not.toContain(token);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCassette } from '../src/cassette/read/parse-cassette.ts';
import { endText, eventText, headerText } from '../src/cassette/write/format-event.ts';
import { JsonText } from '../src/protocol/json-text.ts';
import { isObject } from '../src/protocol/message.ts';
import { timelineOf } from '../src/text-report/timeline-rows.ts';
import { everyLook, verified } from './support/every-look.ts';
import { fuzzed } from './support/fuzz.ts';

const folder = join(import.meta.dirname, '..', 'cassettes');
const cassettes = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => parseCassette(readFileSync(join(folder, file), 'utf8'), file));

/** What libraries, other languages and people put where something else belongs. */
const HOSTILE: readonly unknown[] = [
  null,
  '',
  'x',
  0,
  -1,
  1.5,
  1e21,
  true,
  [],
  {},
  [null],
  [[]],
  { a: null },
  { type: 'text' },
  '__proto__',
];

/** Members that are added to a message, some of them beside what excludes them. */
const ADDED = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'] as const;

type Path = readonly (string | number)[];

interface Mutation {
  /** Which of the messages, and of its members, as parts of all. */
  message: number;
  member: number;
  /** Absent: what is there is replaced. */
  added?: string | undefined;
  value: unknown;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  message: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  member: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  added: fc.option(fc.constantFrom(...ADDED), { nil: undefined }),
  value: fc.constantFrom(...HOSTILE),
});

/** The cassette with something else in some of its messages, as a recorder would have written it. */
function mutated({ header, events }: (typeof cassettes)[number], mutations: readonly Mutation[]): string {
  const frames = events.map(({ frame }) => frame);
  const messages = frames.flatMap((frame, index) => (frame.kind === 'message' ? [index] : []));
  for (const { message, member, added, value } of mutations) {
    const index = messages[Math.floor(message * messages.length)]!;
    const frame = frames[index]!;
    if (frame.kind !== 'message') continue;
    const paths = pathsOf(frame.json.value);
    const path = added === undefined ? paths[Math.floor(member * paths.length)]! : [added];
    const json = new JsonText(JSON.stringify(withValue(frame.json.value, path, value)));
    frames[index] = { ...frame, json };
  }
  return headerText(header) + frames.map((frame) => eventText(frame)).join('') + endText('complete');
}

/** Of the members near the root there are few: each is as likely as all below it. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, one]) => {
    const below = pathsOf(one, [...path, key]);
    return [...below.map(() => [...path, key]).slice(0, 20), [...path, key], ...below];
  });
}

function withValue(holder: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(holder)) return holder.with(Number(step), withValue(holder[Number(step)], rest, value));
  const members = isObject(holder) ? holder : {};
  return { ...members, [step]: withValue(members[step], rest, value) };
}

/** A session in which each kind of message is, with members that libraries send. */
const session = (client: string, server: string) =>
  `format: mcp-record/1\ntransport: stdio\nevents:\n- client: '{"jsonrpc":"2.0","id":1,${client}}'\n- server: '{"jsonrpc":"2.0","id":1,${server}}'\n`;

describe('a session of a library that sends null for what is absent', () => {
  it.each([
    ['"method":"tools/list","params":null', '"result":{"tools":[]},"error":null'],
    ['"method":"tools/call","params":null', '"result":null,"error":{"code":-32600,"message":"no"}'],
    ['"method":"tools/call","params":{"name":null,"arguments":null}', '"error":null'],
    ['"method":"tools/call","params":{"name":"a","_meta":null}', '"result":{"content":null,"_meta":null}'],
    ['"method":"tools/call","params":"text"', '"error":5'],
    ['"method":"initialize","params":[1]', '"result":"text"'],
    ['"method":"initialize","params":null', '"result":null'],
    ['"method":"tools/list"', '"result":{"tools":[null,{"name":null,"inputSchema":null}]}'],
  ])('%s, answered by %s, is looked at in every way', async (client, server) => {
    const text = session(client, server);
    expect(everyLook(text, cassettes[0]!)).toEqual([]);
    await expect(verified(text)).resolves.toContain('passed');
  });

  it('has a result where the error beside it is null, and a failure where the result is', () => {
    const rows = (answer: string) => timelineOf(parseCassette(session('"method":"ping"', answer), 'a')).rows;
    expect(rows('"result":{"a":1},"error":null')).toMatchObject([
      { fate: 'answered' },
      { what: 'result', detail: '{"a":1}' },
    ]);
    expect(rows('"result":null,"error":{"code":-32600,"message":"no"}')).toMatchObject([
      { fate: 'error' },
      { what: 'error -32600', detail: 'no', failed: true },
    ]);
  });
});

describe('a message that is nested deeper than any stack', () => {
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
  it.each([
    [`"method":"tools/call","params":{"name":"a","arguments":{"x":${deep}}}`, '"result":{"content":[]}'],
    [`"method":"x/y","params":{"x":${deep}}`, `"result":${deep}`],
    ['"method":"tools/list"', `"result":{"tools":[{"name":"a","inputSchema":${deep}}],"nextCursor":${deep}}`],
    [`"method":"tools/call","params":${deep}`, `"error":{"code":${deep},"message":${deep}}`],
    ['"method":"x"', `"result":{"content":[{"type":${deep}}],"structuredContent":${deep}}`],
  ])('is looked at in every way: case %#', (client, server) => {
    const log = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":${deep},"data":${deep}}}`;
    const text = `${session(client, server)}- server: '${log}'\n- client: '${deep}'\n`;
    expect(everyLook(text, cassettes[0]!)).toEqual([]);
    expect(everyLook(text, parseCassette(text.replaceAll('[[]]', '[[1]]'), 'a'))).toEqual([]);
  });
});

it('whatever stands in the place of a member, no look at the cassette throws', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...cassettes),
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      async (cassette, mutations) => {
        const text = mutated(cassette, mutations);
        expect(everyLook(text, cassette)).toEqual([]);
        await verified(text);
      },
    ),
    { ...fuzzed(40), seed: 29 },
  );
});

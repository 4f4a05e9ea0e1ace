import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mockServer } from '../../../src/adapters/mock.ts';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { sdk1Over } from '../../e2e/session/sdk-1.ts';
import { connectTo, WAYS } from '../../mock/clients.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();
let files = 0;

interface WrittenCall {
  tool?: string;
  args: object;
  match?: string;
  /** `_meta` of the request: it makes a cassette one of its revision. */
  meta?: object | false;
  says: string;
}

/** A cassette that was written by hand, with these calls. */
function cassetteOf(calls: WrittenCall[]): string {
  const file = join(folder, `${files++}.yaml`);
  const events = calls.flatMap(({ tool: name = 'find', args, match, meta, says }, id) => [
    `- client: ${JSON.stringify({ id, method: 'tools/call', params: { name, arguments: args, ...(meta && { _meta: meta }) } })}`,
    ...(match === undefined ? [] : [`  match: ${match}`]),
    `- server: { id: ${id}, result: { resultType: complete, content: [ { type: text, text: '${says}' } ] } }`,
  ]);
  writeFileSync(file, ['format: mcp-record/1', 'events:', ...events, ''].join('\n'));
  return file;
}

/** What a client hears on these calls of one tool, one after the other, and how it ends. */
async function heard(cassette: string, ...calls: object[]) {
  const server = await mockServer(cassette, { onUnused: 'report' });
  const client = await sdk1Over(server.transport);
  const answers: unknown[] = [];
  for (const args of calls) {
    const answer = client.request('tools/call', { name: 'find', arguments: args });
    answers.push(
      await answer.then(
        (result) => (result as { content: [{ text: string }] }).content[0].text,
        ({ message }: Error) => message,
      ),
    );
  }
  await client.close();
  return { answers, outcome: await server.finish() };
}

describe('a recorded call whose event says which arguments it stands for', () => {
  it.each([
    ['any', { q: 'rain' }, 'any', [{ q: 'snow' }, {}, { x: [1] }]],
    ['partial', { q: 'rain', at: { hour: 9 } }, 'partial', [{ q: 'rain', at: { hour: 9, zone: 'UTC' }, more: 1 }]],
    ['partial, where the recorded one has none', {}, 'partial', [{ q: 1 }]],
    ['partial, where a recorded text looks like an expression', { q: '/./' }, 'partial', [{ q: '/./', b: 1 }]],
    ['a pattern', { q: 'x' }, '{ q: /^rain/i }', [{ q: 'Rain today', b: 1 }]],
  ])('takes %s', async (_, args, rule, live) => {
    const cassette = cassetteOf([{ args, match: `{ arguments: ${rule}, repeat: last }`, says: 'found' }]);
    const { answers, outcome } = await heard(cassette, ...live);
    expect([answers, outcome.failed]).toEqual([live.map(() => 'found'), false]);
  });

  it.each([
    ['partial, without a recorded one', { q: 'rain' }, 'partial', {}],
    ['partial, another value', { q: 'rain' }, 'partial', { q: 'snow' }],
    ['partial, where the recorded text is no expression', { q: '/./' }, 'partial', { q: 'r' }],
    ['a pattern, another text', { q: 'rain' }, '{ q: /^snow/ }', { q: 'rain' }],
    ['a pattern, no such argument', { q: 'rain' }, '{ q: /./ }', {}],
  ])('does not take %s, and says why', async (_, args, rule, live) => {
    const cassette = cassetteOf([{ args, match: `{ arguments: ${rule} }`, says: 'found' }]);
    const { answers, outcome } = await heard(cassette, live);
    expect(answers).toEqual([expect.stringContaining(`${cassette}:3 tools/call "find" differs at /params/arguments`)]);
    expect(outcome.failed).toBe(true);
  });

  it('does not take a call of another tool', async () => {
    const cassette = cassetteOf([{ tool: 'other', args: {}, match: '{ arguments: any }', says: 'found' }]);
    expect((await heard(cassette, {})).outcome.failed).toBe(true);
  });

  it('comes after one with the very arguments, wherever that stands', async () => {
    const cassette = cassetteOf([
      { args: {}, match: '{ arguments: any, repeat: last }', says: 'any' },
      { args: { q: 'rain' }, says: 'rain' },
    ]);
    expect((await heard(cassette, { q: 'rain' }, { q: 'rain' }, { q: 'snow' })).answers).toEqual([
      'rain',
      'any',
      'any',
    ]);
  });

  it('is used once, unless it repeats', async () => {
    const cassette = cassetteOf([
      { args: {}, match: '{ arguments: any }', says: 'first' },
      { args: {}, match: '{ arguments: any }', says: 'second' },
    ]);
    const { answers, outcome } = await heard(cassette, { a: 1 }, { a: 2 }, { a: 3 });
    expect(answers).toEqual(['first', 'second', expect.stringContaining('already used')]);
    expect(outcome.failed).toBe(true);
  });

  it('has an expression that RE2 takes', () => {
    const cassette = cassetteOf([{ args: {}, match: '{ arguments: { q: "/(?=a)/" } }', says: 'found' }]);
    const bad = { code: 'CASSETTE_BAD_EVENT', message: expect.stringContaining(`${cassette}:4`) };
    expect(() => loadCassette(cassette)).toThrow(expect.objectContaining(bad));
  });

  it.each(WAYS)('is found over $over by $client', async ({ client, over }) => {
    const meta = client.endsWith('2026-07-28') && { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const cassette = cassetteOf([{ args: { q: 'rain' }, meta, match: '{ arguments: { q: /./ } }', says: 'found' }]);
    const server = await mockServer(cassette, { over } as { over: 'http' });
    const peer = await connectTo(server, client);
    const answer = await peer.request('tools/call', { name: 'find', arguments: { q: 'snow' } });
    expect(answer).toMatchObject({ content: [{ text: 'found' }] });
    await peer.close();
    if (over !== 'stdio') expect(await server.finish()).toMatchObject({ failed: false });
    else await server.finish();
  });
});

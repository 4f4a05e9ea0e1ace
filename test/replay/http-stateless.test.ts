import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mockServer } from '../../src/adapters/mock.ts';
import { connectTo } from '../mock/clients.ts';
import { temporaryFolder } from '../support/cassette.ts';

const folder = temporaryFolder();

/** A recorded session of 2026-07-28 with a call for each city. */
function cassetteOf(...cities: string[]): string {
  const file = join(folder, `${cities.join('-')}.yaml`);
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const events = cities.flatMap((city, id) => [
    { client: { id, method: 'tools/call', params: { name: 'weather', arguments: { city }, _meta } } },
    { server: { id, result: { resultType: 'complete', content: [{ type: 'text', text: city }] } } },
  ]);
  writeFileSync(file, JSON.stringify({ format: 'mcp-record/1', events }));
  return file;
}

it.each([
  ['all of them were made', ['Oslo', 'Rome', 'Oslo'], []],
  ['one was never made', ['Oslo', 'Oslo', 'Oslo'], ['unused']],
])('a call that is made again begins the cassette anew, and of its calls %s', async (_, cities, findings) => {
  const server = await mockServer(cassetteOf('Oslo', 'Rome'), { over: 'http' });
  const peer = await connectTo(server, 'client 2 with 2026-07-28');
  for (const city of cities)
    expect(await peer.request('tools/call', { name: 'weather', arguments: { city } })).toMatchObject({
      content: [{ text: city }],
    });
  await peer.close();
  const outcome = await server.finish();
  expect(outcome.findings.map(({ kind }) => kind).filter((kind) => kind !== 'default')).toEqual(findings);
  expect(outcome.failed).toBe(findings.length > 0);
});

it('a later client may begin with any call, and a repeated call of the same client is a miss', async () => {
  const server = await mockServer(cassetteOf('Oslo', 'Rome'), { over: 'http' });
  const weather = async (...cities: string[]) => {
    const peer = await connectTo(server, 'client 2 with 2026-07-28');
    const heard: unknown[] = [];
    for (const city of cities)
      heard.push(await peer.request('tools/call', { name: 'weather', arguments: { city } }).catch(() => 'refused'));
    await peer.close();
    return heard.map((one) => (one === 'refused' ? one : 'answered'));
  };
  expect(await weather('Oslo', 'Rome')).toEqual(['answered', 'answered']);
  expect(await weather('Rome', 'Rome')).toEqual(['answered', 'refused']);
  expect((await server.finish()).failures.map(({ kind }) => kind).filter((kind) => kind !== 'default')).toEqual([
    'miss',
  ]);
});

it('a redacted value that a call repeats is one value: another one is missed, and begins nothing', async () => {
  const file = join(folder, 'redacted.yaml');
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const events = ['open', 'use'].flatMap((name, id) => [
    { client: { id, method: 'tools/call', params: { name, arguments: { password: '[redacted:password:1]' }, _meta } } },
    { server: { id, result: { resultType: 'complete', content: [{ type: 'text', text: name }] } } },
  ]);
  writeFileSync(file, JSON.stringify({ format: 'mcp-record/1', events }));
  const server = await mockServer(file, { over: 'http' });
  const peer = await connectTo(server, 'client 2 with 2026-07-28');
  const ask = (name: string, password: string) => peer.request('tools/call', { name, arguments: { password } });
  await ask('open', 'hunter2-first');
  await expect(ask('use', 'hunter3-other')).rejects.toThrow();
  expect(await ask('use', 'hunter2-first')).toMatchObject({ content: [{ text: 'use' }] });
  await peer.close();
  const { findings, failed } = await server.finish();
  expect(findings.map(({ kind }) => kind).filter((kind) => kind !== 'default')).toEqual(['miss']);
  expect(failed).toBe(true);
});

/** What `replay --http` says at its end about what its clients left out. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { INITIALIZE } from '../../../mock/authorization/stranger.ts';
import { WEATHER } from '../../../mock/control/controlled.ts';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { Running } from '../../../support/process.ts';

const file = join(temporaryFolder(), 'weather.yaml');
writeFileSync(file, WEATHER);
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Opens sessions with one server, each with `initialize` alone, and returns what it prints when it ends. */
async function afterSessions(count: number, ...words: string[]): Promise<{ status: number | null; stderr: string }> {
  await using server = new Running(mcpRecord('replay', '--http', ...words, file));
  let url: string | undefined;
  while (url === undefined) url = /listening on (\S+)/.exec(await server.line(server.child.stderr))?.[1];
  for (let n = 0; n < count; n++)
    await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(INITIALIZE) })).text();
  server.signal('SIGTERM');
  return await server.read().ended;
}

it.each([
  ['', [], 0],
  [' with --strict', ['--strict'], 1],
  [' with --control', ['--control', '0'], 0],
  [' with --fault', ['--fault', 'latency:ping:delay=1'], 0],
])('it names the recorded requests that never came%s', async (_, words, status) => {
  const ended = await afterSessions(1, ...words);
  expect(ended.stderr).toMatch(
    /(\d) recorded (?:requests|messages) never came:\n(?:.*\n)*.*tools\/call "weather"\n.*tools\/call "weather"/,
  );
  expect([ended.stderr.split('never came').length - 1, ended.status]).toEqual([1, status]);
});

it('it says once what several sessions left out', async () => {
  const { stderr } = await afterSessions(2);
  expect(stderr).toMatch(/In 2 sessions: \d recorded (?:requests|messages) never came/);
  expect(stderr.split('never came')).toHaveLength(2);
});

it('it says so without any client', async () => {
  expect((await afterSessions(0)).stderr).toMatch(/recorded (?:requests|messages) never came/);
});

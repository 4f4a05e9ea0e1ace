import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Listening } from '../../../e2e/http/processes.ts';
import { temporaryFolder } from '../../../support/cassette.ts';
import { loadedForSecond, loadedServer, recordLoadedServer } from '../../../support/loaded-server.ts';

const folder = realpathSync(temporaryFolder());
const cassette = join(folder, 'weather.yaml');

let sound: Listening;
beforeAll(async () => {
  sound = await loadedServer();
  await recordLoadedServer(sound, cassette);
});
afterAll(() => sound[Symbol.asyncDispose]());

const loaded = (url: URL, ...options: string[]) => loadedForSecond(cassette, url, ['--workers', '3', ...options]);

it('workers find together each answer that is wrong, and count its sessions once', async () => {
  await using server = await loadedServer('wrong', '4');
  const { status, json } = await loaded(server.url, '--clients', '4');
  const weather = json.calls.find(({ what }) => what.includes('weather'))!;
  expect([status, json.run.workers, json.started]).toEqual([1, 3, json.sessions]);
  expect(json.failed).toBe(Math.floor(weather.answers / 4));
  expect(json.failures.map(({ count, step }) => [count, step.title])).toEqual([[json.failed, 'tools/call "weather"']]);
  expect(json.failures[0]!.session).toBeLessThanOrEqual(8);
  expect(json.intervals.reduce((sum, { answers }) => sum + answers, 0)).toBe(json.answers);
  expect(json.calls.reduce((sum, { answers }) => sum + answers, 0)).toBe(json.answers);
});

it('workers are no more than the clients', async () => {
  expect((await loaded(sound.url, '--clients', '2')).json.run.workers).toBe(2);
});

import { expect } from 'vitest';
import type { Outcome } from '../../../src/text-report/outcome-model.ts';
import { mcpRecord } from '../../support/command.ts';
import { run } from '../../support/process.ts';

/** Verifies the server at `url`. */
export async function verify(cassette: string, url: URL, ...options: string[]) {
  const { stdout, stderr, status } = await run(mcpRecord('verify', cassette, '--http', url.href, ...options));
  expect(stderr.toString()).not.toMatch(/\n\s+at .*\.js/);
  return { text: stdout.toString(), stderr: stderr.toString(), status };
}

/** The outcome of a verification, as programs get it. */
export async function outcomeOf(cassette: string, ...options: string[]): Promise<Outcome> {
  const { stdout, stderr } = await run(mcpRecord('verify', '--json', cassette, ...options));
  expect(stderr.toString()).toBe('');
  return JSON.parse(stdout.toString());
}

/** Server-everything tells its clients the time, and the id of their session. */
const TOLD = /(?:from|for) session (?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|undefined)|\d+:\d\d:\d\d [AP]M/g;
const plain = (value: unknown) => JSON.stringify(value)?.replaceAll(TOLD, '');

/** What failed, but for what no two sessions have in common. */
export function failures({ steps: checked }: Outcome) {
  return checked
    .filter(({ status, recorded, live }) => status === 'failed' && (!live || plain(recorded) !== plain(live)))
    .map(({ title, headline }) => `${title}: ${headline}`);
}

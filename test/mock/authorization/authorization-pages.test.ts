/** The pages about authorization name rules that fire, and refusals that the server makes. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { mockServer } from '../../../src/adapters/mock-server/mock-server.ts';
import { tool } from '../../../src/mock/handler.ts';
import type { FaultRule } from '../../../src/modes/faulty-channel.ts';
import { readTree } from '../../support/house/source.ts';
import { Connected } from './application.ts';

const tree = readTree(join(import.meta.dirname, '..', '..', '..'));
const cells = (page: string, heading: string) =>
  [
    ...tree
      .get(page)!
      .split(`${heading} |\n`)[1]!
      .split('\n\n')[0]!
      .matchAll(/^\| (?!-)(.*) \|$/gm),
  ].map(([, row]) => row!.split(' | '));
const rules = cells('docs/auth-faults.md', 'rule').map(([, rule]) => rule!.slice(1, -1));
const refusals = cells('docs/auth-reference.md', 'what to do').map(([refusal]) => refusal!.slice(1, -1));

it.each(rules)('the rule %s fires while a client logs in and calls tools', async (rule) => {
  const written = rule.startsWith('{') ? (parse(rule) as FaultRule) : rule.replace('delay=5000', 'delay=1');
  // No client refreshes a token before it expires.
  const faults = [written, ...(rule === 'oauth-error' ? ['token-refused:tools/call'] : [])];
  await using server = await mockServer({ over: 'http', auth: true, faults, handlers: [tool('list', () => 'listed')] });
  await using client = new Connected('client 2', server.url);
  await client
    .open()
    .then(async () => [await client.call('list'), await client.call('list')])
    .catch(() => undefined);
  expect((await server.finish()).failures).toEqual([]);
  expect(server.fired.map((fired) => fired.rule)).toContain(1);
});

it('has the rules and refusals of the pages', () => {
  expect([rules.length, refusals.length]).toEqual([19, 7]);
});

it.each(refusals)('the authorization server has the refusal %s', (refusal) => {
  const [code, words] = refusal.split(': ') as [string, string];
  const sources = [...tree].filter(([path]) => path.startsWith('src/mock/authorization/')).map(([, text]) => text);
  const beginning = words.split('"…"')[0]!;
  const escaped = beginning.replaceAll(/["$]/g, '\\$&');
  const pattern = new RegExp(`'${code}',\\s+['\`]${escaped}|(?:return|why = )[^\\n]*'${escaped}|= '${escaped}`);
  expect(sources.filter((text) => pattern.test(text)).length).toBeGreaterThan(0);
});

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mockServer } from '../../../src/adapters/mock-server/mock-server.ts';
import type { HttpMockServer, HttpOptions } from '../../../src/adapters/mock-server/mock-server-types.ts';
import { tool } from '../../../src/mock/handler.ts';
import {
  type AuthorizationTrial,
  EXPIRED,
  goesOn,
  lastingPart,
  TRIALS,
} from '../../mock/authorization/authorization-trials.ts';
import { type Outcome, PAGE, pageOf } from './authorization-page.ts';
import { CLIENTS, Desk } from './authorized-clients.ts';
import { type Installed, install } from './installed.ts';

const HOUR = 3_600_000;

let folder: string;
let installed: Installed;

const start = (options: Partial<HttpOptions> = {}): Promise<HttpMockServer> =>
  mockServer({ over: 'http', auth: true, handlers: [tool('list', () => 'listed')], ...options });

/** How many tokens the server has accepted. */
const given = ({ journal }: HttpMockServer): number =>
  new Set(journal.entries.flatMap(({ status, headers }) => (status === undefined ? [headers?.authorization] : [])))
    .size;

/** The methods of the messages that the server refused with 401. */
const refused = ({ journal }: HttpMockServer) =>
  journal.entries.filter(({ status }) => status === 401).map(({ method }) => method);

/** What a client says that has used a refresh token twice. In some runs mcp-remote does. */
const USED_TWICE = 'a refresh token that it replaced was used again';
const ATTEMPTS_MAX = 5;

/** What a client does in a trial, at the first attempt in which it does not use a refresh token twice. */
async function observe(name: string, trial: AuthorizationTrial): Promise<Outcome> {
  for (let attempts = 1; ; attempts++) {
    const outcome = await attempt(name, trial);
    if (attempts === ATTEMPTS_MAX || !outcome.error?.includes(USED_TWICE)) return outcome;
  }
}

/** What a client does in a trial: it goes on, or its user gets a message. */
async function attempt(name: string, { rules, auth = true }: AuthorizationTrial): Promise<Outcome> {
  await using server = await start({ faults: rules, auth });
  const desk = new Desk(folder);
  await using client = CLIENTS[name]!({ installed, desk, url: server.url });
  const called = async () => [await client.call('list'), await client.call('list')];
  const seen = await called().catch((error: Error) => error);
  expect((await server.finish()).failures).toEqual([]);
  if (seen instanceof Error) return { does: 'fails', error: lastingPart(seen.message) };
  expect(seen).toEqual(['listed', 'listed']);
  return { does: goesOn({ asked: desk.asked, given: given(server) }) };
}

describe.runIf(process.env.THIRD_PARTY)('a client of other people whose user logs in', () => {
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-record-authorized-')));
    installed = await install(folder);
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, maxRetries: 3 }), 60_000);

  describe.each(Object.entries(CLIENTS))('%s', (_, client) => {
    it('refreshes a token that expires in the middle of a session', async () => {
      let time = Date.now();
      const clock = { date: () => new Date(time), now: () => time, after: () => () => {}, endOfTurn: setImmediate };
      await using server = await start({ clock });
      const desk = new Desk(folder);
      await using user = client({ installed, desk, url: server.url });
      expect(await user.call('list')).toBe('listed');
      expect([desk.asked, given(server)]).toEqual([1, 1]);
      time += HOUR + 1000;
      expect(await user.call('list')).toBe('listed');
      expect([desk.asked, given(server)]).toEqual([1, 2]);
      server.misbehave([EXPIRED]);
      expect(await user.call('list')).toBe('listed');
      expect([desk.asked, given(server)]).toEqual([1, 3]);
      expect(refused(server).at(-1)).toBe('tools/call');
      expect((await server.finish()).failures).toEqual([]);
    });

    it('asks its user again if the refresh is denied', async () => {
      await using server = await start();
      const desk = new Desk(folder);
      await using user = client({ installed, desk, url: server.url });
      expect(await user.call('list')).toBe('listed');
      server.misbehave([EXPIRED, 'oauth-error']);
      expect(await user.call('list')).toBe('listed');
      expect([desk.asked, given(server)]).toEqual([2, 2]);
      expect((await server.finish()).failures).toEqual([]);
    });

    it('reports an error if the refresh is denied, and its user refuses', async () => {
      await using server = await start();
      const desk = new Desk(folder);
      await using user = client({ installed, desk, url: server.url });
      expect(await user.call('list')).toBe('listed');
      server.misbehave([EXPIRED, 'oauth-error', 'oauth-error:oauth/authorize']);
      await expect(user.call('list')).rejects.toThrow('Injected by mcp-record');
      expect([desk.asked, given(server)]).toEqual([2, 1]);
    });
  });

  it.each(['Inspector', 'mcpdo', 'AI SDK'])(
    '%s never asks its user for another scope that a call needs',
    async (name) => {
      await using server = await start({ auth: { refresh: 'none' }, faults: ['insufficient-scope'] });
      const desk = new Desk(folder);
      await using user = CLIENTS[name]!({ installed, desk, url: server.url });
      await expect(user.call('list')).rejects.toThrow();
      const scopes = desk.pages.map(({ searchParams }) => searchParams.get('scope'));
      expect(scopes).toEqual(name === 'Inspector' ? ['mcp', 'mcp'] : ['mcp']);
    },
  );

  it('does what the page says when authorization fails', { timeout: 1_800_000 }, async () => {
    const outcomes: Outcome[][] = [];
    for (const trial of TRIALS) {
      const row = [];
      for (const name of Object.keys(CLIENTS)) row.push(await observe(name, trial));
      outcomes.push(row);
    }
    await expect(pageOf(outcomes)).toMatchFileSnapshot(PAGE);
  });
});

import { copyFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ACTION_BYTES_MAX } from '../../../src/ui/work/page-actions.ts';
import { server } from '../../e2e/verify/session.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { servedUi, serverUnderTest } from '../served-ui.ts';

function folder(): string {
  const made = temporaryFolder();
  copyFileSync('cassettes/memory.yaml', join(made, 'memory.yaml'));
  return made;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const MEMORY = { session: 'memory.yaml' };
/** Every action. */
const ACTIONS = [
  'verify',
  'verify/stop',
  'answer',
  'edit',
  'serve',
  'serve/stop',
  'fork',
  'fork/stop',
  'faults/menu',
  'faults/add',
  'faults/remove',
];

describe('an action', () => {
  it('of a page of another origin, of no page, or without the key, does nothing', async () => {
    await using ui = await servedUi(folder(), serverUnderTest(server('hung')));
    for (const action of ACTIONS) {
      for (const origin of ['http://evil.example', 'http://127.0.0.1:1', 'null'])
        expect((await ui.post(action, MEMORY, { ...JSON_TYPE, origin })).status).toBe(403);
      const none = await fetch(ui.url + action, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(MEMORY) });
      expect([none.status, await none.text()]).toEqual([403, expect.stringContaining('UI_OTHER_ORIGIN')]);
      const other = await fetch(new URL(`/other-key/${action}`, ui.url), { method: 'POST', headers: JSON_TYPE });
      expect(other.status).toBe(403);
    }
    await using page = await ui.open('memory.yaml');
    await page.until(() => page.messages.some(({ update }) => update?.hasMore === false));
    expect(page.messages.flatMap(({ work }) => work ?? [])).toEqual([]);
  });

  it('under another host name is refused', async () => {
    await using ui = await servedUi(folder());
    const status = await new Promise((resolve) => {
      const headers = { ...JSON_TYPE, host: 'evil.example' };
      request(`${ui.url}verify`, { method: 'POST', headers }, (response) => resolve(response.statusCode)).end('{}');
    });
    expect(status).toBe(403);
  });

  it('of the own page is done, and one that there is not is refused', async () => {
    await using ui = await servedUi(folder(), serverUnderTest(server()));
    const { origin } = new URL(ui.url);
    expect((await ui.post('verify/stop', MEMORY, { ...JSON_TYPE, origin })).status).toBe(200);
    expect(await ui.post('dance', MEMORY)).toMatchObject({
      status: 405,
      body: expect.stringContaining('UI_NOT_SERVED'),
    });
  });

  it.each([
    ['of a session that is not in the list', { session: '../memory.yaml' }, 404, 'UI_NO_SESSION'],
    ['without a session', {}, 400, 'CONTROL_BAD_VALUE'],
    ['with a member that it does not have', { ...MEMORY, command: 'rm' }, 400, 'CONTROL_UNKNOWN_KEY'],
    ['with a body that is no JSON', 'verify', 400, 'CONTROL_BAD_VALUE'],
    ['without a server under test', MEMORY, 409, 'UI_NO_SERVER'],
  ])('%s is refused with a code and the next step', async (_, body, status, code) => {
    await using ui = await servedUi(folder());
    const refused = await ui.post('verify', body);
    expect(refused).toMatchObject({ status, body: { error: { code, next: expect.stringMatching(/./) } } });
  });

  it('is JSON, and not longer than its limit', async () => {
    await using ui = await servedUi(folder());
    expect((await ui.post('verify', MEMORY, { 'content-type': 'text/plain' })).status).toBe(415);
    const longest = JSON.stringify({ session: 'x'.repeat(ACTION_BYTES_MAX - '{"session":""}'.length) });
    expect((await ui.post('verify', longest)).status).toBe(404);
    expect((await ui.post('verify', `${longest} `)).status).toBe(413);
  });
});

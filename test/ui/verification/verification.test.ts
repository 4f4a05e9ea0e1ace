import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WorkState } from '../../../src/html-report/browser/live/verification-and-mock-state.ts';
import { recordSession, server } from '../../e2e/verify/session.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { fixture } from '../../support/process.ts';
import { servedUi, serverUnderTest } from '../served-ui.ts';

const recorded = join(temporaryFolder(), 'session.yaml');
beforeAll(async () => {
  await recordSession(recorded);
});

/** A folder with the recorded session. */
function withSession(name = 'session.yaml'): string {
  const folder = temporaryFolder();
  copyFileSync(recorded, join(folder, name));
  return folder;
}

const hasEnded = ({ verification }: WorkState) => verification.value && verification.value.state !== 'running';
const steps = ({ verification }: WorkState) => verification.value?.steps ?? [];
const verify = { session: 'session.yaml' };

describe('a verification', () => {
  it('shows its steps as they end, and then all of them in the order of the cassette', async () => {
    await using ui = await servedUi(withSession(), serverUnderTest(server()));
    await using page = await ui.open('session.yaml');
    expect(await ui.post('verify', verify)).toEqual({ status: 200, body: {} });
    await page.until(hasEnded);
    expect(steps(page.work).map(({ status }) => status)).not.toContain('failed');
    const lines = steps(page.work).map(({ line = 0 }) => line);
    expect(lines).toEqual([...lines].sort((a, b) => a - b));
    const states = page.messages.flatMap(({ work }) => work?.verification?.state ?? []);
    expect(states[0]).toBe('running');
    expect(states.at(-1)).toBe('ended');
    const waiting = page.messages.flatMap(({ work }) => work?.verification?.waiting ?? []);
    expect(waiting).toContain('tools/call "work"');
  });

  it('is dropped when an answer of its cassette is edited, and can be repeated', async () => {
    await using ui = await servedUi(withSession(), serverUnderTest(server()));
    await using page = await ui.open('session.yaml');
    await ui.post('verify', verify);
    await page.until(hasEnded);
    await page.until(() => page.messages.some(({ update }) => update?.hasMore === false));
    const items = page.messages.flatMap(({ update }) => update?.items ?? []);
    const answer = items.findLast(({ kind, content }) => kind === 'response' && content?.text.includes('Oslo'))!;
    const version = page.messages.flatMap(({ rows }) => rows ?? []).at(-1)!.version;
    const text = '{ "content": [{ "type": "text", "text": "rain" }] }';
    const edit = { ...verify, line: answer.line, part: 0, before: answer.content!.text, text, version };
    expect((await ui.post('edit', { ...edit, save: false })).status).toBe(200);
    expect(page.work.verification.value?.state).toBe('ended');
    expect(await ui.post('edit', { ...edit, save: true })).toMatchObject({ status: 200, body: { saved: true } });
    await page.until(({ verification }) => verification.value?.state === 'outdated');
    expect(steps(page.work)).toEqual([]);
    await ui.post('verify', verify);
    await page.until(({ verification }) => verification.value?.state === 'ended');
    expect(steps(page.work).map(({ status }) => status)).toContain('failed');
  });

  it('has the difference at the line of the call', async () => {
    await using ui = await servedUi(withSession(), serverUnderTest(server('changed-text')));
    await using page = await ui.open('session.yaml');
    await ui.post('verify', verify);
    await page.until(hasEnded);
    const failed = steps(page.work).filter(({ status }) => status === 'failed');
    expect(failed).toMatchObject([
      {
        title: 'tools/call "weather"',
        line: expect.any(Number),
        differences: [
          {
            path: '/result/content/0/text',
            before: '"Oslo has 20 degrees celsius"',
            after: '"Oslo: 20 celsius"',
          },
        ],
      },
    ]);
  });

  it('is told to a page that opens later, and to a second page', async () => {
    await using ui = await servedUi(withSession(), serverUnderTest(server()));
    await using first = await ui.open('session.yaml');
    await ui.post('verify', verify);
    await first.until(hasEnded);
    await using second = await ui.open('session.yaml');
    await second.until(hasEnded);
    expect(steps(second.work)).toEqual(steps(first.work));
  });

  it('replaces the one before', async () => {
    await using ui = await servedUi(withSession(), serverUnderTest(server('changed-text')));
    await using page = await ui.open('session.yaml');
    for (const _ of [1, 2]) {
      await ui.post('verify', verify);
      await page.until(({ verification }) => verification.value?.state === 'running');
      await page.until(hasEnded);
      expect(steps(page.work).filter(({ status }) => status === 'failed')).toHaveLength(1);
    }
  });

  it('runs alone: a second one is refused until the first is stopped', async () => {
    await using ui = await servedUi(withSession(), serverUnderTest(server('hung')));
    await using page = await ui.open('session.yaml');
    await ui.post('verify', verify);
    await page.until(({ verification }) => verification.value?.waiting.includes('tools/call "add"'));
    expect(await ui.post('verify', verify)).toMatchObject({
      status: 409,
      body: { error: { code: 'UI_VERIFYING', next: expect.stringContaining('stop') } },
    });
    expect((await ui.post('verify/stop', verify)).status).toBe(200);
    await page.until(hasEnded);
    expect(page.work.verification.value).toMatchObject({ state: 'stopped', waiting: [] });
    expect(steps(page.work).map(({ status }) => status)).toContain('skipped');
    expect((await ui.post('verify', verify)).status).toBe(200);
  });

  it.each([
    ['does not start', { command: 'no-such-command', args: [] }, 'COMMAND_NOT_FOUND', 'failed'],
    ['ends before it answers', fixture('exits-early.js', '3'), 'UI_SERVER_ENDED', 'ended'],
    ['ends during the run', server('crash'), 'UI_SERVER_ENDED', 'ended'],
    ['never answers', fixture('never-reads.js'), 'UI_SERVER_SILENT', 'ended'],
  ])('of a server that %s says so with a code and the next step', async (_, command, code, state) => {
    await using ui = await servedUi(withSession(), serverUnderTest(command, 300));
    await using page = await ui.open('session.yaml');
    await ui.post('verify', verify);
    await page.until(hasEnded);
    const { problem, ...shown } = page.work.verification.value!;
    expect(shown.state).toBe(state);
    expect(problem).toMatchObject({ code, message: expect.any(String) });
    expect(problem!.next).not.toBe('');
  });

  it('of a file that is no cassette says so', async () => {
    const folder = withSession();
    writeFileSync(join(folder, 'other.yaml'), 'a: 1\n');
    await using ui = await servedUi(folder, serverUnderTest(server()));
    await using page = await ui.open('other.yaml');
    await ui.post('verify', { session: 'other.yaml' });
    await page.until(hasEnded);
    expect(page.work.verification.value?.problem?.code).toBe('CASSETTE_NOT_RECOGNIZED');
  });
});

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WorkState } from '../../../src/html-report/browser/live/verification-and-mock-state.ts';
import { type Clock, systemClock } from '../../../src/kernel/clock.ts';
import { recordSession, server } from '../../e2e/verify/session.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { type ListeningPage, type ServedUi, servedUi, serverUnderTest } from '../served-ui.ts';

const recorded = join(temporaryFolder(), 'session.yaml');
beforeAll(async () => {
  await recordSession(recorded);
});

const SESSION = { session: 'session.yaml' };
const question = ({ verification }: WorkState) => verification.value?.questions[0];
const hasEnded = ({ verification }: WorkState) => verification.value && verification.value.state !== 'running';
const asked = (work: WorkState) => work.verification.value!.steps.find(({ title }) => title === 'tools/call "ask"');

/** Patience of the run: longer than all other waits of the program. */
const PATIENCE = 60_000;

/** The clock of the system, which knows the limits of the run that have not passed. */
class Limits implements Clock {
  readonly pending = new Set<object>();
  most = 0;
  readonly now = systemClock.now;
  readonly date = systemClock.date;
  readonly endOfTurn = systemClock.endOfTurn;

  after(delay: number, task: () => void): () => void {
    const limit = {};
    if (delay > PATIENCE / 2) this.pending.add(limit);
    this.most = Math.max(this.most, this.pending.size);
    const cancel = systemClock.after(delay, () => {
      this.pending.delete(limit);
      task();
    });
    return () => {
      this.pending.delete(limit);
      cancel();
    };
  }
}

/** Runs a test with a page that waits for the person's answer. */
async function questioned(
  test: (page: ListeningPage, ui: ServedUi) => Promise<void>,
  clock: Clock = systemClock,
): Promise<void> {
  const folder = temporaryFolder();
  copyFileSync(recorded, join(folder, 'session.yaml'));
  await using ui = await servedUi(folder, serverUnderTest(server(), PATIENCE), clock);
  await using page = await ui.open('session.yaml');
  await ui.post('verify', { ...SESSION, byHand: true });
  await page.until((work) => question(work) !== undefined);
  await test(page, ui);
}

const sampled = (text: string) => ({ role: 'assistant', model: 'me', content: { type: 'text', text } });

describe('a question of the real server', () => {
  it('is shown with its params and the recorded answer, and goes on with the answer of a person', () =>
    questioned(async (page, ui) => {
      const { id, method, params, answer, isError } = question(page.work)!;
      expect([method, isError]).toEqual(['sampling/createMessage', false]);
      expect(JSON.parse(params)).toMatchObject({ maxTokens: 10 });
      expect(JSON.parse(answer)).toMatchObject({ role: 'assistant' });
      expect(await ui.post('answer', { ...SESSION, question: id, result: sampled('by hand') })).toMatchObject({
        status: 200,
      });
      await page.until(hasEnded);
      expect(asked(page.work)).toMatchObject({
        status: 'failed',
        differences: [{ path: '/result/content/0/text', after: '"by hand"' }],
      });
    }));

  it('has the recorded answer if the person gives it', () =>
    questioned(async (page, ui) => {
      await ui.post('answer', { ...SESSION, question: 1, recorded: true });
      await page.until(hasEnded);
      expect(asked(page.work)).toMatchObject({ status: 'passed' });
    }));

  it('is refused with an error', () =>
    questioned(async (page, ui) => {
      await ui.post('answer', { ...SESSION, question: 1, error: { code: -1, message: 'no, thanks' } });
      await page.until(hasEnded);
      expect(JSON.stringify(asked(page.work))).toContain('no, thanks');
    }));

  it.each([
    ['with a result that the specification does not allow', { result: { role: 'assistant' } }, 400, 'UI_BAD_ANSWER'],
    ['with an error without a code', { error: { message: 'no' } }, 400, 'CONTROL_BAD_VALUE'],
    ['with nothing', {}, 400, 'CONTROL_BAD_VALUE'],
    ['that is not open', { question: 9, recorded: true }, 409, 'UI_NO_QUESTION'],
  ])('%s is not answered, and waits', (_, given, status, code) =>
    questioned(async (page, ui) => {
      const refused = await ui.post('answer', { ...SESSION, question: 1, ...given });
      expect(refused).toMatchObject({ status, body: { error: { code, next: expect.stringMatching(/./) } } });
      expect(question(page.work)).toBeDefined();
    }),
  );

  it('stops every limit of the run while it is open', () => {
    const limits = new Limits();
    return questioned(async (page, ui) => {
      expect([limits.most > 0, limits.pending.size]).toEqual([true, 0]);
      await ui.post('answer', { ...SESSION, question: 1, recorded: true });
      await page.until(hasEnded);
      expect(asked(page.work)).toMatchObject({ status: 'passed' });
    }, limits);
  });

  it('has the recorded answer when its page is closed', () =>
    questioned(async (page, ui) => {
      page.close();
      // A wrong answer is refused: as wrong while the question is open, and then because it is not.
      const wrong = { ...SESSION, question: 1, result: {} };
      while ((await ui.post('answer', wrong)).status === 400);
      await using later = await ui.open('session.yaml');
      await later.until(hasEnded);
      expect(asked(later.work)).toMatchObject({ status: 'passed' });
    }));

  it('ends with the run when that is stopped', () =>
    questioned(async (page, ui) => {
      await ui.post('verify/stop', SESSION);
      await page.until(hasEnded);
      expect(page.work.verification.value).toMatchObject({ state: 'stopped', questions: [] });
    }));
});

describe('a question inside of a result of 2026-07-28', () => {
  const modern = { command: process.execPath, args: [join('test', 'e2e', 'servers', 'modern.js')] };

  /** Verifies the recorded session with the same server, and answers each question by `answers`, by method. */
  async function answered(answers: Record<string, object>) {
    const folder = temporaryFolder();
    copyFileSync(join('cassettes', 'client-2-pinned.yaml'), join(folder, 'session.yaml'));
    await using ui = await servedUi(folder, serverUnderTest(modern, PATIENCE));
    await using page = await ui.open('session.yaml');
    await ui.post('verify', { ...SESSION, byHand: true });
    const replies: unknown[] = [];
    let last = 0;
    while (true) {
      await page.until((work) => (question(work) && question(work)!.id > last) || hasEnded(work));
      const asks = question(page.work);
      if (asks === undefined || hasEnded(page.work)) return { replies, work: page.work };
      last = asks.id;
      expect(asks.isInput).toBe(true);
      const given = answers[asks.method] ?? { recorded: true };
      const reply = await ui.post('answer', { ...SESSION, question: asks.id, ...given });
      replies.push([asks.method, reply.status]);
      if (reply.status === 200) continue;
      expect(reply.body).toMatchObject({ error: { code: 'UI_BAD_ANSWER' } });
      await ui.post('answer', { ...SESSION, question: asks.id, recorded: true });
    }
  }
  const differing = ({ verification }: WorkState) =>
    verification.value!.steps.filter(({ status }) => status === 'failed').map(({ title }) => title);

  it('is shown, and the real server goes on with the answer of a person', async () => {
    const { replies, work } = await answered({ 'sampling/createMessage': { result: sampled('by hand') } });
    expect(replies).toEqual([
      ['elicitation/create', 200],
      ['sampling/createMessage', 200],
      ['roots/list', 200],
    ]);
    const step = work.verification.value!.steps.find(({ differences = [] }) =>
      differences.some(({ after }) => after === '"by hand"'),
    );
    expect(step?.title).toBe('tools/call "ask-model"');
    expect(differing(work)).toEqual(['tools/call "ask-model"']);
  });

  it('has the recorded answer if the person gives it, and cannot be refused with an error', async () => {
    const { replies, work } = await answered({ 'elicitation/create': { error: { code: -1, message: 'no' } } });
    expect(replies).toContainEqual(['elicitation/create', 400]);
    expect(differing(work)).toEqual([]);
  });
});

import { expect, it } from 'vitest';
import { compareSession, stepOfAnswer } from '../../../src/verify/compare/compare-session.ts';
import type { Exchange, ServerRun } from '../../../src/verify/run/run-recorded-client.ts';
import {
  call,
  cassette,
  client,
  clientCloses,
  notification,
  request,
  result,
  server,
} from '../../support/conversation.ts';
import { live } from '../live.ts';

const page = (id: number, name: string, nextCursor?: string) =>
  server({ jsonrpc: '2.0', id, result: { tools: [{ name }], ...(nextCursor && { nextCursor }) } });
const session = cassette(
  client(request(1, 'tools/list')),
  page(1, 'a', 'next'),
  client({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: { cursor: 'next' } }),
  page(2, 'b'),
  client(call(3, 'add')),
  server(result(3, 'sum')),
  client(call(4, 'work')),
  server(notification('message', { data: 'working' })),
  server(result(4, 'done')),
  clientCloses,
);

it('tells of each request and of each answer, and a list is one step, known at its last page', async () => {
  const asked: number[] = [];
  const steps: unknown[] = [];
  const { driven } = await live(session, undefined, {
    asked: ({ line }) => void asked.push(line),
    answered(exchange: Exchange, driven: ServerRun) {
      const step = stepOfAnswer(exchange, { file: 'a.yaml', driven });
      steps.push(step && `${step.line} ${step.title} ${step.status}`);
    },
  });
  expect(asked).toEqual([1, 3, 5, 7]);
  expect(steps).toEqual([undefined, '1 tools/list passed', '5 tools/call "add" passed', '7 tools/call "work" passed']);
  const all = compareSession({ file: 'a.yaml', driven }).steps.map(
    (step) => `${step.line} ${step.title} ${step.status}`,
  );
  expect(all).toEqual(expect.arrayContaining(steps.filter((step) => step !== undefined)));
});

it('a session that is aborted ends at once, and what was not reached is skipped', async () => {
  const controller = new AbortController();
  const { driven } = await live(session, undefined, {
    aborted: controller.signal,
    answered: ({ request: { line } }) => line === 5 && controller.abort(),
  });
  const { steps, notes } = compareSession({ file: 'a.yaml', driven });
  expect(steps.map(({ line, status, headline }) => [line, status, headline])).toEqual([
    [1, 'passed', undefined],
    [5, 'passed', undefined],
    [7, 'skipped', 'not reached: interrupted'],
    [8, 'skipped', 'not reached: interrupted'],
  ]);
  expect(notes[0]).toContain('Interrupted');
});

it('a session that was aborted before it began has nothing to fail for', async () => {
  const { driven } = await live(session, undefined, { aborted: AbortSignal.abort() });
  const { steps } = compareSession({ file: 'a.yaml', driven });
  expect(new Set(steps.map(({ status }) => status))).toEqual(new Set(['skipped']));
});

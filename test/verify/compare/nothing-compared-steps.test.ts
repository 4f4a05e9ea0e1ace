import { expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { planClient } from '../../../src/replay/plan/client-plan.ts';
import { nothingVerified, unrecordedAnswerSteps } from '../../../src/verify/compare/nothing-compared-steps.ts';
import type { ServerRun } from '../../../src/verify/run/run-recorded-client.ts';
import { call, cassette, client, clientCloses, exits, result, server } from '../../support/conversation.ts';

function runOf(frames: readonly Frame[], { isHandWritten = false, answered = [] as number[] } = {}): ServerRun {
  const plan = planClient(cassette(...frames).events);
  const exchanges = answered.map((index) => ({ request: plan.entries[index]! }));
  return { plan, exchanges, isHandWritten, isProcess: true } as unknown as ServerRun;
}
const asked = client(call(1, 'add'));
const told = (run: ServerRun) =>
  unrecordedAnswerSteps(run, 'cassette.yaml').map(({ title, line, status, headline }) => [
    title,
    line,
    status,
    headline,
  ]);
const missing = (line: number) => [
  'tools/call "add"',
  line,
  'failed',
  'not compared: it has no answer in the cassette',
];

it('a call that a person left without an answer fails, and one that a server left so does not', () => {
  expect(told(runOf([asked], { isHandWritten: true }))).toEqual([missing(1)]);
  expect(told(runOf([client('{"id":1,"method":"tools/call","params":{"name":"add"}}')]))).toEqual([missing(1)]);
  expect(told(runOf([client('{"method":"tools/call","params":{"name":"add"}}')]))).toEqual([missing(1)]);
  expect(told(runOf([asked]))).toEqual([]);
  expect(told(runOf([asked, clientCloses], { isHandWritten: true }))).toEqual([]);
});

it('an answer with a wrong id fails where it was pasted, or where the live server answers', () => {
  expect(told(runOf([asked, server('{"id":2,"result":{}}'), clientCloses]))).toEqual([missing(1)]);
  const recorded = [asked, server(result(2, 'A')), clientCloses];
  expect(told(runOf(recorded))).toEqual([]);
  expect(told(runOf(recorded, { answered: [0] }))).toEqual([
    ['tools/call "add"', 1, 'failed', 'was answered; in the cassette the answer at line 2 has another id'],
  ]);
});

it('an outcome without anything that was compared fails, unless that the server ended was', () => {
  const skipped = { title: 'a', status: 'skipped' } as const;
  expect(nothingVerified([skipped], runOf([asked]))).toMatchObject([{ status: 'failed' }]);
  expect(nothingVerified([skipped, { title: 'b', status: 'passed' }], runOf([asked]))).toEqual([]);
  expect(nothingVerified([], runOf([exits(1)]))).toEqual([]);
});

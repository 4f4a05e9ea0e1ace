import { expect, it } from 'vitest';
import type { MessageFrame } from '../../../src/channel/frame.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { type HeldAnswer, HeldAnswers } from '../../../src/verify/run/answers-awaiting-approval.ts';

const said = (from: 'client' | 'server', message: object): MessageFrame => ({
  kind: 'message',
  at: 0,
  from,
  json: new JsonText(JSON.stringify(message)),
});
const client = (message: object) => said('client', message);
const server = (message: object) => said('server', message);

const changed = new JsonText('{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}');
const question = { jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: {} } as const;
const answer = client({ jsonrpc: '2.0', id: 1, result: { action: 'accept' } });

function holding() {
  const held: HeldAnswer[] = [];
  const answers = new HeldAnswers((one) => {
    held.push(one);
    return Promise.resolve(changed);
  });
  return { answers, held };
}

it('hold the answer to a question of the server, once', async () => {
  const { answers, held } = holding();
  answers.hear(server(question));
  expect(await answers.hold(answer)).toEqual({ ...answer, json: changed });
  expect(held[0]!.request.value).toEqual(question);
  expect(held[0]!.answer).toBe(answer.json);
  expect(answers.hold(answer)).toBeUndefined();
});

it('let everything else pass', () => {
  const { answers } = holding();
  answers.hear(server({ jsonrpc: '2.0', id: 1, method: 'ping' }));
  expect(answers.hold(answer)).toBeUndefined();
  answers.hear(server(question));
  expect(answers.hold(client({ jsonrpc: '2.0', id: 2, result: {} }))).toBeUndefined();
  expect(answers.hold(client({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))).toBeUndefined();
  expect(answers.hold({ kind: 'close', at: 0, from: 'client' })).toBeUndefined();
});

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

const required = server({
  jsonrpc: '2.0',
  id: 5,
  result: {
    resultType: 'input_required',
    requestState: 's',
    inputRequests: {
      city: { method: 'elicitation/create', params: { message: 'Which?' } },
      words: { method: 'sampling/createMessage' },
      other: { method: 'acme/ask' },
    },
  },
});
const repeated: MessageFrame = {
  ...answer,
  json: new JsonText(
    '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"arguments":{"n":12345678901234567890},"inputResponses":{"other":{},"city":{"action":"accept"},"words":{"role":"assistant"}},"requestState":"s"}}',
  ),
};

it('hold each answer inside of a repeated call, and send it with all of them; other bytes stay', async () => {
  const held: HeldAnswer[] = [];
  const approvals: ((json: JsonText) => void)[] = [];
  const answers = new HeldAnswers((one) => {
    held.push(one);
    return new Promise((approve) => approvals.push(approve));
  });
  answers.hear(required);
  const sending = answers.hold(repeated)!;
  expect(held.map(({ request, answer: given, isInput }) => [request.value, given.value, isInput])).toEqual([
    [
      { jsonrpc: '2.0', id: 'city', method: 'elicitation/create', params: { message: 'Which?' } },
      { jsonrpc: '2.0', id: 'city', result: { action: 'accept' } },
      true,
    ],
    [
      { jsonrpc: '2.0', id: 'words', method: 'sampling/createMessage' },
      { jsonrpc: '2.0', id: 'words', result: { role: 'assistant' } },
      true,
    ],
  ]);
  approvals[1]!(held[1]!.answer);
  approvals[0]!(new JsonText('{"jsonrpc":"2.0","id":"city","result":{"action":"decline"}}'));
  const sent = await sending;
  expect(sent).toMatchObject({ kind: 'message', from: 'client' });
  expect((sent as MessageFrame).json.text).toBe(repeated.json.text.replace('"accept"', '"decline"'));
  expect(answers.hold(sent)).toBeUndefined();
});

it('let a repeated call with answers to no question of the live server pass', () => {
  const { answers } = holding();
  expect(answers.hold(repeated)).toBeUndefined();
  answers.hear(required);
  const other = new JsonText(repeated.json.text.replace('"requestState":"s"', '"requestState":"t"'));
  expect(answers.hold({ ...repeated, json: other })).toBeUndefined();
});

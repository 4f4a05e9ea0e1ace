import { expect, it } from 'vitest';
import { JsonText } from '../../src/protocol/json-text.ts';
import { createRedactor } from '../../src/redact/redactor.ts';

const TOKEN = 'ghp_1a2B3c4D5e6F7g8H9i0J1k2L3m4N5o6P7q8R';
const env = { API_TOKEN: 'q7Wd-zzRt-91xK' };
const page = (value: string) => ({ jsonrpc: '2.0', id: 1, result: { tools: [], nextCursor: value } });
const next = (value: string) => ({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: { cursor: value } });
const state = (value: string) => ({ jsonrpc: '2.0', id: 3, result: { requestState: value } });
const text = (value: string) => ({ jsonrpc: '2.0', id: 4, result: { text: value } });
const json = (message: object) => new JsonText(JSON.stringify(message));

it.each([TOKEN, 'password=correct-horse-7', env.API_TOKEN])('%s stays in what the other side repeats', (value) => {
  for (const message of [page(value), next(value), state(value)]) {
    const given = json(message);
    expect(createRedactor({ env }).json(given)).toBe(given);
  }
  expect(createRedactor({ env }).json(json(text(value))).text).toContain('[redacted:');
});

it('a rule gives it the same placeholder on both sides', () => {
  const rules = [{ pointer: '/result/nextCursor' }, { pointer: '/params/cursor' }, { pointer: '/result/requestState' }];
  const redactor = createRedactor({ env: {}, rules });
  const kept = [page(TOKEN), next(TOKEN), state(TOKEN)].map((message) => redactor.json(json(message)).text);
  const placeholders = kept.map((one) => /\[redacted:[^\]]*\]/.exec(one)?.[0]);
  expect(new Set(placeholders).size).toBe(1);
  expect(placeholders[0]).toBeDefined();
});

import { expect, it } from 'vitest';
import type { Frame } from '../../src/channel/frame.ts';
import { recordedFailure } from '../../src/sweep/failure-in-recording.ts';
import { call, cassette, client, server } from '../support/conversation.ts';

const exit = (status: number): Frame => ({ kind: 'exit', at: 0, from: 'server', status });
const answered = (answer: object) => [client(call(1, 'work')), server({ jsonrpc: '2.0', id: 1, ...answer })];

it.each<[string, Frame[], string | undefined]>([
  [
    'an error',
    answered({ error: { code: -32603, message: 'no' } }),
    'A recorded request had failed with -32603 (line 2)',
  ],
  ['a failed call', answered({ result: { isError: true, content: [] } }), 'A recorded call had failed (line 2)'],
  ['a crash', [client(call(1, 'work')), exit(3)], 'The recorded server had ended with 3 (line 2)'],
  ['success', [...answered({ result: { content: [] } }), exit(0)], undefined],
])('a recorded session with %s', (_, frames, failure) => {
  expect(recordedFailure(cassette(...frames).events)).toBe(failure);
});

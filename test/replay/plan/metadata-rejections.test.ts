import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { META } from '../../../src/protocol/meta.ts';
import { planServer } from '../../../src/replay/plan/server-plan.ts';
import { cassette, client, play, request, result, server } from '../../support/conversation.ts';

const envelope = (more: object = {}) => ({
  [META.protocolVersion]: '2026-07-28',
  [META.clientCapabilities]: {},
  ...more,
});
const call = (id: number, _meta: object = envelope()) => request(id, 'tools/call', { name: 'a', _meta });
const list = (id: number, _meta: object = envelope()) => request(id, 'tools/list', { _meta });
const refused = (id: number, code: number) => ({ jsonrpc: '2.0', id, error: { code, message: 'no' } });

/** What a server says to `live` that answered in the cassette as `frames` say: a result's text, or an error's code. */
function answers(frames: Frame[], ...live: unknown[]): unknown[] {
  const { says, hears } = play(cassette(...frames));
  return live.map((message) => {
    says(message);
    const [answer] = hears() as { result?: { text: string }; error?: { code: number } }[];
    return answer?.result?.text ?? answer?.error?.code;
  });
}

describe('a recorded request that was refused', () => {
  const unknownVersion = envelope({ [META.protocolVersion]: '2099-01-01' });
  const { [META.clientCapabilities]: _, ...incomplete } = envelope();
  it.each([
    ['for its revision', -32022, unknownVersion],
    ['for a capability of the client', -32021, envelope({ [META.clientCapabilities]: { roots: {} } })],
    ['for what its envelope lacks', -32602, incomplete],
  ])('%s stands for those with the same envelope, each time, and for no others', (_name, code, asked) => {
    const frames = [client(call(1, asked)), server(refused(1, code)), client(call(2)), server(result(2, 'served'))];
    expect(answers(frames, call(7), call(8, asked), call(9, asked))).toEqual(['served', code, code]);
  });

  it('for its headers stands for none: there they are refused before anything looks at the message', () => {
    const frames = [client(list(1)), server(refused(1, -32020)), client(list(2)), server(result(2, 'listed'))];
    expect(answers(frames, list(8), list(9))).toEqual(['listed', 'listed']);
  });

  it('changes no list', () => {
    const frames = [
      client(list(1)),
      server(result(1, 'first')),
      client(call(2)),
      server(refused(2, -32020)),
      client(list(3)),
      server(result(3, 'second')),
    ];
    expect(answers(frames, list(8), list(9))).toEqual(['first', 'second']);
  });

  it('for its params is a call as others are, where it lacks nothing or nothing is asked for', () => {
    const frames = [client(call(1)), server(refused(1, -32602)), client(call(2)), server(result(2, 'served'))];
    expect(answers(frames, call(8), call(9))).toEqual([-32602, 'served']);
    const legacy = [client(call(1, {})), server(refused(1, -32602))];
    expect(planServer(cassette(...legacy).events).rejections.size).toBe(0);
  });
});

import { expect, it } from 'vitest';
import { unsentReason } from '../../../src/verify/run/server-run-result.ts';
import { call, cassette, client, request, server } from '../../support/conversation.ts';
import { live } from '../live.ts';

const said = (id: number, result: object) => ({ jsonrpc: '2.0', id, result });
const page = (cursor?: string) => ({ structuredContent: { ...(cursor && { nextCursor: cursor }) } });

const CAPTURE = '/result/structuredContent/nextCursor';
const handles = [{ capture: CAPTURE, use: '/params/arguments/cursor' }];

it('a request that repeats a value which the live answer lacks is not sent, and the reason names the place', async () => {
  const pages = cassette(
    client(call(1, 'list')),
    server(said(1, page('c14'))),
    client(call(2, 'list', { cursor: 'c14' })),
    server(said(2, page())),
  );
  const reasons = async (first: object) => {
    const { driven, heard } = await live(pages, (one) => [one.id === 1 ? said(1, first) : one], { handles });
    const [, second] = [...driven.plan.entries].filter(({ from }) => from === 'client');
    return [heard.filter((one) => typeof one === 'object').length, unsentReason(second!, driven)];
  };
  expect(await reasons(page())).toEqual([1, `not sent: the answer at line 2 has no ${CAPTURE} (handles)`]);
  expect(await reasons(page('c77'))).toEqual([2, undefined]);
});

it('so is a request with the cursor of a list that ended before', async () => {
  const list = cassette(
    client(request(1, 'tools/list')),
    server(said(1, { tools: [], nextCursor: 'p2' })),
    client(request(2, 'tools/list', { cursor: 'p2' })),
    server(said(2, { tools: [] })),
  );
  const { driven } = await live(list, (one) => [one.id === 1 ? said(1, { tools: [] }) : one]);
  const second = driven.plan.entries.find(({ from, index }) => from === 'client' && index > 0);
  expect(unsentReason(second!, driven)).toBe('not sent: the answer at line 2 has no /result/nextCursor');
});

import { expect, it } from 'vitest';
import { handleFetch } from '../../../src/mock/endpoint/fetch-handler.ts';
import { collectWeaklyHeld } from '../../support/collect-memory.ts';

const request = () => new Request('http://server.test/mcp', { method: 'POST', body: '{}' });

it.each([102, 199, 600])(
  'a recorded status %i, which no Response can have, is an error with code and next step',
  async (status) => {
    const answered = await handleFetch(request(), (_, reply) => {
      reply.answer({ status, body: 'x' });
      return () => {};
    });
    expect([answered.status, await answered.text()]).toEqual([
      500,
      expect.stringContaining(`Cannot replay the HTTP status ${status}`),
    ]);
    const begun = await handleFetch(request(), (_, reply) => {
      reply.begin({ status });
      reply.write(new Uint8Array(1));
      reply.end();
      return () => {};
    });
    expect([begun.status, await begun.text()]).toEqual([500, expect.stringContaining('[HTTP_STATUS_NOT_IN_FETCH]')]);
  },
);

it.each([200, 204, 404, 599])('the status %i passes', async (status) => {
  const response = await handleFetch(request(), (_, reply) => {
    reply.answer({ status });
    return () => {};
  });
  expect(response.status).toBe(status);
});

it('a client that leaves is heard, also when memory was collected before', async () => {
  const client = new AbortController();
  let left = 0;
  const { body } = await handleFetch(
    new Request('http://server.test/mcp', { method: 'POST', body: '{}', signal: client.signal }),
    (_, reply) => {
      reply.stream({});
      return () => left++;
    },
  );
  const reader = body!.getReader();
  await reader.read();
  await collectWeaklyHeld();
  client.abort();
  await expect(reader.read()).rejects.toMatchObject({ name: 'AbortError' });
  expect(left).toBe(1);
});

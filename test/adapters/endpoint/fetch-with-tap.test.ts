import { expect, it } from 'vitest';
import { fetchWithTap } from '../../../src/adapters/endpoint/fetch-with-tap.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { collectWeaklyHeld } from '../../support/collect-memory.ts';

it('a client that leaves is passed on to the server, also when memory was collected before', async () => {
  const client = new AbortController();
  let leave = (_: unknown) => {};
  const left = new Promise<unknown>((resolve) => {
    leave = resolve;
  });
  const kinds: string[] = [];
  const { body } = await fetchWithTap(
    new Request('http://server.test/mcp', { method: 'POST', body: '{}', signal: client.signal }),
    {
      send: async () => {
        const endless = new ReadableStream({ cancel: leave });
        return new Response(endless, { headers: { 'content-type': 'text/event-stream' } });
      },
      clock: systemClock,
      tap: ({ kind }) => void kinds.push(kind),
      signal: new AbortController().signal,
    },
  );
  const reader = body!.getReader();
  await reader.read();
  await collectWeaklyHeld();
  client.abort('enough');
  expect(await left).toBe('enough');
  expect(kinds).toEqual(['request', 'data', 'end', 'response', 'gone']);
});

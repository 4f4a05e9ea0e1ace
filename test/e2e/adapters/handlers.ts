import { expect, it } from 'vitest';
import { type Handler, tool } from '../../../src/adapters/mock.ts';
import { sdk1Over } from '../session/sdk-1.ts';
import { cassette, type Mocked } from './contract.ts';

/** What an endpoint with handlers must do. */
export function handlerContract(
  name: string,
  start: (cassette: string, handlers: readonly Handler[]) => Promise<Pick<Mocked, 'transport' | 'end'>>,
): void {
  it(`handlers of ${name} answer before the cassette`, async () => {
    const handlers = [tool('echo', ({ message }) => `a test says ${message}`)];
    const { transport, end } = await start(cassette, handlers);
    const peer = await sdk1Over(transport(1));
    const answer = await peer.request('tools/call', { name: 'echo', arguments: { message: 'yes' } });
    expect(answer).toMatchObject({ content: [{ type: 'text', text: 'a test says yes' }] });
    expect(await peer.request('tools/list')).toHaveProperty('tools');
    await peer.close();
    expect((await end()).findings.filter(({ kind }) => kind === 'miss')).toEqual([]);
  });
}

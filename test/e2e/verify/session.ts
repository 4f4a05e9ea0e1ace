import { fixture, recorder } from '../../support/process.ts';
import { connectSdk1 } from '../session/sdk-1.ts';

/** The server under test: as it was recorded, or drifted in the one way that `drift` names. */
export const server = (drift?: string) => fixture('drifts.js', ...(drift === undefined ? [] : [drift]));

/** Records a real client that tries everything the fixture has. */
export async function recordSession(file: string, drift?: string): Promise<void> {
  const peer = await connectSdk1(recorder(file, server(drift)));
  const call = (name: string, args: Record<string, unknown> = {}) =>
    peer.request('tools/call', { name, arguments: args }, { progress: name === 'work' });
  await peer.request('tools/list');
  await call('add', { a: 1, b: 2 });
  await call('work');
  await call('ask');
  await call('nothing').catch(() => {});
  await call('weather', { city: 'Oslo' });
  await peer.close();
}

import type { Peer } from '../session/peer.ts';

/**
 * What a client sees that polls for events before and after one happens. It stands on an SDK's requests of any method, because no
 * client has this one.
 */
export async function pollsOf(peer: Peer): Promise<unknown[]> {
  const asked = { name: 'incident.created', arguments: { service: 'db' } };
  const polls: { cursor?: string }[] = [];
  const poll = async () => {
    const { cursor = null } = polls.at(-1) ?? {};
    polls.push((await peer.request('events/poll', { ...asked, cursor })) as { cursor?: string });
  };
  await poll();
  await poll();
  await peer.request('tools/call', { name: 'break', arguments: { service: 'web' } });
  await peer.request('tools/call', { name: 'break', arguments: { service: 'db' } });
  await poll();
  await poll();
  await peer.close();
  return polls;
}

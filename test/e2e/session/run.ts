import type { Peer } from './peer.ts';
import type { Step } from './steps.ts';
import { failure, type Transcript } from './transcript.ts';

/** Takes a client through `steps`, one after the other, ends the session, and tells what the client saw. */
export async function runSession(peer: Peer, steps: readonly Step[]): Promise<Transcript> {
  const transcript: Transcript = [];
  let heardSoFar = 0;
  for (const { name, run } of steps) {
    const outcome = await run(peer).catch(failure);
    const heard = peer.heard.messages.slice(heardSoFar);
    heardSoFar += heard.length;
    transcript.push({ step: name, outcome, heard });
  }
  await peer.close();
  return transcript;
}

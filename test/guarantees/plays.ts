import type { TestedServer } from '../../src/adapters/mock-client/open-server-under-test.ts';
import type { SdkTransport } from '../../src/adapters/sdk.ts';
import { compareServer } from '../../src/adapters/test/verify-server.ts';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import { type Milliseconds, systemClock } from '../../src/kernel/clock.ts';
import { connectToServer, type ServerCommand } from '../../src/modes/connect-to-server.ts';
import { liveServerOverChannel } from '../../src/verify/run/live-server-over-channel.ts';
import { runRecordedClient } from '../../src/verify/run/run-recorded-client.ts';

/** How long the live side waits for what a difference keeps from coming: longer than a process takes to start. */
export const PATIENCE: Milliseconds = 3_000;

/** Says to `server` all that the client of `live` says. */
export async function played(live: string, server: TestedServer): Promise<void> {
  await compareServer(live, server, { patience: PATIENCE });
}

/** The same to a server that this starts: the status that it ends with. */
export async function playedToEnd(live: string, server: ServerCommand): Promise<number | string | undefined> {
  const clock = systemClock;
  const cassette = loadCassette(live);
  const driven = await new Promise<Awaited<ReturnType<typeof runRecordedClient>>>((resolve, reject) => {
    connectToServer(server, { clock, started() {}, failed: reject })
      .then((channel) =>
        runRecordedClient({ cassette, clock, patience: PATIENCE, server: liveServerOverChannel(channel, clock) }),
      )
      .then(resolve, reject);
  });
  return driven.exit?.status;
}

/** Says to a client's transport all that the client of `live` says, and waits until all of it was sent. */
export async function playedThrough(live: string, transport: SdkTransport): Promise<void> {
  const sent: Promise<void>[] = [];
  await played(live, async (own) => {
    own.onmessage = (message) => void sent.push(transport.send(message).catch(() => {}));
    // What comes when the recorded client has ended reaches nobody.
    transport.onmessage = (message) => void own.send(message).catch(() => {});
    await transport.start();
    await own.start();
  });
  await Promise.all(sent);
  await transport.close();
}

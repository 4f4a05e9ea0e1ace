import { replayTransport, type SdkTransport } from '../../../src/adapters/sdk.ts';

/**
 * Joins two transports, of which one is a client's and the other a server's: what one hears the other says. What the other
 * says after the one has closed goes nowhere, as on a socket.
 */
export async function joined(one: SdkTransport, other: SdkTransport): Promise<void> {
  let isClosed = false;
  one.onmessage = (message) => void other.send(message);
  other.onmessage = (message) => {
    if (!isClosed) void one.send(message);
  };
  one.onclose = () => {
    isClosed = true;
    void other.close();
  };
  await other.start();
  await one.start();
}

/** A server in this process, which answers as in the cassette: connect it to a transport. */
export function recordedServer(cassette: string): (transport: SdkTransport) => Promise<void> {
  return (transport) => joined(transport, replayTransport(cassette));
}

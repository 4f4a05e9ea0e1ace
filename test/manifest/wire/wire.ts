import type { Cassette } from '../../../src/cassette/cassette.ts';
import type { Ignore } from '../../../src/match/ignore-rules.ts';
import type { Redactor } from '../../../src/redact/redactor.ts';
import type { Finding } from '../../../src/replay/findings/finding.ts';
import type { LiveRedaction } from '../../../src/verify/compare/equal-placeholders.ts';
import type { ServerRun } from '../../../src/verify/run/run-recorded-client.ts';
import type { Line } from './line.ts';
import type { Peer } from './peer.ts';

/** How messages travel. */
export type Transport = 'stdio' | 'Streamable HTTP' | 'HTTP+SSE';

/** Two peers, and a recorder between them. */
export interface Recording {
  client: Peer;
  server: Peer;
  /** Ends the session. The cassette of it. */
  cassette(): Promise<Cassette>;
}

/** A client, and a mock server. */
export interface Served {
  client: Peer;
  server: Pick<Peer, 'inbox'>;
  /** Ends the session. What the mock server had to say of it. */
  findings(): Promise<Finding[]>;
}

/** A server, and a mock client, which ends by itself. */
export interface Drove {
  server: Peer;
  driven: Promise<ServerRun>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The three things the tool does, over one transport. */
export interface Wire {
  /** Without a redactor, secrets stay in the cassette. */
  record(folder: string, redactor?: () => Redactor): Promise<Recording>;
  serve(cassette: Cassette, ignore?: readonly Ignore[]): Promise<Served>;
  drive(cassette: Cassette, redaction?: LiveRedaction): Promise<Drove>;
}

/** Says `lines` in order. Each has been heard before the next is said, but for those that cross it. */
export async function converse(
  lines: readonly Line[],
  { client, server }: { client?: Peer; server?: Partial<Peer> },
): Promise<void> {
  const speaker = { client, server };
  let crossing: Line[] = [];
  const hear = async (line: Line) => {
    await speaker[line.from === 'client' ? 'server' : 'client']?.inbox?.take(line.message);
    const revision = line.message.result?.protocolVersion;
    if (line.from === 'server' && typeof revision === 'string') client?.agree?.(revision);
  };
  for (const line of lines) {
    await speaker[line.from]?.say?.(line);
    crossing.push(line);
    if (line.crosses) continue;
    for (const said of crossing) await hear(said);
    crossing = [];
  }
}

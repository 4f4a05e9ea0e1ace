import type { Cassette } from '../../cassette/cassette.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { Parent } from '../../transports/stdio/parent-channel.ts';

/** A fork that a page asks for. Only the command line names the server. */
export interface RequestedFork {
  file: string;
  /** Last line that is played. */
  line: number;
  /** Whether the cassette answers the client up to the line. */
  withClient: boolean;
  /** Path of the new cassette. */
  output: string;
  /** Takes what the user of the client should know. */
  say(text: string): void;
}

/** A fork that has a cassette and a server, and no client yet. */
export interface ForkedSession {
  /** Cassette up to the line. */
  prefix: Cassette;
  report(finding: Finding): void;
  /** Plays the fork to the end of its server, and writes its cassette. Resolves to the reason why it ended early. */
  run(client: Parent): Promise<McpRecordError | undefined>;
}

/** Prepares a fork, as the command `fork` does. Rejects with the error of that command. */
export type PrepareFork = (requested: RequestedFork) => Promise<ForkedSession>;

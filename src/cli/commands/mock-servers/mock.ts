import type { Command } from 'commander';
import { systemClock as clock, type Milliseconds } from '../../../kernel/clock.ts';
import { messageOf } from '../../../kernel/errors.ts';
import { watchFile } from '../../../kernel/watch-paths.ts';
import { readMockFile } from '../../../mock/file/mock-file.ts';
import type { Handler } from '../../../mock/handler.ts';
import { ServerHandlers } from '../../../mock/server/handlers-and-sessions.ts';
import { type Expectations, expectationsOf, isFailure } from '../../../replay/findings/failure-policy.ts';
import type { Finding } from '../../../replay/findings/finding.ts';
import { STDIO_PROGRESS_GAP } from '../../../replay/player/delay-response-after-progress.ts';
import { lineChannel } from '../../../transports/stdio/line-channel.ts';
import { openParent } from '../../../transports/stdio/parent-channel.ts';
import { childExitStatus } from '../../io/child-exit-status.ts';
import { EXIT, say } from '../../io/output.ts';
import { sayWaitingForClient } from '../../io/waiting-for-client-hint.ts';
import type { AuthOptions } from '../../options/mock-auth-options.ts';
import { parseReaction } from './on-difference-option.ts';

export interface Options extends AuthOptions {
  http?: boolean;
  listen: string;
  path: string;
  allowHost: string[];
  control?: string;
  onDifference?: string;
}

/** Mock server from a file, which is reloaded after each change. */
export interface ServedMock {
  file: string;
  handlers: ServerHandlers;
  /** Handlers from the mock file as first loaded. */
  initial: readonly Handler[];
  /** Findings that fail the run. */
  expectations: Required<Expectations>;
  report(finding: Finding): void;
  /** Exit status: 1 if a finding fails the run. */
  readonly status: number;
}

/** Runs `mcp-record mock FILE`: serves a mock file on standard input and output, or over HTTP. */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const file = command.args[0]!;
  if (options.control !== undefined) return (await import('./mock-http-with-control.ts')).run(file, options);
  const expectations = expectationsOf(false, parseReaction(options.onDifference));
  const mock = open(file, { expectations, ...(!options.http && { progressGap: STDIO_PROGRESS_GAP }) });
  if (options.http) return (await import('./mock-http.ts')).run(mock, options);
  const parent = openParent(clock);
  sayWaitingForClient(`playing the server of ${mock.file}`);
  const signalled = await new Promise<number | undefined>((resolve) => {
    mock.handlers.channel(lineChannel(parent, 'client', clock), mock.report).channel.listen((frame) => {
      if (frame.kind === 'signal') resolve(childExitStatus(frame.signal));
      if (frame.kind === 'close') void mock.handlers.idle().then(() => resolve(undefined));
      if (frame.kind === 'line')
        mock.report({ kind: 'miss', text: `A line of the client is no message: ${String(frame.data)}` });
    });
  });
  for (const finding of mock.handlers.openFindings) mock.report(finding);
  await new Promise<void>((resolve) => parent.flushed(resolve));
  process.exit(mock.status || signalled);
}

/** Reads a mock file again on every change. An invalid file leaves the mock unchanged. */
export function readAgain(file: string, handlers: ServerHandlers): void {
  watchFile(file, () => {
    try {
      const { handlers: changed, ...description } = readMockFile(file);
      handlers.replace(changed, description);
      say(`read ${file} again`);
    } catch (error) {
      say(`${messageOf(error)}\n  The mock stays as it was.`);
    }
  });
}

/** Opens a mock file, and reads it again on every change. */
function open(
  file: string,
  { expectations, ...gap }: { expectations: Required<Expectations>; progressGap?: Milliseconds },
): ServedMock {
  const { handlers: initial, ...description } = readMockFile(file);
  const handlers = new ServerHandlers({ handlers: initial, description, clock, ...gap });
  let status: number = EXIT.ok;
  readAgain(file, handlers);
  return {
    file,
    handlers,
    initial,
    expectations,
    report({ kind, text }) {
      say(text);
      if (isFailure(kind, expectations)) status = EXIT.fellShort;
    },
    get status() {
      return status;
    },
  };
}

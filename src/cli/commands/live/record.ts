import type { Command } from 'commander';
import type { Channel } from '../../../channel/channel.ts';
import { type Milliseconds, systemClock } from '../../../kernel/clock.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { recordStdio } from '../../../record/stdio/record-stdio.ts';
import type { Redactor } from '../../../redact/redactor.ts';
import { startChild } from '../../../transports/stdio/child-process.ts';
import { openParent } from '../../../transports/stdio/parent-process.ts';
import { childExitStatus } from '../../io/child-exit-status.ts';
import { CASSETTE_FAILED, cannotStart, cassetteNotWritten } from '../../io/failure-exit-codes.ts';
import { EXIT, fail } from '../../io/output.ts';
import { sayWaitingForClient } from '../../io/waiting-for-client-hint.ts';
import { parseTiming } from '../../options/delay-precision-option.ts';
import { type FaultOptions, fallsShort, faultsOf } from '../../options/fault-options.ts';
import { headersFrom } from '../../options/header-options.ts';
import { type RedactionOptions, redactorFor, rulesFrom } from '../../options/redaction-options.ts';

interface Options extends RedactionOptions, FaultOptions {
  output: string;
  timing: string;
  http?: string;
  stdio?: boolean;
  header: string[];
  redact: boolean;
}

/**
 * Runs `mcp-record record -o FILE -- COMMAND…`: records a server, in its place in a client's configuration. With
 * `--http`, records a running server.
 */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const { output, timing, http, stdio = false, redact } = options;
  const words = command.args[0] === '--' ? command.args.slice(1) : command.args;
  requireOneServer(words, http);
  if (http !== undefined && !stdio) return (await import('./record-http.ts')).run(command);
  const gap = parseTiming(timing);
  const rules = await rulesFrom(options);
  const connect = http === undefined ? undefined : await httpChannel(http, options);
  const faults = await faultsOf(options, 'stdio');
  const faultLayer = faults
    ? await (await import('../../options/faults-before-server.ts')).faultLayerFor(faults)
    : undefined;
  const parent = openParent(systemClock);
  sayWaitingForClient(`recording ${http ?? words.join(' ')}`);
  let fellShort = false;
  let endCassette = (_isStarted: boolean) => {};

  const broken = (error: unknown) => {
    fellShort = true;
    fail(cassetteNotWritten(output, error));
  };
  let redactFinishedCassette = () => Promise.resolve();
  /** Loads its code at the end of the session: few sessions need it, and it imports the cassette reader. */
  const redactAgain = (path: string, redactor: Redactor) => {
    redactFinishedCassette = async () =>
      (await import('../../../record/redact-file/redact-finished.ts')).redactFinished(path, redactor);
  };
  let sayRecorded = () => Promise.resolve();
  /**
   * Reports the recording. Standard error also belongs to the server: unless it is a terminal, only redactions are
   * reported.
   */
  const finished = (path: string, redactor: Redactor | undefined) => {
    const isSilent = !redactor?.hasRedacted() && !redactor?.hasUnredactable();
    if (isSilent && !process.stderr.isTTY) return;
    sayRecorded = async () => (await import('../../io/print-recording-summary.ts')).sayRecorded(path, redactor);
  };
  const recorder = async () => {
    const [{ StdioRecorder }, { recordingDestination }, redactor] = await Promise.all([
      import('../../../record/stdio/stdio-recorder.ts'),
      import('../../io/recording-destination.ts'),
      redactorFor(redact, rules),
    ]);
    const cassettes = recordingDestination(output, http === undefined ? words : [nameOf(http)]);
    const made = new StdioRecorder({
      ...cassettes,
      clock: systemClock,
      gap,
      redactor,
      redactAgain,
      failed: broken,
      finished,
    });
    // A server that never started leaves no cassette, unless the client sent a message.
    endCassette = (isStarted) => void ((isStarted || !made.isBlank) && made.end('complete'));
    return made;
  };

  const start = (failed: Failed) => startChild({ command: words, clock: systemClock, failed });
  const reach = connect ?? start;
  const server = faultLayer ? (failed: Failed) => faultLayer.channel(reach(failed)) : reach;
  const end = await recordStdio({ server, parent, recorder, broken });
  endCassette(!('error' in end));
  await redactFinishedCassette().catch(broken);
  await sayRecorded();
  await new Promise<void>((resolve) => parent.flushed(resolve));
  if ('error' in end) process.exit(cannotStart(end.error));
  const isShort = faults !== undefined && fallsShort(faults, faultLayer?.unfired() ?? [], options);
  process.exit(childExitStatus(end.status) || (fellShort ? CASSETTE_FAILED : isShort ? EXIT.fellShort : 0));
}

type Failed = (error: McpRecordError) => void;

/** Maximum wait for the first event of HTTP with SSE. */
const PATIENCE: Milliseconds = 10_000;

/** Returns a channel to a server over HTTP, for a client over stdio. */
async function httpChannel(url: string, { header }: Options): Promise<(failed: Failed) => Channel> {
  const [{ stdioBridge }, { parseUpstream }] = await Promise.all([
    import('../../../transports/http/client/stdio-bridge.ts'),
    import('../../../transports/http/upstream/parse-upstream.ts'),
  ]);
  const upstream = parseUpstream(url, process.env);
  const headers = headersFrom(header, process.env);
  return (failed) => stdioBridge({ upstream, headers, clock: systemClock, patience: PATIENCE, failed });
}

/** Returns the cassette's name for a server at `url`. */
function nameOf(url: string): string {
  return new URL(url).host.replaceAll(':', '-');
}

function requireOneServer(command: readonly string[], http: string | undefined): void {
  if (command.length > 0 !== (http !== undefined)) return;
  throw new McpRecordError({
    code: 'USAGE_ONE_SERVER',
    what: 'Cannot tell which server to record',
    why: http === undefined ? 'there is neither a command nor --http' : 'there is a command and --http',
    next: 'Give either the command that starts it, after --, or its URL: --http https://example.com/mcp',
  });
}

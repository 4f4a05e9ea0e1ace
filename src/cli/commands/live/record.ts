import type { Command } from 'commander';
import { systemClock } from '../../../kernel/clock.ts';
import type { McpRecordError } from '../../../kernel/errors.ts';
import { type RecordEnd, recordStdio } from '../../../record/stdio/record-stdio.ts';
import { openParent, type Parent } from '../../../transports/stdio/parent-channel.ts';
import { childExitStatus } from '../../io/child-exit-status.ts';
import { EXIT, say } from '../../io/output.ts';
import { CASSETTE_FAILED, cannotStart } from '../../io/recording-failures.ts';
import { sayWaitingForClient } from '../../io/waiting-for-client-hint.ts';
import { parseTiming } from '../../options/delay-precision-option.ts';
import { type FaultOptions, fallsShort, faultsOf } from '../../options/fault-options.ts';
import { tracedBy } from '../../options/otlp-option.ts';
import { type RedactionOptions, rulesFrom } from '../../options/redaction-options.ts';
import { prepareStdioRecorder, type StdioRecording } from '../../record/prepare-stdio-recorder.ts';
import { recordedServer, requireOneServer } from '../../record/server-to-record.ts';

interface Options extends RedactionOptions, FaultOptions {
  output: string;
  timing: string;
  http?: string;
  proxy?: string;
  stdio?: boolean;
  lists?: boolean;
  header: string[];
  redact: boolean;
  restartOn?: string;
  watch: string[];
  otlp?: string | true;
}

/**
 * Runs `mcp-record record -o FILE -- COMMAND…`: records a server, in its place in a client's configuration. With
 * `--http`, records a running server; with `--proxy`, those that a client calls. With `--lists`, there is no client.
 */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const { output, timing, http, stdio = false, redact } = options;
  const words = command.args[0] === '--' ? command.args.slice(1) : command.args;
  if (options.proxy !== undefined) return (await import('../../record/record-proxy.ts')).run(command);
  requireOneServer(words, http, 'record');
  const restarted =
    options.restartOn === undefined || (http !== undefined && !stdio)
      ? undefined
      : (await import('../../record/restarted-server.ts')).restartedServer(words, options);
  if (options.lists) return (await import('./record-lists.ts')).run(command);
  if (http !== undefined && !stdio) return (await import('./record-http.ts')).run(command);
  const gap = parseTiming(timing);
  const traced = await tracedBy(options.otlp);
  const rules = await rulesFrom(options);
  const { channel, name, given } = await recordedServer(words, options);
  const faults = await faultsOf(options, 'stdio');
  const faultLayer = faults ? await (await import('../../options/fault-layer.ts')).faultLayerFor(faults) : undefined;
  const own = openParent(systemClock);
  const parent = restarted?.client(own) ?? own;
  if (restarted?.watching !== undefined) say(restarted.watching);
  sayWaitingForClient(`recording ${http ?? words.join(' ')}`);
  const recording = prepareStdioRecorder({ output, server: name, given, gap, redact, rules, traced });

  const server = faultLayer
    ? (failed: (error: McpRecordError) => void) => faultLayer.channel(channel(failed))
    : (restarted?.channel ?? channel);
  const end = await recordStdio({ server, parent, recorder: recording.recorder, broken: recording.broken });
  const status = await endRecording({ recording, end, parent });
  const isShort = !('error' in end) && faults !== undefined && fallsShort(faults, faultLayer?.unfired() ?? [], options);
  process.exit(status || (isShort || restarted?.hasGivenUp() ? EXIT.fellShort : EXIT.ok));
}

interface EndedRecording {
  recording: StdioRecording;
  end: RecordEnd;
  parent: Parent;
}

/** Ends the cassette of a session whose server has ended, and waits until the client has read all. Returns the exit status. */
export async function endRecording({ recording, end, parent }: EndedRecording): Promise<number> {
  const isWhole = await recording.end(!('error' in end));
  await new Promise<void>((resolve) => parent.flushed(resolve));
  if ('error' in end) return cannotStart(end.error);
  return childExitStatus(end.status) || (isWhole ? EXIT.ok : CASSETTE_FAILED);
}

import { systemClock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { formatCount } from '../../kernel/format-count.ts';
import type { CassetteWriterOptions } from '../../record/writer/cassette-writer.ts';
import { LiveTraces } from '../../traces/live-traces.ts';
import { otlpTarget } from '../../traces/otlp-target.ts';
import { missingVariablesAdvice } from '../io/client-environment.ts';
import { say } from '../io/output.ts';

type Destination = Pick<CassetteWriterOptions, 'open' | 'named'>;

/** Recording whose spans are sent to a collector meanwhile. */
export interface TracedRecording {
  /** Returns a destination whose cassettes are followed. */
  of(destination: Destination): Destination;
  /** Takes note of a complete cassette. */
  finished(path: string): void;
  /** Sends the rest, within a bounded time, and says what was not sent. */
  end(): Promise<void>;
}

/**
 * Starts to send spans to the collector of `--otlp`, which may have a URL. Failures are printed, and never keep the
 * session or the recording from going on.
 * @throws McpRecordError as `otlpTarget`
 */
export function tracedRecording(given: string | true): TracedRecording {
  const target = otlpTarget(given, process.env);
  const { shown } = target;
  const traces = new LiveTraces({ target, clock: systemClock, failed: (why) => say(notSent(shown, why).message) });
  return {
    of: ({ open, named }) => ({
      open() {
        const file = open();
        traces.follow(file);
        return file;
      },
      named(path) {
        traces.named(path);
        named?.(path);
      },
    }),
    finished: (path) => traces.finished(path),
    async end() {
      const totals = await traces.end();
      const sent = formatCount(totals?.sent ?? 0, 'span');
      if (totals === undefined || totals.isCut || totals.refused > 0)
        say(`${totals ? sent : 'Not all spans'} of this recording reached ${shown}, others did not. ${CONVERT}`);
      // The server shares standard error, so success is reported only on a terminal.
      else if (process.stderr.isTTY) say(`${sent} → ${shown}`);
    },
  };
}

const CONVERT = 'The cassette has them all: mcp-record convert cassette.yaml trace.json --to otlp';

function notSent(shown: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'OTLP_NOT_SENT',
    what: `Cannot send traces to ${shown}`,
    why,
    next: `The recording goes on, and says at its end what was not sent. Start the collector, or correct its address and OTEL_EXPORTER_OTLP_HEADERS.${missingVariablesAdvice(['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS'])}`,
  });
}

import { parentPort, workerData } from 'node:worker_threads';
import type { Creator } from '../convert/otlp/otlp-types.ts';
import { systemClock } from '../kernel/clock.ts';
import type { GrowingTraceOptions } from './growing-trace.ts';
import type { OtlpTarget } from './otlp-target.ts';
import { type ExportTotals, TraceExporter } from './trace-exporter.ts';

/** Start data of the thread. */
export interface ThreadData {
  target: OtlpTarget;
  creator: Creator;
}

/** Message to the thread. */
export type ToThread =
  | { kind: 'open'; id: number; cassette: GrowingTraceOptions }
  | { kind: 'rename'; id: number; path: string }
  | { kind: 'end' };

/** Message of the thread. */
export type FromThread = { kind: 'failed'; why: string } | { kind: 'ended'; totals: ExportTotals };

/** Runs an exporter in this thread, if it is the thread of one: reading and sending never keeps a message waiting there. */
function serve(port: NonNullable<typeof parentPort>, { target, creator }: ThreadData): void {
  const answer = (message: FromThread) => port.postMessage(message);
  const failed = (why: string) => answer({ kind: 'failed', why });
  const exporter = new TraceExporter({ target, creator, clock: systemClock, failed });
  port.on('message', (message: ToThread) => {
    if (message.kind === 'open') exporter.open(message.id, message.cassette);
    else if (message.kind === 'rename') exporter.rename(message.id, message.path);
    else void exporter.end().then((totals) => answer({ kind: 'ended', totals }));
  });
}

if (parentPort) serve(parentPort, workerData as ThreadData);

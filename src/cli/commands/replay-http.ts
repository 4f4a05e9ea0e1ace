import { systemClock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { unguessable } from '../../kernel/random.ts';
import type { Finding } from '../../replay/finding.ts';
import { httpTape } from '../../replay/http-tape.ts';
import { HttpServer } from '../../replay/serve-http.ts';
import { parseTiming } from '../../replay/timing.ts';
import { listen } from '../../transports/http/listener.ts';
import { addressOf } from '../address.ts';
import { EXIT, say } from '../output.ts';
import { probeOf } from '../probe.ts';
import { secretsAlikeFor, withSecrets } from '../secrets.ts';
import { tapesAt } from '../tapes.ts';
import type { Options } from './replay.ts';

const BODY_BYTES_MAX = 64 * 1024 * 1024;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** `mcp-record replay PATH --http`: the recorded server over Streamable HTTP, until it is told to stop. */
export async function run(tapePath: string, options: Options): Promise<number> {
  const cassettes = await Promise.all(
    tapesAt(tapePath).map((taped) => (options.secretsFromEnv ? withSecrets(taped, 'server', true) : taped)),
  );
  const { timing, ignore, strict = false, allowHost, path } = options;
  if (options.faults !== undefined || options.fault.length > 0) throw noFaults();
  let fellShort = false;
  let isOver = false;
  const report = ({ kind, text }: Finding) => {
    // Each client uses what it uses: what one of several did not is worth a word only where that fails the run.
    if (isOver && (kind === 'unused' || kind === 'unsent') && !strict) return;
    say(text);
    fellShort ||= kind === 'miss' || (strict && kind === 'unused');
  };
  for (const { warnings } of cassettes) for (const warning of warnings) say(warning);
  const secretsAlike = await Promise.all(cassettes.map(secretsAlikeFor));
  const server = new HttpServer({
    tapes: cassettes.map((cassette) => httpTape(cassette, probeOf(cassette.file))),
    clock: systemClock,
    timing: parseTiming(timing),
    ignore: [...ignore, ...(secretsAlike.find(({ length }) => length > 0) ?? [])],
    report,
    newSession: unguessable,
  });
  const listener = await listen({
    ...addressOf(options.listen),
    path,
    allowed: allowHost,
    bodyMax: BODY_BYTES_MAX,
    serve: server.serve,
  });
  say(`listening on ${listener.url} for ${tapePath}`);
  await new Promise<void>((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve());
  });
  isOver = true;
  server.end();
  await listener.close();
  process.exit(fellShort ? EXIT.fellShort : EXIT.ok);
}

function noFaults(): McpRecordError {
  return new McpRecordError({
    code: 'FAULT_NO_MEANING',
    what: 'Cannot misbehave over HTTP',
    why: 'faults are not there for HTTP yet',
    next: 'Leave --http out to misbehave over stdio.',
  });
}

import { join } from 'node:path';
import { CassetteFile } from '../../cassette/write/cassette-file.ts';
import { systemClock as clock } from '../../kernel/clock.ts';
import { rewordForScenario } from '../../modes/reword-ignore-advice.ts';
import { HttpRecorder } from '../../record/http/http-traffic-recorder.ts';
import { type Finding, titleOf } from '../../replay/findings/finding.ts';
import { unusedByAll } from '../../replay/findings/unused-entries.ts';
import { httpCassettes } from '../../replay/http/http-cassette.ts';
import type { PlayedRun } from '../../replay/player/player-options.ts';
import { discoverResponseFromProbe } from '../../replay/prepare/recorded-discover.ts';
import { parseTiming } from '../../replay/timing.ts';
import type { Evidence } from '../../scenario/scenario-judge.ts';
import { runCommand } from '../../sweep/client/run-command.ts';
import { substituteAddress } from '../../sweep/client/server-address.ts';
import { unreachedServerError } from '../../sweep/client/unreached-server-error.ts';
import { startReverseProxy } from '../../transports/http/proxy/reverse-proxy.ts';
import { UncomparedPlaceholders } from '../commands/mock-servers/uncompared-placeholders.ts';
import { cassetteNotWritten } from '../io/recording-failures.ts';
import { redactorFor, rulesFrom } from '../options/redaction-options.ts';
import { maskSecretsFor } from '../options/restore-secrets-from-env.ts';
import { ANY_PORT, BODY_BYTES_MAX, faultyHttpMockServer } from './faulty-http-mock-server.ts';
import { observed, type PlayedScenario } from './observed-run.ts';

/**
 * Runs a client under test against the played server, to which it connects by a URL. A recorder sits between them, with
 * the faults on its far side.
 */
export async function playOverHttp(played: PlayedScenario, tested: readonly string[]): Promise<Evidence> {
  const { scenario, cassette, folder, options } = played;
  const { rules, seed, timing, deadline } = scenario;
  const redaction = await rulesFrom(options);
  const cassettes = httpCassettes(cassette, discoverResponseFromProbe(cassette.file));
  const findings: Finding[] = [];
  const runs: PlayedRun[] = [];
  const noted: { rule: number; unchanged?: string }[] = [];
  const note = (one: { rule: number; unchanged?: string }) => void noted.push(one);
  const server = await faultyHttpMockServer({
    cassettes,
    ignore: await maskSecretsFor(cassette, redaction),
    timing: parseTiming(timing),
    report: (finding) => void findings.push(finding),
    finished: (run) => void runs.push(run),
    faults: { rules, seed, fired: note, unchanged: note },
  });
  const file = join(folder, 'cassette.yaml');
  let failure: unknown;
  const failed = (error: unknown) => {
    failure ??= cassetteNotWritten(file, error);
  };
  const recorder = new HttpRecorder({
    open: () => new CassetteFile(file),
    upstream: server.address,
    clock,
    gap: 'exact',
    redactor: await redactorFor(true, redaction),
    holdBytesMax: BODY_BYTES_MAX,
    idleMax: Number.POSITIVE_INFINITY,
    cut() {},
    failed,
  });
  const proxy = await startReverseProxy({
    upstream: server.address,
    listen: ANY_PORT,
    allowed: [],
    clock,
    exchange: () => recorder.exchange(),
    trouble() {},
  });
  const at = { url: proxy.origin + server.address.path };
  let ended: Awaited<ReturnType<typeof runCommand>>;
  try {
    ended = await runCommand({ ...substituteAddress(at, tested, process.env), deadline, clock });
  } finally {
    await proxy.close();
    await server.close();
    recorder.end('complete');
  }
  if (failure !== undefined) throw failure;
  if (!ended.timedOut && !server.reached())
    throw unreachedServerError({ subcommand: 'run', command: tested, at, ended });
  const uncompared = new UncomparedPlaceholders();
  for (const run of runs) uncompared.add(run);
  for (const finding of findings) uncompared.found(finding);
  const guessed = [...findings.filter(({ kind }) => kind === 'guessed'), uncompared.finding(cassette.file, options)];
  const unused = cassettes.flatMap((one) => unusedByAll(one, runs).flatMap(({ entries = [] }) => entries));
  return {
    ...(await observed(ended, played)),
    played: cassette,
    fired: noted.flatMap(({ rule, unchanged }) => (unchanged === undefined ? [rule] : [])),
    unchanged: noted.flatMap(({ rule, unchanged: why }) => (why === undefined ? [] : [{ rule, why }])),
    misses: findings.filter(({ kind }) => kind === 'miss').map(rewordForScenario),
    unused: unused.map(({ message, line }) => `${titleOf(message)} (${cassette.file}:${line})`),
    uncompared: [...new Set(guessed.flatMap((one) => one?.text ?? []))],
  };
}

import type { Cassette } from '../../../cassette/cassette.ts';
import type { HttpProxy } from '../../../fault-proxy/http-fault-proxy.ts';
import { insufficientScope } from '../../../faults/authorization/insufficient-scope.ts';
import { tokenRefused } from '../../../faults/authorization/token-refused.ts';
import type { Fired } from '../../../faults/engine/fault-injector.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { unguessable } from '../../../kernel/random.ts';
import type { Ignore } from '../../../match/ignore-rules.ts';
import { RefusedClients } from '../../../mock/authorization/refused-clients.ts';
import { expectationsOf, isFailure } from '../../../replay/findings/failure-policy.ts';
import type { Finding } from '../../../replay/findings/finding.ts';
import { unusedByAll } from '../../../replay/findings/unused-entries.ts';
import { httpCassettes } from '../../../replay/http/http-cassette.ts';
import { HttpMockHandler } from '../../../replay/http/http-mock-handler.ts';
import { SSE_ENDPOINT, SSE_PATH } from '../../../replay/http/legacy-sse-server.ts';
import { discoverResponseFromProbe } from '../../../replay/prepare/recorded-discover.ts';
import { parseTiming } from '../../../replay/timing.ts';
import { printable } from '../../../text-report/printable-text.ts';
import { byName } from '../../../transports/http/http1/raw-headers.ts';
import { listen } from '../../../transports/http/server/http-listener.ts';
import { parseUpstream } from '../../../transports/http/upstream/parse-upstream.ts';
import { childExitStatus } from '../../io/child-exit-status.ts';
import { loadCassettes, warningOfNoRequests } from '../../io/load-cassettes.ts';
import { EXIT, say } from '../../io/output.ts';
import { untilSignal } from '../../io/signals.ts';
import { sayHowToEnd } from '../../io/waiting-for-client-hint.ts';
import { type Faults, fallsShort, faultsOf } from '../../options/fault-options.ts';
import { type GivenIgnores, givenIgnores, sayUnusedIgnores } from '../../options/ignore-options.ts';
import { parseListenAddress } from '../../options/listen-address.ts';
import { protectedServerFor } from '../../options/mock-auth-options.ts';
import { rulesFrom } from '../../options/redaction-options.ts';
import { maskSecretsFor, secretsFromEnv, withSecrets } from '../../options/restore-secrets-from-env.ts';
import { redactionOfSecrets } from '../../reports/output-redactor.ts';
import { UsedRequestsCount } from '../../terminal/used-requests-count.ts';
import { parseReaction, REPLAY_FAILS, withFailingOption } from './on-difference-option.ts';
import type { Options } from './replay.ts';
import { UncomparedPlaceholders } from './uncompared-placeholders.ts';

const BODY_BYTES_MAX = 64 * 1024 * 1024;

/** Runs `mcp-record replay PATH --http`: serves a cassette over Streamable HTTP, until a signal. */
export async function run(cassettePath: string, options: Options): Promise<number> {
  const { cassettes, ignore, given } = await servedCassettes(cassettePath, options);
  const { timing, strict = false, allowHost, path, repeat } = options;
  const asked = await faultsOf(options, 'http', 'client', cassettes);
  const faults = asked && {
    ...asked,
    fired(one: Fired) {
      asked.fired(one);
      server.faulted(one);
      authorization?.faulted(one);
    },
  };
  let fellShort = false;
  let isOver = false;
  /** Texts of the findings at the end, of all sessions. */
  const atEnd: string[] = [];
  const expectations = expectationsOf(strict, parseReaction(options.onDifference));
  const redact = await redactionOfSecrets(options);
  const uncompared = new UncomparedPlaceholders();
  const report = ({ kind, text }: Finding) => {
    uncompared.found({ kind, text });
    if (isOver) atEnd.push(text);
    else say(redact(text));
    fellShort ||= isFailure(kind, expectations);
  };
  const played = cassettes.flatMap((cassette) => httpCassettes(cassette, discoverResponseFromProbe(cassette.file)));
  let isPlayed = false;
  const requests = new UsedRequestsCount(played.map(({ plan }) => plan));
  const server = new HttpMockHandler({
    cassettes: played,
    clock: systemClock,
    timing: parseTiming(timing),
    ignore,
    report,
    repeat: repeat ? 'last' : undefined,
    hasFaults: faults !== undefined,
    finished: (run) => {
      isPlayed = true;
      requests.add(run);
      uncompared.add(run);
    },
    newSession: unguessable,
  });
  const address = parseListenAddress(options.listen);
  const authorization = await protectedServerFor({ ...options, refused: report }, systemClock, {
    cassettes,
    handlers: [],
  });
  const refusals = new RefusedClients(authorization !== undefined);
  const listener = await listen({
    ...(faults ? BEHIND : address),
    path,
    otherPaths: [SSE_PATH, SSE_ENDPOINT, ...(authorization?.paths ?? [])],
    allowed: allowHost,
    bodyMax: BODY_BYTES_MAX,
    refused: (request, why) => say(`refused ${printable(request)}: ${printable(why)}`),
    strayed: (asked) => server.strayed(asked, path),
    // With faults, the proxy before this server has the statuses.
    serve: faults
      ? (authorization?.protect(server.serve) ?? server.serve)
      : (authorization?.protect(refusals.noteSessions(server.serve), refusals.decidedRequest) ?? server.serve),
  });
  const isAboutTokens =
    authorization !== undefined ||
    faults?.rules.some(({ fault: { kind, values } }) => REFUSES_TOKENS.has(kind.name) || values.status === 401);
  const watched = isAboutTokens ? refusals : undefined;
  const misbehaving = faults && (await misbehave(listener.url, { address, allowHost, faults, refusals: watched }));
  const url = misbehaving?.url ?? listener.url;
  const stopped = untilSignal();
  say(`listening on ${url} for ${cassettePath}${server.hasSse ? ` (HTTP with SSE: ${new URL(SSE_PATH, url)})` : ''}`);
  if (authorization) say(`access tokens are issued by ${authorization.issuerAt(new URL(url).origin)}`);
  sayHowToEnd();
  const status = await Promise.race([stopped, misbehaving?.proxy.exited ?? never()]);
  isOver = true;
  server.end();
  // Without clients, or if all requests were refused, no player reports unused entries.
  if (!isPlayed) for (const finding of played.flatMap((one) => unusedByAll(one, []))) report(finding);
  for (const finding of refusals.findings)
    report({ ...finding, text: withFailingOption(finding, REPLAY_FAILS, expectations) });
  const unchecked = uncompared.finding(cassettePath, options);
  if (unchecked !== undefined) report(unchecked);
  for (const [text, count] of countOf(atEnd)) say(redact(count === 1 ? text : `In ${count} sessions: ${text}`));
  if (faults && misbehaving) {
    fellShort = fallsShort(faults, misbehaving.proxy.unfired(), options) || fellShort;
    await misbehaving.proxy.close();
  }
  await listener.close();
  sayUnusedIgnores(given, cassettes);
  if (process.stderr.isTTY) say(`played ${cassettePath}: ${requests.text()}`);
  process.exit(fellShort ? EXIT.fellShort : childExitStatus(status));
}

/**
 * Loads the cassettes at a path, and prints their warnings. `ignore` has the ignore rules for requests.
 * @throws McpRecordError those of `loadCassettes`, `withSecrets` and `rulesFrom`
 */
export async function servedCassettes(
  path: string,
  options: Options,
): Promise<{ cassettes: Cassette[]; ignore: Ignore[]; given: GivenIgnores }> {
  const given = givenIgnores(options);
  const cassettes = await Promise.all(
    loadCassettes(path).map(async (recorded) =>
      options.secretsFromEnv
        ? withSecrets(recorded, undefined, await secretsFromEnv(options.secretsFromEnv))
        : recorded,
    ),
  );
  for (const cassette of cassettes) {
    for (const warning of cassette.warnings) say(warning);
    const note = warningOfNoRequests(cassette);
    if (note !== undefined) say(note);
  }
  const rules = await rulesFrom(options);
  const secretsAlike = await Promise.all(cassettes.map((one) => maskSecretsFor(one, rules)));
  return { cassettes, given, ignore: [...given.ignore, ...(secretsAlike.find(({ length }) => length > 0) ?? [])] };
}

/** Faults that refuse access tokens. */
const REFUSES_TOKENS: ReadonlySet<string> = new Set([tokenRefused.name, insufficientScope.name]);

/** Address of a server behind the fault proxy. */
const BEHIND = { hostname: '127.0.0.1', port: 0 };

interface Before {
  address: { hostname: string; port: number };
  allowHost: readonly string[];
  faults: Faults;
  /** Absent: no token is refused, and frames may pass without being watched. */
  refusals: RefusedClients | undefined;
}

async function misbehave(
  url: string,
  { address, allowHost, faults, refusals }: Before,
): Promise<{ url: string; proxy: HttpProxy }> {
  const { httpFaultProxy } = await import('../../../fault-proxy/http-fault-proxy.ts');
  const upstream = parseUpstream(url);
  const trouble = (error: Error) => say(error.message);
  const proxy = await httpFaultProxy({
    upstream,
    listen: address,
    allowed: allowHost,
    clock: systemClock,
    servesPages: true,
    faults,
    trouble,
    ...(refusals && {
      tap: refusals.asked,
      delivered: refusals.delivered,
      answered: (stream, headers) => refusals.answered(stream, byName(headers)),
    }),
  });
  return { url: proxy.origin + upstream.path, proxy };
}

/** Returns how often each text occurs, in order. */
function countOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function never(): Promise<never> {
  return new Promise(() => {});
}

import type { Cassette, CassetteSource } from '../../cassette/cassette.ts';
import { cassetteOf } from '../../cassette/read/load-cassette.ts';
import { type Clock, type Milliseconds, systemClock } from '../../kernel/clock.ts';
import { compileLinear } from '../../kernel/linear-regex.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import type { NamedRule } from '../../match/ignore-usage.ts';
import { credentialSources } from '../../modes/connect-to-server.ts';
import { checkTestedServer, validateApiOptions } from '../../modes/validate-api-options.ts';
import { createRedactor } from '../../redact/redactor.ts';
import { checkPlayable } from '../../replay/findings/unplayable-findings.ts';
import { stripHttp } from '../../replay/prepare/strip-http.ts';
import type { Timing } from '../../replay/timing.ts';
import { failedSteps, type Outcome } from '../../text-report/outcome-model.ts';
import { compareSession } from '../../verify/compare/compare-session.ts';
import { redactOutcome } from '../../verify/compare/redact-outcome.ts';
import { refuseNonMcpRequests } from '../../verify/run/refuse-non-mcp-requests.ts';
import { runRecordedClient } from '../../verify/run/run-recorded-client.ts';
import { openServerUnderTest, type TestedServer } from './open-server-under-test.ts';
import { serverDiffersError } from './server-differs-error.ts';

export interface VerifyOptions {
  /** JSON Pointers of message values to ignore, in addition to volatile values. */
  ignore?: readonly Ignore[];
  /** Timing of the recorded client's messages. Default: `instant`. */
  timing?: Timing;
  /** Allows HTTP paths and headers that MCP does not need. By default they are errors. */
  otherRequests?: boolean;
  /** Maximum wait for an answer or notification, in milliseconds. Default: 10,000. */
  patience?: Milliseconds;
  /** Maximum duration of an answer. Slower answers fail. */
  timeMax?: Milliseconds;
  /** Whether unrecorded notifications fail. Default: they are noted only. */
  strict?: boolean;
  clock?: Clock;
}

/**
 * Plays the recorded client of a cassette to a live server, and compares the answers with the cassette.
 * @throws McpRecordError if the server cannot be reached, CASSETTE_UNPLAYABLE, and those of `loadCassette`
 */
export async function playClient(
  source: CassetteSource,
  server: TestedServer,
  options: VerifyOptions = {},
): Promise<Outcome> {
  validateApiOptions(options, 'verification');
  checkTestedServer(server);
  const {
    ignore = [],
    timing = 'instant',
    patience = PATIENCE,
    timeMax,
    strict = false,
    otherRequests = false,
    clock = systemClock,
  } = options;
  const cassette = cassetteOf(source);
  const { file } = cassette;
  checkPlayable(cassette);
  const driven = await played(cassette, server, { ignore, timing, patience, clock, otherRequests });
  const { json: redact } = createRedactor(credentialSources(typeof server === 'function' ? undefined : server));
  const redaction = { redact, advice: 'If a rule of yours redacted it, name the place or its form in "ignore".' };
  const outcome = compareSession({
    file,
    driven,
    ignore,
    strict,
    redaction,
    named: ignore.flatMap((rule) => namedRule(rule)),
    ...(timeMax !== undefined && { timeMax }),
  });
  return redactOutcome(outcome, redact);
}

/**
 * Plays a cassette as `playClient`, and throws on differences.
 * @throws McpRecordError SESSION_DIFFERS, with the recorded and the live value as `expected` and `actual`
 */
export async function verifyServer(
  cassette: CassetteSource,
  server: TestedServer,
  options: VerifyOptions = {},
): Promise<Outcome> {
  const outcome = await playClient(cassette, server, options);
  const failed = failedSteps(outcome);
  if (failed.length > 0) throw serverDiffersError(outcome, failed, { server, options });
  return outcome;
}

/** Returns a rule with its name. A function has none, and is never said to match nothing. */
function namedRule(rule: Ignore): NamedRule[] {
  if (typeof rule === 'string') return [{ name: `ignore: ['${rule}']`, rule }];
  return typeof rule === 'function' ? [] : [{ name: `ignore: [${rule}]`, rule: compileLinear(rule) }];
}

const PATIENCE: Milliseconds = 10_000;

type PlayOptions = Required<Pick<VerifyOptions, 'ignore' | 'timing' | 'patience' | 'clock' | 'otherRequests'>>;

function played(cassette: Cassette, server: TestedServer, options: PlayOptions): ReturnType<typeof runRecordedClient> {
  if (typeof server !== 'function' && 'url' in server && !options.otherRequests)
    refuseNonMcpRequests(cassette, 'otherRequests: true');
  const spoken = typeof server === 'function' ? stripHttp(cassette) : cassette;
  return new Promise((resolve, reject) => {
    openServerUnderTest(server, { ...options, failed: reject })
      .then((live) => runRecordedClient({ ...options, cassette: spoken, server: live }))
      .then(resolve, reject);
  });
}

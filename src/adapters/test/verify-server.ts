import type { Cassette, CassetteSource } from '../../cassette/cassette.ts';
import { checkCassetteSource, SERVER_WITHOUT_CASSETTE } from '../../cassette/check-cassette-source.ts';
import { requireTimes } from '../../contract/slower-answer.ts';
import { type Clock, type Milliseconds, systemClock } from '../../kernel/clock.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { compileLinear } from '../../kernel/linear-regex.ts';
import type { FailOn } from '../../match/contract-change-types.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import type { NamedRule } from '../../match/ignore-usage.ts';
import { credentialSources } from '../../modes/connect-to-server.ts';
import { checkTestedServer, validateApiOptions } from '../../modes/validate-api-options.ts';
import { projectRedactor } from '../../record/redact-file/project-redactor.ts';
import { requireRules } from '../../record/redact-file/require-rules.ts';
import type { RedactionRules } from '../../redact/redactor.ts';
import { exportableName } from '../../redact/replace/placeholder-format.ts';
import type { SecretSource } from '../../redact/replace/restore-secrets.ts';
import { rulesForSecrets } from '../../redact/rules/rules-for-secrets.ts';
import { checkPlayable } from '../../replay/findings/unplayable-findings.ts';
import { type MissingState, restoreCassetteSecrets } from '../../replay/prepare/restore-cassette-secrets.ts';
import { stripHttp } from '../../replay/prepare/strip-http.ts';
import type { Timing } from '../../replay/timing.ts';
import type { TokenRule } from '../../replay/tokens/token-locations.ts';
import { failedSteps, type Outcome } from '../../text-report/outcome-model.ts';
import { toleratedOutcome } from '../../text-report/pass-tolerated-steps.ts';
import { allowedWith } from '../../verify/compare/compare-server-messages.ts';
import { compareSession } from '../../verify/compare/compare-session.ts';
import { type LiveRedaction, liveRedaction } from '../../verify/compare/equal-placeholders.ts';
import { redactOutcome } from '../../verify/compare/redact-outcome.ts';
import { refuseNonMcpRequests } from '../../verify/run/refuse-non-mcp-requests.ts';
import { runRecordedClient } from '../../verify/run/run-recorded-client.ts';
import { areUpdatable } from '../../verify/update/advised-verify-command.ts';
import { passUpdatedSteps, updatableLines } from '../../verify/update/pass-updated-steps.ts';
import { recordedNames } from '../../verify/update/recorded-placeholders.ts';
import { type UpdateOptions, updateCassette } from '../../verify/update/update-cassette.ts';
import { openServerUnderTest, type TestedServer } from '../mock-client/open-server-under-test.ts';
import { awaitAtEndOfTest } from '../test-end/await-forgotten-promises.ts';
import { isVitestUpdate } from '../vitest-worker-global.ts';
import { loadAndWarn, printRecordingNotes, warnOnce } from './print-test-notes.ts';
import { loadOfTestedServer, serverDiffersError } from './server-differs-error.ts';

export interface VerifyOptions {
  /** JSON Pointers of message values to ignore, in addition to volatile values. */
  ignore?: readonly Ignore[];
  /**
   * Differences that fail the test: `any` (default) or `breaking`, which tolerates compatible and cosmetic changes. A
   * difference without a known severity, such as another answer of a tool, counts as breaking.
   */
  failOn?: Exclude<FailOn, 'used'>;
  /**
   * Values of answers that later requests send, such as a short number. Most such values are found without a rule. The
   * recorded client sends the live value at `capture`. The answer that returns it may have any value there. Other places,
   * and later answers, must have the same one.
   */
  handles?: readonly TokenRule[];
  /** Timing of the recorded client's messages. Default: `instant`. */
  timing?: Timing;
  /** Allows HTTP paths and headers that MCP does not need. By default they are errors. */
  otherRequests?: boolean;
  /** Maximum wait for an answer or notification, in milliseconds. Default: 10,000. */
  patience?: Milliseconds;
  /** Maximum duration of an answer. Slower answers fail. */
  timeMax?: Milliseconds;
  /**
   * Maximum duration of an answer as a multiple of the recorded one, such as 2. Slower answers fail. A recorded time
   * below 100 ms counts as 100 ms.
   */
  slower?: number;
  /** Secrets by placeholder name, such as `{ API_TOKEN: process.env.API_TOKEN }`. The recorded client sends them. */
  secrets?: SecretSource;
  /**
   * Methods of notifications that the server may send although the cassette does not have them, such as
   * `notifications/tools/list_changed`. Logs and progress need no entry.
   */
  allowNotifications?: readonly string[];
  /** Whether logs and progress that the cassette does not have fail the test, and a recording that was cut short. */
  strict?: boolean;
  clock?: Clock;
}

/**
 * Plays the recorded client of a cassette to a live server, and returns the comparison of its answers with the
 * cassette. Differences are steps with the status `failed`. Unlike `verifyServer`, this function does not throw for
 * differences.
 * @throws McpRecordError if the server cannot be reached, CASSETTE_UNPLAYABLE, SECRETS_MISSING, and those of
 * `loadCassette`
 */
export async function compareServer(
  source: CassetteSource,
  server: TestedServer,
  options: VerifyOptions = {},
): Promise<Outcome> {
  return (await compared(source, server, options)).outcome;
}

/**
 * Compares like `compareServer`, and updates the cassette if the runner asks for updates (`vitest -u`, or
 * `MCP_RECORD=record`). If an update cannot remove all differences, nothing is written and the steps stay failed.
 * @throws McpRecordError CASSETTE_NOT_UPDATED, USAGE_RULES_MISSING, and those of `compareServer`
 */
export async function compareOrUpdate(
  source: CassetteSource,
  server: TestedServer,
  options: VerifyOptions,
): Promise<Outcome> {
  const { outcome, answers, userRules } = await compared(source, server, options);
  const failed = failedSteps(outcome);
  warnOnce(outcome.notes.filter((note) => note.startsWith(FAIL_ON)).map((note) => `${outcome.file}: ${note}`));
  const isAsked = process.env.MCP_RECORD ? process.env.MCP_RECORD === 'record' : isVitestUpdate();
  if (failed.length === 0 || !isAsked || typeof source !== 'string' || !areUpdatable(failed)) return outcome;
  requireRules(answers.cassette, userRules, process.env);
  const update = updateCassette({ ...answers, only: updatableLines(outcome), areAll: true });
  const { count } = update;
  if (count === 0) return outcome;
  const changed = `${formatCount(count, 'event')} now ${count === 1 ? 'holds' : 'hold'} what the server said`;
  printRecordingNotes([`${source}: ${changed}.`]);
  return passUpdatedSteps(outcome, update);
}

/** Beginning of a note about a difference that the test lets pass. */
const FAIL_ON = 'failOn: ';

/** Result of a comparison, and the input for updating the cassette. */
interface Compared {
  outcome: Outcome;
  answers: UpdateOptions;
  userRules: RedactionRules;
}

async function compared(source: CassetteSource, server: TestedServer, options: VerifyOptions): Promise<Compared> {
  checkCassetteSource(source, SERVER_WITHOUT_CASSETTE);
  validateApiOptions(options, 'verification', { areAll: true });
  checkTestedServer(server);
  const {
    ignore = [],
    failOn = 'any',
    handles = [],
    timing = 'instant',
    patience = PATIENCE,
    timeMax,
    slower,
    allowNotifications = [],
    strict = false,
    secrets = {},
    otherRequests = false,
    clock = systemClock,
  } = options;
  const recorded = loadOfTestedServer(() => loadAndWarn(source));
  const { file } = recorded;
  checkPlayable(recorded);
  if (slower !== undefined) requireTimes(recorded);
  const cassette = restoreCassetteSecrets(recorded, 'client', secrets, secretsStep);
  const sources = credentialSources(typeof server === 'function' ? undefined : server);
  const redactor = projectRedactor({ ...sources, rules: rulesForSecrets(secrets) });
  const redact = redactor.json;
  const redaction = liveRedaction(redactor, secrets, advise, sources);
  const { redact: redactShown, bindings } = recordedNames(recorded, { played: cassette, redactor });
  const driven = await played(cassette, server, { ignore, handles, timing, patience, clock, otherRequests, redaction });
  const outcome = compareSession({
    file,
    driven,
    ignore,
    allowed: allowedWith(cassette, {
      methods: allowNotifications,
      option: allowOption,
      isHttp: typeof server !== 'function' && 'url' in server,
    }),
    strict,
    redaction: { ...redaction, bindings },
    named: ignore.flatMap((rule) => namedRule(rule)),
    ...(timeMax !== undefined && { timeMax }),
    ...(slower !== undefined && { slower }),
  });
  return {
    outcome: toleratedOutcome(redactOutcome(outcome, redactShown), failOn, `${FAIL_ON}'${failOn}'`),
    answers: { cassette: recorded, driven, ignore, redact, rules: redactor.listedRules(), compared: redaction },
    userRules: redactor.userRules,
  };
}

/**
 * Plays the recorded client of a cassette to a live server, and throws if an answer differs from the cassette. Use
 * `compareServer` to inspect the differences. If a Vitest test does not await the promise, the test fails at its end.
 * @throws McpRecordError SESSION_DIFFERS, with the recorded and the live value as `expected` and `actual`
 */
export function verifyServer(
  cassette: CassetteSource,
  server: TestedServer,
  options: VerifyOptions = {},
): Promise<Outcome> {
  return awaitAtEndOfTest(expectRecordedAnswers(cassette, server, options), 'verifyServer');
}

async function expectRecordedAnswers(
  cassette: CassetteSource,
  server: TestedServer,
  options: VerifyOptions,
): Promise<Outcome> {
  const outcome = await compareOrUpdate(cassette, server, options);
  const failed = failedSteps(outcome);
  if (failed.length > 0) throw serverDiffersError(outcome, failed, { server, options });
  return outcome;
}

function allowOption(methods: readonly string[]): string {
  return `allowNotifications: [${methods.map((method) => `'${method}'`).join(', ')}]`;
}

/** Returns an ignore rule with its name. Empty for functions, which have no name, so unused ones are not reported. */
function namedRule(rule: Ignore): NamedRule[] {
  if (typeof rule === 'string') return [{ name: `ignore: ['${rule}']`, rule }];
  return typeof rule === 'function' ? [] : [{ name: `ignore: [${rule}]`, rule: compileLinear(rule) }];
}

const PATIENCE: Milliseconds = 10_000;

interface PlayOptions
  extends Required<Pick<VerifyOptions, 'ignore' | 'handles' | 'timing' | 'patience' | 'clock' | 'otherRequests'>> {
  redaction: LiveRedaction;
}

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

function secretsStep(missing: readonly string[], state: MissingState): string {
  if (state !== 'unlisted') return 'Give each the secret that its placeholder stands for.';
  const name = exportableName(missing[0]!);
  return `Give the secrets that their placeholders stand for: secrets: { ${name}: process.env.${name} }. The server gets them.`;
}

/**
 * Returns advice for a placeholder whose value is not redacted now. The variable's value may be too short to be
 * recognized as a secret.
 */
function advise(variable: string | undefined): string {
  const name = 'name the place or its form in "ignore"';
  if (variable === undefined) return `If a rule of yours redacted it, ${name}.`;
  return `Its placeholder is named after the variable ${variable}: add secrets: { ${variable}: process.env.${variable} }, or ${name}.`;
}

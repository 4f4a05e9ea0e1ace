import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { requireTimes } from '../../../contract/slower-answer.ts';
import { systemClock as clock } from '../../../kernel/clock.ts';
import { formatCount } from '../../../kernel/format-count.ts';
import { checkPlayable } from '../../../replay/findings/unplayable-findings.ts';
import { parseTiming } from '../../../replay/timing.ts';
import { failedSteps, type Outcome, type Step } from '../../../text-report/outcome-model.ts';
import { toleratedOutcome, toleratedStep } from '../../../text-report/pass-tolerated-steps.ts';
import { allowedWith } from '../../../verify/compare/compare-server-messages.ts';
import { type CompareOptions, compareSession } from '../../../verify/compare/compare-session.ts';
import { liveRedaction } from '../../../verify/compare/equal-placeholders.ts';
import { endedUnanswered } from '../../../verify/compare/session-end-steps.ts';
import type { Proposal, ProposeIgnoresOptions } from '../../../verify/propose/propose-ignores.ts';
import type { StartLiveServer } from '../../../verify/run/live-server-types.ts';
import { playToLiveServer } from '../../../verify/run/play-to-live-server.ts';
import { refuseNonMcpRequests } from '../../../verify/run/refuse-non-mcp-requests.ts';
import type { RunRecordedClientOptions, ServerRun } from '../../../verify/run/run-recorded-client.ts';
import { allowNotificationOption } from '../../../verify/update/advised-verify-command.ts';
import { recordedNames } from '../../../verify/update/recorded-placeholders.ts';
import type { UpdateOptions } from '../../../verify/update/update-cassette.ts';
import { childExitStatus } from '../../io/child-exit-status.ts';
import { loadWithProgress } from '../../io/load-with-progress.ts';
import { EXIT, outcomePaint, printJson, printLines, say } from '../../io/output.ts';
import { interruption } from '../../io/signals.ts';
import { liveServerConnector } from '../../options/connect-live-server.ts';
import { faultLayerFor } from '../../options/fault-layer.ts';
import { type FaultOptions, fallsShort, faultsOf } from '../../options/fault-options.ts';
import { givenHeaders } from '../../options/header-options.ts';
import { givenIgnores, type IgnoreOptions } from '../../options/ignore-options.ts';
import { hasRules, type RedactionOptions, rulesFrom } from '../../options/redaction-options.ts';
import { secretsFromEnv, withSecrets } from '../../options/restore-secrets-from-env.ts';
import { writeOutcomeReports } from '../../reports/write-outcome-reports.ts';
import type { LiveSteps } from '../../terminal/live-steps.ts';
import { usersNotes, usersOf, withChangeUsers } from '../../used-by/consumer-cassettes-option.ts';
import { type FailOnOptions, failOnOf } from '../../used-by/fail-on-option.ts';
import { millisecondsOf } from '../../verify/milliseconds-option.ts';
import { adviseOnPlaceholder, adviseToGive, OWN_RULES_ADVICE } from '../../verify/placeholder-advice.ts';
import { proposeCommand, proposeHint } from '../../verify/propose-hint.ts';
import { runnableCommand } from '../../verify/runnable-command.ts';
import { slowerFactorOf } from '../../verify/slower-option.ts';

interface Options extends FaultOptions, RedactionOptions, IgnoreOptions, FailOnOptions {
  http?: string;
  header: string[];
  ca?: string;
  timeout: string;
  maxTime?: string;
  slower?: string;
  timing: string;
  json?: boolean;
  junit?: string;
  sarif?: string;
  update?: boolean;
  secretsFromEnv?: string;
  otherRequests?: boolean;
  proposeIgnores?: boolean;
  allowNotification: string[];
  strict?: boolean;
  awaitEnd?: boolean;
}

/**
 * Runs `mcp-record verify FILE -- COMMAND…` or `--http URL`: plays the recorded client to a live server and compares
 * its answers.
 */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const { maxTime, proposeIgnores = false, update = false, strict = false } = options;
  const [file = '', ...rest] = command.args;
  const timing = parseTiming(options.timing);
  const patience = millisecondsOf('--timeout', options.timeout);
  const timeMax = maxTime === undefined ? undefined : millisecondsOf('--max-time', maxTime);
  const slower = slowerFactorOf(options.slower);
  const failOn = failOnOf(options);
  const rules = await rulesFrom(options);
  const { ignore, named } = givenIgnores(options);
  const cassette = loadWithProgress(file);
  checkPlayable(cassette);
  if (slower !== undefined) requireTimes(cassette);
  if (update) (await import('../../../record/redact-file/require-rules.ts')).requireRules(cassette, rules, process.env);
  const users = usersOf(options.usedBy);
  if (options.http !== undefined && !options.otherRequests) refuseNonMcpRequests(cassette, '--other-requests');
  const secrets = await secretsFromEnv(options.secretsFromEnv);
  const played = await withSecrets(cassette, 'client', secrets, hasRules(options) ? '' : ` ${OWN_RULES_ADVICE}`);
  const faults = await faultsOf(options, options.http === undefined ? 'stdio' : 'http', 'server', [cassette]);
  const faultLayer = await faultLayerFor(faults);
  const given = await givenHeaders(options.http, options.header, process.env);
  const server = liveServerConnector(rest, { ...options, headers: given.headers, command: 'verify' }, faultLayer);
  for (const warning of cassette.warnings) say(warning);

  const [{ redactOutcome, redactStep }, { createRedactor }] = await Promise.all([
    import('../../../verify/compare/redact-outcome.ts'),
    import('../../../redact/redactor.ts'),
  ]);
  const redactor = createRedactor({ env: process.env, ...given, ...rules });
  const redact = redactor.json;
  const redaction = liveRedaction(redactor, secrets, adviseOnPlaceholder, { env: process.env, ...given });
  const { redact: redactShown, bindings } = recordedNames(cassette, { played, redactor });
  const judging = {
    file,
    ignore,
    allowed: allowedWith(cassette, {
      methods: options.allowNotification,
      option: allowNotificationOption,
      isHttp: options.http !== undefined,
    }),
    strict,
    redaction,
    timeMaxOption: '--max-time',
    howToGive: adviseToGive,
    ...(timeMax !== undefined && { timeMax }),
    ...(slower && { slower }),
  };
  const judged = (step: Step) => toleratedStep(withChangeUsers(step, users), failOn);
  const shownStep = (step: Step) => redactStep(judged(step), redactShown);
  const shown = options.json ? undefined : await stepsOnTerminal(judging, shownStep);
  const { aborted, by } = interruption();
  const start = options.awaitEnd ? awaitingEnd(server) : server;
  const live = (watch?: Watch): Promise<ServerRun> =>
    playToLiveServer({ start, cassette: played, clock, timing, patience, ignore, redaction, aborted, ...watch });
  const driven = await live(shown?.watch).finally(() => shown?.steps.finish());
  const compared = compareSession({ ...judging, redaction: { ...redaction, bindings }, driven, named });
  const steps = compared.steps.map((step) => withChangeUsers(step, users));
  const used = usersNotes(users, { changes: steps.flatMap(({ changes = [] }) => changes), contract: cassette });
  const tolerated = toleratedOutcome({ ...compared, steps, notes: [...new Set([...compared.notes, ...used])] }, failOn);
  const outcome = { ...tolerated, notes: [...tolerated.notes, ...notesOfUnguarded(tolerated, steps)] };
  const again = proposeIgnores && by() === undefined ? await live() : undefined;
  const proposals =
    again && by() === undefined
      ? await propose([driven, again], { ignore, redaction }, { file, isFailed: failedSteps(outcome).length > 0 })
      : undefined;
  // A given secret is a placeholder again, so that no hint hides it.
  const hint =
    proposals || update || by() !== undefined
      ? undefined
      : await proposeHint(
          redactOutcome(outcome, redactShown),
          runnableCommand(proposeCommand(file, rest, options), redactor.text),
        );
  // What a part of a session says is no reason to change the cassette.
  const isUpdating = update && failedSteps(outcome).length > 0 && by() === undefined;
  const taken = isUpdating
    ? await takeOver(outcome, { cassette, driven, ignore, redact, rules: redactor.listedRules(), compared: redaction })
    : { outcome };
  await report(redactOutcome(taken.outcome, redactShown), options, { proposals, hint, steps: shown?.steps });
  const signal = by();
  // The server ends with this process.
  if (signal !== undefined) process.exit(childExitStatus(signal));
  if (taken.error !== undefined) throw taken.error;
  if (taken.note !== undefined) say(`${file}: ${taken.note}`);
  const failed = failedSteps(taken.outcome);
  const isShort = faults !== undefined && fallsShort(faults, faultLayer.unfired(), options);
  // Child processes of the server may hold its streams open, and must not keep this process alive.
  if (failed.length === 0 && !isShort) process.exit(EXIT.ok);
  process.exit(faults === undefined && endedUnanswered(driven) ? EXIT.usage : EXIT.fellShort);
}

/** Returns a note if steps pass although the server has something new, which a later run would not miss. */
function notesOfUnguarded({ steps }: Outcome, judged: readonly Step[]): string[] {
  const passing = steps.filter((step, n) => step !== judged[n]);
  const isNew = passing.some(({ changes = [] }) => changes.some(({ severity }) => severity === 'compatible'));
  return isNew ? ['What the cassette does not have is not guarded until verify --update adds it.'] : [];
}

interface TakenOver {
  outcome: Outcome;
  /** Note about the written changes and the remaining work. */
  note?: string;
  /** Error that prevented writing. */
  error?: unknown;
}

/** Writes the answers of the live server into the cassette. */
async function takeOver(outcome: Outcome, options: UpdateOptions): Promise<TakenOver> {
  const [{ updateCassette }, { passUpdatedSteps, updatableLines }] = await Promise.all([
    import('../../../verify/update/update-cassette.ts'),
    import('../../../verify/update/pass-updated-steps.ts'),
  ]);
  try {
    const update = updateCassette({ ...options, only: updatableLines(outcome) });
    const taken = passUpdatedSteps(outcome, update);
    const { count } = update;
    const { length: left } = failedSteps(taken);
    const changed = `${formatCount(count, 'event')} now ${count === 1 ? 'holds' : 'hold'} what the live server said.`;
    const next = ` ${formatCount(left, 'failure')} cannot be taken over: mend the server, edit the recorded answer, or record the session again.`;
    return { outcome: taken, note: `${count === 0 ? 'nothing was changed.' : changed}${left === 0 ? '' : next}` };
  } catch (error) {
    return { outcome, error };
  }
}

/** Returns the start of a server whose session ends when its process ends by itself. */
function awaitingEnd(start: StartLiveServer): StartLiveServer {
  return async (options) => {
    const { closeAfterServerEnd } = await import('../../../verify/run/delay-close-until-server-end.ts');
    return closeAfterServerEnd(await start(options), { clock, patience: options.patience });
  };
}

interface Reported {
  proposals: Proposals | undefined;
  /** Hint that `--propose-ignores` helps. */
  hint: string | undefined;
  /** Steps that a terminal has shown already. */
  steps: LiveSteps | undefined;
}

async function report(outcome: Outcome, options: Options, { proposals, hint, steps }: Reported): Promise<void> {
  await writeOutcomeReports(outcome, options);
  if (options.json) return await printJson({ ...outcome, proposals: proposals?.proposals });
  const { outcomeText, restOfOutcomeText } = await import('../../../text-report/check-outcome-text.ts');
  const paint = outcomePaint(process.stdout);
  const lines = steps ? restOfOutcomeText(outcome, paint, (line) => steps.isShown(line)) : outcomeText(outcome, paint);
  if (proposals) lines.push('', ...proposals.text);
  if (hint !== undefined) lines.push('', hint);
  await printLines(lines);
}

type Watch = Pick<RunRecordedClientOptions, 'asked' | 'answered'>;

/**
 * Returns a display of steps for standard output that shows each step as soon as it ends. Undefined: standard output is
 * not a terminal.
 */
async function stepsOnTerminal(
  judging: Omit<CompareOptions, 'driven'>,
  shown: (step: Step) => Step,
): Promise<{ steps: LiveSteps; watch: Watch } | undefined> {
  if (!process.stdout.isTTY) return undefined;
  const [{ LiveSteps }, { watchSteps }] = await Promise.all([
    import('../../terminal/live-steps.ts'),
    import('../../../verify/run/watch-steps.ts'),
  ]);
  const steps = new LiveSteps(process.stdout, outcomePaint(process.stdout));
  return { steps, watch: watchSteps(steps, judging, shown) };
}

interface Proposals {
  proposals: Proposal[];
  text: string[];
}

async function propose(
  [first, second]: [ServerRun, ServerRun],
  options: ProposeIgnoresOptions,
  { file, isFailed }: { file: string; isFailed: boolean },
): Promise<Proposals> {
  const [{ proposeIgnores }, { proposalText }] = await Promise.all([
    import('../../../verify/propose/propose-ignores.ts'),
    import('../../verify/proposal-text.ts'),
  ]);
  const proposals = proposeIgnores(first, second, options);
  return { proposals, text: proposalText(proposals, { file, isFailed, text: readFileSync(file, 'utf8') }) };
}

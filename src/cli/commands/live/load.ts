import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import type { Cassette } from '../../../cassette/cassette.ts';
import { eventsToEntries } from '../../../cassette/split-batches-into-entries.ts';
import { messageTitle } from '../../../contract/message-title.ts';
import { systemClock as clock, type Milliseconds, whileAlive } from '../../../kernel/clock.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { grouped } from '../../../kernel/format-count.ts';
import { packageVersion } from '../../../kernel/installed-package.ts';
import { LoadProgress } from '../../../load/load-progress.ts';
import { type LoadJson, type LoadRun, loadJson, loadOutcome, loadText } from '../../../load/load-report.ts';
import type { LoadStats } from '../../../load/load-stats.ts';
import { checkThreshold, parseThreshold } from '../../../load/threshold.ts';
import { undetectedMixUps } from '../../../load/undetected-mix-ups.ts';
import { JsonText } from '../../../protocol/json-text.ts';
import { isRequest } from '../../../protocol/message.ts';
import type { Redactor } from '../../../redact/redactor.ts';
import { checkPlayable } from '../../../replay/findings/unplayable-findings.ts';
import { outcomeText } from '../../../text-report/check-outcome-text.ts';
import { failedSteps, type Outcome } from '../../../text-report/outcome-model.ts';
import { refuseNonMcpRequests } from '../../../verify/run/refuse-non-mcp-requests.ts';
import { filesAndCommand } from '../../cassette-files/files-and-command.ts';
import { childExitStatus } from '../../io/child-exit-status.ts';
import { loadWithProgress } from '../../io/load-with-progress.ts';
import { EXIT, outcomePaint, printJson, printLines, say } from '../../io/output.ts';
import { interruption } from '../../io/signals.ts';
import { clientsOf, durationOf, rateOf, workersOf } from '../../load/load-options.ts';
import { prepareLoadWorkers } from '../../load/load-workers.ts';
import { prepareLoadShare } from '../../load/play-load-share.ts';
import { givenHeaders } from '../../options/header-options.ts';
import { givenIgnores, type IgnoreOptions } from '../../options/ignore-options.ts';
import { type RedactionOptions, rulesFrom } from '../../options/redaction-options.ts';
import { secretsFromEnv } from '../../options/restore-secrets-from-env.ts';
import { checkReplaceable, removeEarlier } from '../../reports/replaceable-file.ts';
import { writeReport } from '../../reports/write-report-file.ts';
import { StatusLine } from '../../terminal/status-line.ts';
import { widthOf } from '../../terminal/word-wrap.ts';
import { millisecondsOf } from '../../verify/milliseconds-option.ts';
import { proposeCommand, proposeHint } from '../../verify/propose-hint.ts';
import { runnableCommand } from '../../verify/runnable-command.ts';

interface Options extends RedactionOptions, IgnoreOptions {
  http?: string;
  header: string[];
  ca?: string;
  clients?: string;
  rate?: string;
  workers: string;
  for: string;
  ramp?: string;
  threshold: string[];
  timeout: string;
  strict?: boolean;
  json?: boolean;
  junit?: string;
  html?: string;
  export?: string;
  output?: string;
  secretsFromEnv?: string;
  otherRequests?: boolean;
}

/** Default number of clients: `closed` is the constant number, `open` is the maximum at the same time. */
const CLIENTS = { closed: 10, open: 100 };

/**
 * Runs `mcp-record load FILE… -- COMMAND…` or `--http URL`: plays recorded clients in numbers to a live server, and
 * compares all answers.
 */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const [files, words] = filesAndCommand(command.args, process.argv);
  // Checks the path of the page first, because an unusable path must not be found only after the load.
  if (options.html !== undefined) checkReplaceable(options.html, { option: '--html', kind: 'report' });
  const rate = options.rate === undefined ? undefined : rateOf(options.rate);
  const clients =
    options.clients === undefined ? CLIENTS[rate === undefined ? 'closed' : 'open'] : clientsOf(options.clients);
  // A worker without a client has nothing to do.
  const workers = Math.min(clients, workersOf(options.workers));
  const time = durationOf('--for', options.for);
  const ramp = options.ramp === undefined ? 0 : durationOf('--ramp', options.ramp);
  const patience = millisecondsOf('--timeout', options.timeout);
  const rules = await rulesFrom(options);
  givenIgnores(options);
  const cassettes = files.map((file) => playable(file, options));
  const titles = [...new Set(cassettes.flatMap(requestTitles))];
  const thresholds = options.threshold.map((text) => parseThreshold(text, { titles, noStreams: noStreams(options) }));
  const shape = { clients, duration: time, ramp, ...(rate !== undefined && { rate }) };
  if (options.export !== undefined) {
    const { exportScript } = await import('../../load/export-script.ts');
    await exportScript({ options, words, cassettes, load: { ...shape, thresholds, patience }, rules });
    return EXIT.ok;
  }
  const secrets = await secretsFromEnv(options.secretsFromEnv);
  const given = await givenHeaders(options.http, options.header, process.env);
  const [{ redactOutcome }, { createRedactor }] = await Promise.all([
    import('../../../verify/compare/redact-outcome.ts'),
    import('../../../redact/redactor.ts'),
  ]);
  const redactor = createRedactor({ env: process.env, ...given, ...rules });
  const { aborted, by } = interruption();
  const progress = new LoadProgress(workers);
  /** Whether the server has answered at all. Until then, the page of an earlier load stays. */
  let isAnswered = false;
  const playing = {
    task: { files, words: [...words], options, given, secrets, patience, shape },
    progress,
    aborted,
    answered: () => {
      if (!isAnswered && options.html !== undefined) removeEarlier(options.html);
      isAnswered = true;
    },
  };
  const play =
    workers === 1
      ? await prepareLoadShare({ ...playing, cassettes, redactor, share: { index: 0, workers } })
      : await prepareLoadWorkers({ ...playing, workers });
  const load: LoadRun = {
    version: packageVersion(),
    date: clock.date().toISOString(),
    ...serverOf(options.http, words, redactor),
    ...{ clients, for: time, ramp, ...(rate !== undefined && { rate }), workers, cores: availableParallelism() },
  };
  const callOff = showProgress(progress, time);
  const { stats, arrivals, duration, processDelay } = await play().finally(callOff);
  if (stats.counts.answers === 0 && by() === undefined) throw nothingAnswered(stats);
  const result = {
    run: load,
    files,
    stats,
    arrivals,
    thresholds: thresholds.map((threshold) => checkThreshold(threshold, stats, duration)),
    duration,
    processDelay,
    undetected: clients > 1 ? undetectedMixUps(cassettes) : [],
  };
  const outcome = redactOutcome(loadOutcome(result), redactor.json);
  if (options.junit !== undefined) {
    const [{ junitXml }, { junitOutcome }] = await Promise.all([
      import('../../../text-report/junit.ts'),
      import('../../../load/load-junit.ts'),
    ]);
    writeReport(options.junit, junitXml(redactOutcome(junitOutcome(result), redactor.json)));
  }
  const figures = (): LoadJson => JSON.parse(redactor.json(new JsonText(JSON.stringify(loadJson(result)))).text);
  if (options.html !== undefined) await writePage(options.html, figures(), outcome);
  if (options.json) await printJson(figures());
  else {
    // The titles of requests have secrets of `--secrets-from-env` where a recorded client says them in a URI or a name.
    const table = loadText(result, widthOf(process.stdout)).map((line) => redactor.text(line));
    const lines = [...table, ...outcomeText(outcome, outcomePaint(process.stdout))];
    const [file = ''] = failedSteps(outcome).flatMap((step) => step.file ?? []);
    const hint = await proposeHint(outcome, runnableCommand(proposeCommand(file, words, options), redactor.text));
    await printLines(hint === undefined ? lines : [...lines, '', hint]);
  }
  const signal = by();
  // Child processes of the server may keep its streams open, and must not keep this process running.
  if (signal !== undefined) process.exit(childExitStatus(signal));
  process.exit(failedSteps(outcome).length > 0 ? EXIT.fellShort : EXIT.ok);
}

async function writePage(file: string, figures: LoadJson, { steps }: Outcome): Promise<void> {
  const [{ loadPage }, { readLoadAssets }] = await Promise.all([
    import('../../../html-report/html-page.ts'),
    import('../../../html-report/report-assets.ts'),
  ]);
  writeReport(file, loadPage({ version: packageVersion(), figures, checks: steps }, readLoadAssets()));
  say(`wrote ${file}`);
}

/** Returns the server that is loaded. Its URL has no secret; those of a command are redacted with the other figures. */
function serverOf(
  http: string | undefined,
  words: readonly string[],
  redactor: Redactor,
): Pick<LoadRun, 'url' | 'command'> {
  if (http !== undefined) return { url: redactor.url(http) };
  return { command: words[0] === '--' ? words.slice(1) : words };
}

/** Loads a cassette whose client can be played to a server. */
function playable(file: string, { http, otherRequests }: Options): Cassette {
  const cassette = loadWithProgress(file);
  checkPlayable(cassette);
  if (http !== undefined && !otherRequests) refuseNonMcpRequests(cassette, '--other-requests');
  for (const warning of cassette.warnings) say(warning);
  return cassette;
}

/** Returns why the event streams of a load are not counted. Undefined: they are. */
function noStreams({ http, export: format }: Options): string | undefined {
  if (format !== undefined) return `a script for ${format} counts no event streams`;
  return http === undefined ? 'a server over stdio has no event streams' : undefined;
}

/** Returns the titles of the requests that a recorded client sends, such as `tools/call "weather"`. */
function requestTitles({ events }: Cassette): string[] {
  return eventsToEntries(events)
    .filter(({ from, message }) => from === 'client' && isRequest(message))
    .map(({ message }) => messageTitle(message));
}

const SECOND: Milliseconds = 1_000;

/** Shows on a terminal how far the load is. */
function showProgress(progress: LoadProgress, time: Milliseconds): () => void {
  if (!process.stderr.isTTY) return () => {};
  const status = new StatusLine(process.stderr);
  const began = clock.now();
  const show = () => {
    const [passed, all] = [clock.now() - began, time].map((span) => Math.round(span / SECOND));
    const { sessions, answers, failed } = progress.total();
    const counts = `${grouped(sessions)} sessions, ${grouped(answers)} answers, ${grouped(failed)} failed`;
    status.show(`${passed} of ${all} s: ${counts}`);
  };
  show();
  const callOff = whileAlive(SECOND, show);
  return () => {
    callOff();
    status.clear();
  };
}

function nothingAnswered(stats: LoadStats): McpRecordError {
  const [first] = stats.failures();
  return new McpRecordError({
    code: 'LOAD_NOT_ANSWERED',
    what: 'Cannot load the server',
    why: `it has answered nothing${first?.step.headline === undefined ? '' : `: ${first.step.headline}`}`,
    next: 'Play one session first: mcp-record verify FILE, with the same server, says what is wrong.',
  });
}

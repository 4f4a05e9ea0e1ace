import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Cassette } from '../../../cassette/cassette.ts';
import { eventsToEntries } from '../../../cassette/split-batches-into-entries.ts';
import { cancel } from '../../../faults/messages/cancel.ts';
import type { Rule } from '../../../faults/rules/fault-rule.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { PROGRAM } from '../../../kernel/installed-package.ts';
import { rewordForScenario } from '../../../modes/reword-ignore-advice.ts';
import { type Finding, titleOf } from '../../../replay/findings/finding.ts';
import { unplayableFindingsOf } from '../../../replay/findings/unplayable-findings.ts';
import { stripHttp } from '../../../replay/prepare/strip-http.ts';
import { checkExpectedSubjects } from '../../../scenario/check-expected-subjects.ts';
import type { Scenario } from '../../../scenario/scenario.ts';
import { loadScenario } from '../../../scenario/scenario-file.ts';
import { type Evidence, judge, notesOn } from '../../../scenario/scenario-judge.ts';
import { type Ended, runCommand } from '../../../sweep/client/run-command.ts';
import { SERVER_VARIABLE, SERVER_WORDS } from '../../../sweep/client/server-address.ts';
import { unreachedServerError } from '../../../sweep/client/unreached-server-error.ts';
import { outcomeText } from '../../../text-report/check-outcome-text.ts';
import { lastLines } from '../../../text-report/last-lines.ts';
import { failedSteps, type Outcome } from '../../../text-report/outcome-model.ts';
import { redactOutcome } from '../../../verify/compare/redact-outcome.ts';
import { loadWithProgress } from '../../io/load-with-progress.ts';
import { EXIT, outcomePaint, printJson, printLines, say } from '../../io/output.ts';
import { endBySignal } from '../../io/signals.ts';
import { hasRules, type RedactionOptions, redactionWords, rulesFrom } from '../../options/redaction-options.ts';
import { secretsFromEnv, withSecrets } from '../../options/restore-secrets-from-env.ts';
import { recorderRedactionArguments } from '../../record/recorder-redaction-arguments.ts';
import { secretsEnvFile } from '../../record/secrets-env-file.ts';
import { outputRedactor } from '../../reports/output-redactor.ts';
import { writeReport } from '../../reports/write-report-file.ts';
import { OWN_RULES_ADVICE } from '../../verify/placeholder-advice.ts';

interface Options extends RedactionOptions {
  json?: boolean;
  junit?: string;
  keep?: string;
  secretsFromEnv?: string;
}

const SELF = [process.execPath, PROGRAM];

/**
 * Runs `mcp-record run SCENARIO -- COMMAND…`: plays a scenario to a client or a server, and checks its expectations.
 */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const [file = '', ...rest] = command.args;
  const tested = rest[0] === '--' ? rest.slice(1) : rest;
  const scenario = loadScenario(file);
  if (tested.length === 0) throw nobody(scenario);
  if (scenario.point !== undefined) return await runPoint(scenario, tested, options);
  await rulesFrom(options);
  const cassette = loadWithProgress(scenario.cassette);
  // A played server without secrets sends placeholders. A played client cannot, which its process says where nobody reads it.
  if (scenario.play === 'client' || options.secretsFromEnv !== undefined)
    await withSecrets(
      cassette,
      scenario.play === 'client' ? 'client' : undefined,
      await secretsFromEnv(options.secretsFromEnv),
      hasRules(options) ? '' : ` ${OWN_RULES_ADVICE}`,
    );
  for (const warning of cassette.warnings) say(warning);
  for (const { text } of unplayableFindingsOf(cassette, scenario.play)) say(text);
  checkExpectedSubjects(scenario, cassette.events);

  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-run-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  endBySignal(remove);
  try {
    return await judgeAndReport(scenario, await play({ scenario, cassette, folder, options }, tested), options);
  } finally {
    remove();
  }
}

/** Plays the point of a scenario, and judges its verdict. */
async function runPoint(scenario: Scenario, tested: readonly string[], options: Options): Promise<number> {
  const without = withoutMeaningAtPoint(scenario, options);
  if (without !== undefined) {
    throw new McpRecordError({
      code: 'USAGE_OPTION_WITHOUT_MEANING',
      what: `Cannot use ${without.option}`,
      why: `${scenario.file} plays the point ${scenario.point?.name}, ${without.why}`,
      next: `Leave ${without.option} out.`,
    });
  }
  const { playScenarioPoint } = await import('../../sweep/run-sweep-point-scenario.ts');
  const started = ({ remove }: { remove(): void }) => endBySignal(remove);
  const evidence = await playScenarioPoint(scenario, { words: tested, ...options, started });
  const status = await judgeAndReport(scenario, evidence, options);
  // Child processes of a server under test may keep its streams open, and must not keep this process running.
  process.exit(status);
}

/** Returns an option that a scenario with a point cannot use. */
function withoutMeaningAtPoint({ play }: Scenario, options: Options): { option: string; why: string } | undefined {
  if (options.keep !== undefined)
    return { option: '--keep', why: 'which keeps no cassette: a report of a failure has its standard error' };
  const [option] = redactionWords(options);
  if (option !== undefined)
    return { option, why: 'as a sweep does, whose rules are those of the file that MCP_RECORD_REDACT_RULES names' };
  if (play === 'client' || options.secretsFromEnv === undefined) return undefined;
  return { option: '--secrets-from-env', why: 'as a sweep of a client does, which has no such option' };
}

async function judgeAndReport(scenario: Scenario, evidence: Evidence, options: Options): Promise<number> {
  const { duration } = evidence;
  const steps = judge(scenario, evidence);
  const outcome: Outcome = { title: 'run', file: scenario.file, steps, notes: notesOn(scenario, evidence), duration };
  await report(redactOutcome(outcome, (await outputRedactor(options)).json), options);
  return failedSteps(outcome).length > 0 ? EXIT.fellShort : EXIT.ok;
}

interface PlayedScenario {
  scenario: Scenario;
  cassette: Cassette;
  /** Temporary folder. */
  folder: string;
  options: Options;
}

/**
 * Runs the command under test against the played side. A recorder sits between them, with the faults on its far side.
 */
async function play(
  { scenario, cassette, folder, options }: PlayedScenario,
  tested: readonly string[],
): Promise<Evidence> {
  const { timing, seed, deadline, patience } = scenario;
  const [rules, journal, findings] = ['rules', 'journal', 'findings'].map((name) => join(folder, `${name}.log`)) as [
    string,
    string,
    string,
  ];
  writeFileSync(journal, '');
  writeFileSync(findings, '');
  // A recorder between the played client and its cancels would not see them: the client sends them itself.
  const own = scenario.play === 'client' ? faultsWhere(scenario, isOwnCancel) : NO_FAULTS;
  const others = faultsWhere(scenario, (rule) => !own.numbers.includes(scenario.rules.indexOf(rule) + 1));
  const misbehaving = faultOptions(others, { seed, rules, journal });
  const ownJournal = `${journal}.own`;
  writeFileSync(ownJournal, '');
  const cancelling = faultOptions(own, { seed, rules: `${rules}.own`, journal: ownJournal });
  const { secretsFromEnv: names, ...rulesOnly } = options;
  const redact = await recorderRedactionArguments(rulesOnly, folder);
  const recording = await recorderRedactionArguments(options, folder);
  const secrets = names === undefined ? [] : ['--secrets-from-env', names];
  const self = [process.execPath, ...secretsEnvFile(names, folder), PROGRAM];
  const output = ['-o', join(folder, 'cassette.yaml')];
  const record = [...SELF, 'record', '--timing', 'exact', ...recording, ...output, '--', ...self];
  const compared = [...redact, ...secrets, cassette.file];
  const server = [...record, 'replay', '--timing', timing, ...misbehaving, '--findings', findings, ...compared];
  const awaitEnd = scenario.expect.some((one) => 'session' in one && one.session === 'server') ? ['--await-end'] : [];
  const how = ['--timing', timing, '--timeout', String(patience), ...awaitEnd, ...cancelling];
  const client = [...SELF, 'verify', ...how, ...compared, '--'];
  const ended = await runCommand({
    command:
      scenario.play === 'server'
        ? tested.flatMap((word) => (word === SERVER_WORDS ? server : [word]))
        : [...client, ...record, 'proxy', ...misbehaving, '--', ...tested],
    env: { ...process.env, [SERVER_VARIABLE]: JSON.stringify(server) },
    deadline,
    clock: systemClock,
  });
  const noted = [...notedIn(journal, others), ...notedIn(ownJournal, own)];
  if (scenario.play === 'server' && !ended.timedOut && linesOf(findings).length === 0)
    throw unreachedServerError({ subcommand: 'run', command: tested, at: { words: server }, ended });
  const found = linesOf<ServerLogLine>(findings);
  const cassettes = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort();
  const last = cassettes.at(-1);
  if (options.keep !== undefined && last !== undefined) copyFileSync(join(folder, last), options.keep);
  const sessions = cassettes.map((name) => loadWithProgress(join(folder, name)).events);
  return {
    cassettes: sessions,
    fired: noted.flatMap(({ rule, unchanged }) => (unchanged === undefined ? [rule] : [])),
    unchanged: noted.flatMap(({ rule, unchanged: why }) => (why === undefined ? [] : [{ rule, why }])),
    misses: found.filter(({ kind }) => kind === 'miss').map(rewordForScenario),
    unused: unusedBy(found, cassette),
    uncompared: [...new Set(found.filter(({ kind }) => kind === 'guessed').map(({ text }) => text))],
    exit: ended.timedOut ? undefined : (ended.signal ?? ended.status),
    stderr: await lastWords({ ended, sessions }, scenario, options),
    duration: ended.duration,
    timedOut: ended.timedOut,
  };
}

/** A line in the log of a mock server. */
interface ServerLogLine extends Pick<Finding, 'text' | 'varies'> {
  pid: number;
  state?: 'started' | 'ended';
  kind?: Finding['kind'];
  /** Cassette lines to which a finding refers. */
  lines?: readonly number[];
}

/** Returns the recorded messages that no process of the mock server received. */
function unusedBy(log: readonly ServerLogLine[], played: Cassette): string[] {
  const ended = log.filter(({ state }) => state === 'ended').map(({ pid }) => pid);
  const unused = (pid: number) =>
    log.flatMap((one) => (one.pid === pid && one.kind === 'unused' ? (one.lines ?? []) : []));
  const [first = [], ...others] = ended.map(unused);
  const byAll = new Set(first.filter((line) => others.every((lines) => lines.includes(line))));
  const entries = eventsToEntries(stripHttp(played).events).filter(({ line }) => byAll.has(line));
  return entries.map(({ message, line }) => `${titleOf(message)} (${played.file}:${line})`);
}

/**
 * Returns the last lines of standard error of the program under test, without secrets. A client passes on the messages of its mock server, which are
 * findings, or of no use. A played client says there why it cannot play, and keeps what the server says.
 */
async function lastWords(
  { ended: { stderr }, sessions }: { ended: Ended; sessions: Evidence['cassettes'] },
  { play }: Scenario,
  options: Options,
): Promise<readonly string[]> {
  const own = play === 'server' ? stderr.replaceAll(OWN_MESSAGE, '') : `${stderr}${recordedStderr(sessions)}`;
  if (own.trim() === '') return [];
  return lastLines((await outputRedactor(options)).text(own));
}

/** Message of this program, including its indented continuation lines. */
const OWN_MESSAGE = /^mcp-record: .*\n?(?:[ \t]+.*\n?)*/gm;

function recordedStderr(sessions: Evidence['cassettes']): string {
  const lines = sessions
    .flat()
    .flatMap(({ frame }) => (frame.kind === 'line' && frame.on === 'stderr' ? [frame.data] : []));
  return lines.map((line) => `${typeof line === 'string' ? line : Buffer.from(line)}\n`).join('');
}

/** Subset of a scenario's rules as written, with their positions in the scenario from 1. */
interface SomeFaults {
  faults: readonly unknown[];
  numbers: readonly number[];
}

const NO_FAULTS: SomeFaults = { faults: [], numbers: [] };

function faultsWhere({ rules, faults }: Scenario, isWanted: (rule: Rule) => boolean): SomeFaults {
  const numbers = rules.flatMap((rule, index) => (isWanted(rule) ? [index + 1] : []));
  return { faults: numbers.map((number) => faults[number - 1]), numbers };
}

/** Reports whether a rule cancels requests of the client. */
function isOwnCancel({ fault: { kind }, when }: Rule): boolean {
  return kind.name === cancel.name && when?.from !== 'server';
}

/** Writes a file of rules, and returns the options of a command that injects them. */
function faultOptions(
  { faults }: SomeFaults,
  { seed, rules, journal }: { seed: number; rules: string; journal: string },
): string[] {
  if (faults.length === 0) return [];
  writeFileSync(rules, JSON.stringify({ seed, faults }));
  return ['--faults', rules, '--journal', journal];
}

/** Parses the lines of a journal and converts rule numbers to those of the scenario. */
function notedIn(journal: string, { numbers }: SomeFaults): { rule: number; unchanged?: string }[] {
  const lines = linesOf<{ rule: number; unchanged?: string }>(journal);
  return lines.map((line) => ({ ...line, rule: numbers[line.rule - 1]! }));
}

function linesOf<Line>(file: string): Line[] {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Line);
}

async function report(outcome: Outcome, { json, junit }: Options): Promise<void> {
  if (junit !== undefined) {
    const { junitXml } = await import('../../../text-report/junit.ts');
    writeReport(junit, junitXml(outcome));
  }
  if (json) return printJson(outcome);
  await printLines(outcomeText(outcome, outcomePaint(process.stdout)));
}

function nobody({ play, file }: Scenario): McpRecordError {
  const other = play === 'server' ? 'client' : 'server';
  return new McpRecordError({
    code: 'USAGE_ONE_SERVER',
    what: `Cannot run the scenario ${file}`,
    why: `it plays the ${play}, and there is no command of a ${other}`,
    next:
      other === 'client'
        ? `Give the client, with ${SERVER_WORDS} where the server's command belongs: mcp-record run ${file} -- node client.js ${SERVER_WORDS}`
        : `Give the server: mcp-record run ${file} -- node server.js`,
  });
}

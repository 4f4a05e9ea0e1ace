import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cassette } from '../../cassette/cassette.ts';
import { eventsToEntries } from '../../cassette/split-batches-into-entries.ts';
import { cancel } from '../../faults/messages/cancel.ts';
import type { Rule } from '../../faults/rules/fault-rule.ts';
import { systemClock } from '../../kernel/clock.ts';
import { PROGRAM } from '../../kernel/installed-package.ts';
import { rewordForScenario } from '../../modes/reword-ignore-advice.ts';
import { type Finding, titleOf } from '../../replay/findings/finding.ts';
import { stripHttp } from '../../replay/prepare/strip-http.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { Evidence } from '../../scenario/scenario-judge.ts';
import { runCommand } from '../../sweep/client/run-command.ts';
import { substituteAddress } from '../../sweep/client/server-address.ts';
import { unreachedServerError } from '../../sweep/client/unreached-server-error.ts';
import { RULES_OF_SHELL } from '../io/missing-rules-advice.ts';
import { recorderRedactionArguments } from '../record/recorder-redaction-arguments.ts';
import { secretsEnvFile } from '../record/secrets-env-file.ts';
import { observed, type PlayedScenario } from './observed-run.ts';

const SELF = [process.execPath, PROGRAM];

/**
 * Runs the command under test against the played side. A recorder sits between them, with the faults on its far side.
 */
export async function playOverStdio(played: PlayedScenario, tested: readonly string[]): Promise<Evidence> {
  const { scenario, cassette, folder, options } = played;
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
    ...(scenario.play === 'server'
      ? substituteAddress({ words: server }, tested, process.env)
      : { command: [...client, ...record, 'proxy', ...misbehaving, '--', ...tested], env: process.env }),
    deadline,
    clock: systemClock,
  });
  const noted = [...notedIn(journal, others), ...notedIn(ownJournal, own)];
  if (scenario.play === 'server' && !ended.timedOut && linesOf(findings).length === 0)
    throw unreachedServerError({ subcommand: 'run', command: tested, at: { words: server }, ended });
  const found = linesOf<ServerLogLine>(findings);
  return {
    ...(await observed(ended, played)),
    ...(scenario.play === 'server' && { played: cassette }),
    fired: noted.flatMap(({ rule, unchanged }) => (unchanged === undefined ? [rule] : [])),
    unchanged: noted.flatMap(({ rule, unchanged: why }) => (why === undefined ? [] : [{ rule, why }])),
    // The rules of the shell have reached this process, which passes them on.
    misses: found
      .filter(({ kind }) => kind === 'miss')
      .map((miss) => rewordForScenario({ ...miss, text: miss.text.replace(RULES_OF_SHELL, '') })),
    unused: unusedBy(found, cassette),
    uncompared: [...new Set(found.filter(({ kind }) => kind === 'guessed').map(({ text }) => text))],
  };
}

/** A line in the log of a mock server. */
interface ServerLogLine extends Pick<Finding, 'text' | 'varies' | 'isUsedUp'> {
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

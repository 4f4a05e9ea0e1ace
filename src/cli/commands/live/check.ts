import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import type { Cassette } from '../../../cassette/cassette.ts';
import { loadCassette } from '../../../cassette/read/load-cassette.ts';
import { PROGRAM } from '../../../kernel/installed-package.ts';
import { printable } from '../../../text-report/printable-text.ts';
import { filesAndCommand } from '../../cassette-files/files-and-command.ts';
import { cassettesNamed, DISK, filesNamed, nothingNamed } from '../../cassette-files/find-cassette-files.ts';
import { checkMarkdown } from '../../check/check-markdown.ts';
import {
  type CheckResult,
  type EndedRun,
  statusOf,
  summaryLines,
  verdictOf,
} from '../../check/check-verdicts-and-summary.ts';
import { hintForBase } from '../../check/hint-for-base.ts';
import { type CheckOptions, type CheckRun, plannedChecks } from '../../check/planned-checks.ts';
import { removeReportsOfChecks } from '../../check/reports-of-earlier-checks.ts';
import { UnusedRules } from '../../check/unused-rules.ts';
import { incompleteRevision } from '../../git/run-git.ts';
import { childExitStatus } from '../../io/child-exit-status.ts';
import { EXIT, print, printLines, say } from '../../io/output.ts';
import { interruption } from '../../io/signals.ts';
import { writeReport } from '../../reports/write-report-file.ts';

/**
 * Runs `mcp-record check FILE… -- COMMAND…` or `--http URL`: looks for secrets and violations of the protocol in
 * cassettes, compares them with those of a revision, and plays each of them to the server.
 */
export async function run(command: Command): Promise<number> {
  const options = command.opts<CheckOptions>();
  const [named, server] = filesAndCommand(command.args, process.argv);
  if (options.reports !== undefined) removeReportsOfChecks(options.reports);
  const { aborted, by } = interruption();
  const results: CheckResult[] = [];
  const printedNotes = new Set<string>();
  const unused = new UnusedRules();
  if (options.base === '') throw incompleteRevision('', '--base is empty');
  const absent = options.base === undefined ? named.find((name) => filesNamed(DISK, name).length === 0) : undefined;
  // Each check would say it again. A folder without cassettes is an error of its own.
  if (absent !== undefined && DISK.kindOf(absent) === undefined) throw nothingNamed(absent);
  // A cassette that exists only in the revision was deleted. Only the comparison reports deleted cassettes.
  const present = options.base === undefined ? named : named.filter((name) => filesNamed(DISK, name).length > 0);
  const cassettes = cassettesNamed(present);
  for (const { name, runs, skipped } of plannedChecks({ named, present, cassettes, server, options })) {
    const whyNot = skipped ?? (name === 'changes' ? whyUnsafe(results) : undefined);
    if (whyNot !== undefined) {
      results.push({ name, runs: [], skipped: whyNot });
      continue;
    }
    const ended: EndedRun[] = [];
    for (const one of runs) if (!aborted.aborted) ended.push(await ran(one, { aborted, printedNotes, unused }));
    results.push({ name, runs: ended });
  }
  const signal = by();
  if (signal !== undefined) process.exit(childExitStatus(signal));
  for (const note of unused.notes(options, () => readable(cassettes))) say(`Note: ${note}`);
  const hint = hintForBase(results);
  await printLines([...summaryLines(results), ...(hint === undefined ? [] : [`hint: ${hint}`])]);
  if (options.markdown !== undefined) writeReport(options.markdown, checkMarkdown(named, results, hint));
  return statusOf(results);
}

/** Returns the cassettes that can be read. The commands say why another cannot. */
function readable(files: readonly string[]): Cassette[] {
  return files.flatMap((file) => {
    try {
      return [loadCassette(file)];
    } catch {
      return [];
    }
  });
}

/** Returns why nothing may be compared, since that prints what cassettes contain. */
function whyUnsafe(results: readonly CheckResult[]): string | undefined {
  const secrets = results.find(({ name }) => name === 'secrets');
  const verdict = secrets && verdictOf(secrets);
  if (verdict === 'failed') return 'the cassettes contain secrets, which it would print';
  return verdict === 'passed' ? undefined : 'the cassettes could not be searched for secrets, which it would print';
}

interface Surroundings {
  aborted: AbortSignal;
  /** Notes that an earlier command has printed. */
  printedNotes: Set<string>;
  unused: UnusedRules;
}

/** Runs a command of this program and prints its output at the end, without notes that an earlier run printed. */
async function ran({ title, args }: CheckRun, { aborted, printedNotes, unused }: Surroundings): Promise<EndedRun> {
  await print(`── ${printable(title)}\n`);
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => child.kill();
  aborted.addEventListener('abort', stop, { once: true });
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => parts.push(data));
  const status = await new Promise<number>((resolve) => {
    child.once('error', () => resolve(EXIT.usage));
    child.once('close', (code, signal) => resolve(childExitStatus(code ?? signal ?? EXIT.usage)));
  });
  aborted.removeEventListener('abort', stop);
  const all = Buffer.concat(parts).toString('utf8').split('\n');
  const lines = unused.take(all, { args, status });
  const output = lines.filter((line) => !printedNotes.has(line)).join('\n');
  for (const line of lines) if (line.startsWith('mcp-record: Note: ')) printedNotes.add(line);
  await print(`${output.trimEnd()}\n\n`);
  return { title, args, status, output };
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cassette } from '../../cassette/cassette.ts';
import { usesMethod } from '../../cassette/uses-method.ts';
import { serializeRule } from '../../faults/rules/serialize-rule.ts';
import { requestsOf } from '../../journal/journal.ts';
import { systemClock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { PROGRAM } from '../../kernel/installed-package.ts';
import { endpointEnded } from '../../mock/endpoint/refuse-after-end.ts';
import type { FaultRule } from '../../modes/faulty-channel.ts';
import { parseMockServerFaults } from '../../modes/faulty-channel.ts';
import { rewordForTest } from '../../modes/reword-ignore-advice.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { type ReplayOutcome, replayOutcome } from '../../replay/findings/replay-outcome.ts';
import { checkPlayable } from '../../replay/findings/unplayable-findings.ts';
import { unusedByAll } from '../../replay/findings/unused-entries.ts';
import { planServer } from '../../replay/plan/server-plan.ts';
import { stripHttp } from '../../replay/prepare/strip-http.ts';
import { timingText } from '../../replay/timing.ts';
import { loadAndWarn } from '../test/print-test-notes.ts';
import { FaultRulesWriter } from './fault-rules-writer.ts';
import type { StdioOptions, StdioServer } from './mock-server-types.ts';
import { ProcessJournal } from './process-journal.ts';
import { type ProcessLogLine, ProcessLogReader } from './process-log-reader.ts';
import { finishOrDispose } from './raise-unread-failures.ts';

/**
 * Returns the command line of a recorded server. Each started process logs its findings to a file that this test reads.
 * A process still running at the end is killed and fails the test.
 * @throws McpRecordError CASSETTE_UNPLAYABLE, and those of `loadCassette`
 */
export function stdioCassetteServer(cassette: string, options: StdioOptions): StdioServer {
  // Checked here, because nobody reads the errors of a child process.
  const loaded = loadAndWarn(cassette);
  checkPlayable(loaded);
  const { timing = 'instant', ignore = [], faults = [], seed = 0, repeat } = options;
  const parsed = (written: readonly FaultRule[]) =>
    parseMockServerFaults(written, 'stdio', (method) => usesMethod([loaded], method));
  const rules = parsed(faults);
  // A user-defined fault is refused before there is a folder that nobody would remove.
  for (const rule of rules) serializeRule(rule);
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-server-'));
  const file = join(folder, 'findings.jsonl');
  writeFileSync(file, '');
  const faultRulesFile = new FaultRulesWriter(join(folder, 'faults.json'), seed);
  faultRulesFile.use(rules);
  const lines = new ProcessLogReader(file);
  /** Lines logged since the start or the last reset. */
  let loggedLines: ProcessLogLine[] = [];
  /** State lines before the last reset, of processes that may still run. */
  let before: ProcessLogLine[] = [];
  let outcome: ReplayOutcome | undefined;
  let isTaking = false;
  const readNewLines = () => {
    // Watchers of the journal call `readNewLines` again for each line. New lines are then left to the outer call, to keep the
    // order.
    if (outcome || isTaking) return;
    const fresh = lines.next();
    loggedLines.push(...fresh);
    isTaking = true;
    for (const line of fresh) journal.take(line);
    isTaking = false;
  };
  const journal = new ProcessJournal(readNewLines, systemClock);
  const outcomeSoFar = () => {
    const lines: ProcessLogLine[] = loggedLines.length > 0 ? loggedLines : neverStarted(loaded);
    return outcomeOf(lines, faultRulesFile.unfired(loggedLines), options);
  };
  const finish = async () => {
    if (outcome) return outcome;
    readNewLines();
    const leaks = killLeakedProcesses([...before, ...loggedLines]).map(
      (pid): Finding => ({ kind: 'leaked', text: leakText(pid) }),
    );
    outcome = replayOutcome([...outcomeSoFar().findings, ...leaks], options);
    rmSync(folder, { recursive: true, force: true });
    return outcome;
  };
  const fired = () => {
    readNewLines();
    return loggedLines.flatMap((line) => line.fired ?? []);
  };
  return {
    cassette,
    command: process.execPath,
    args: [
      ...[PROGRAM, 'replay', '--findings', file, '--live-faults', faultRulesFile.file, '--timing', timingText(timing)],
      ...(repeat === undefined ? [] : ['--repeat']),
      ...ignore.flatMap((pointer) => (typeof pointer === 'string' ? ['--ignore', pointer] : [])),
      cassette,
    ],
    misbehave: (others) => faultRulesFile.use(parsed(others)),
    get fired() {
      return fired();
    },
    received: (method) => requestsOf(journal.journal, method),
    journal: journal.journal,
    use: refuseHandlers,
    resetHandlers() {},
    notify: refuseHandlers,
    request: async () => refuseHandlers(),
    ...finishOrDispose({
      cassette,
      journal: journal.journal,
      finish,
      fired,
      async reset() {
        if (outcome) throw endpointEnded(cassette, 'reset()');
        readNewLines();
        const outcomeBefore = outcomeSoFar();
        before = [...before, ...loggedLines.filter(({ state }) => state !== undefined)];
        loggedLines = [];
        journal.reset();
        faultRulesFile.restart();
        return outcomeBefore;
      },
    }),
  };
}

function refuseHandlers(): never {
  throw handlersOverStdio();
}

/** Returns the error for handlers on a mock server that runs in another process. */
function handlersOverStdio(): McpRecordError {
  return new McpRecordError({
    code: 'HANDLER_OVER_STDIO',
    what: 'Cannot use handlers, or speak as the server',
    why: 'this mock server is a separate process that plays a cassette',
    next: "Have it answer in this process from the beginning: mockServer({ over: 'stdio', cassette, handlers: [] }).",
  });
}

/** Returns the findings about unused entries if no process was started to report them. */
function neverStarted(cassette: Cassette): ProcessLogLine[] {
  const plan = planServer(stripHttp(cassette).events);
  return unusedByAll({ file: cassette.file, plan }, []).map(({ kind, text }) => ({ pid: 0, kind, text }));
}

function outcomeOf(lines: readonly ProcessLogLine[], unfired: readonly string[], options: StdioOptions): ReplayOutcome {
  const findings = lines.flatMap(({ kind, text = '', varies, breaksProtocol, differsAt }): Finding[] =>
    kind
      ? [
          rewordForTest({
            kind,
            text,
            ...(varies !== undefined && { varies }),
            ...(breaksProtocol && { breaksProtocol }),
            ...(differsAt && { differsAt }),
          }),
        ]
      : [],
  );
  for (const text of unfired) findings.push({ kind: 'unfired', text });
  return replayOutcome(findings, options);
}

/** Kills the processes whose start was logged, but not their end. Returns the ids of running ones. */
function killLeakedProcesses(lines: readonly ProcessLogLine[]): number[] {
  const ended = new Set(lines.filter(({ state }) => state === 'ended').map(({ pid }) => pid));
  const open = lines.filter(({ state, pid }) => state === 'started' && !ended.has(pid)).map(({ pid }) => pid);
  return open.filter((pid) => {
    try {
      return process.kill(pid, 'SIGKILL');
    } catch {
      // The process was killed earlier, and could not log its end.
      return false;
    }
  });
}

function leakText(pid: number): string {
  return `The mock server that was started as process ${pid} still ran when the test was over: close its client.`;
}

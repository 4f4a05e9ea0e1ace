import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Cassette } from '../../../cassette/cassette.ts';
import type { SwitchableFaultInjector } from '../../../faults/engine/switchable-fault-injector.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { expectationsOf, isFailure } from '../../../replay/findings/failure-policy.ts';
import type { Finding } from '../../../replay/findings/finding.ts';
import type { PlayedRun } from '../../../replay/player/player-options.ts';
import { discoverResponseFromProbe } from '../../../replay/prepare/recorded-discover.ts';
import { serveStdio } from '../../../replay/serve-stdio.ts';
import { parseTiming } from '../../../replay/timing.ts';
import { openParent } from '../../../transports/stdio/parent-channel.ts';
import { childExitStatus } from '../../io/child-exit-status.ts';
import { loadWithProgress } from '../../io/load-with-progress.ts';
import { missingRulesAdvice } from '../../io/missing-rules-advice.ts';
import { mockProcessLogWriter } from '../../io/mock-process-log-writer.ts';
import { EXIT, say } from '../../io/output.ts';
import { sayWaitingForClient } from '../../io/waiting-for-client-hint.ts';
import { type FaultOptions, fallsShort, faultsOf } from '../../options/fault-options.ts';
import { givenIgnores, type IgnoreOptions, sayUnusedIgnores } from '../../options/ignore-options.ts';
import type { AuthOptions } from '../../options/mock-auth-options.ts';
import { type RedactionOptions, rulesFrom } from '../../options/redaction-options.ts';
import { maskSecretsFor, secretsFromEnv, withSecrets } from '../../options/restore-secrets-from-env.ts';
import { printableStderr } from '../../terminal/printable-stderr.ts';
import { parseReaction } from './on-difference-option.ts';

export interface Options extends FaultOptions, RedactionOptions, AuthOptions, IgnoreOptions {
  timing: string;
  strict?: boolean;
  onDifference?: string;
  repeat?: boolean;
  http?: boolean;
  listen: string;
  path: string;
  allowHost: string[];
  secretsFromEnv?: string;
  findings?: string;
  liveFaults?: string;
  control?: string;
  else?: boolean;
  add?: boolean;
}

/** Runs `mcp-record replay FILE`: serves a cassette on standard input and output, or over HTTP. */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const { timing, strict = false, repeat } = options;
  const [path, ...words] = command.args as [string, ...string[]];
  if (options.else) return (await import('./replay-else.ts')).run(path, words, options);
  if (words.length > 0) throw options.http && isAddress(path) ? addressOfHttp(path) : serverWithoutElse(words);
  if (options.http && options.control !== undefined)
    return (await import('./replay-http-with-control.ts')).run(path, options);
  if (options.http) return (await import('./replay-http.ts')).run(path, options);
  const recorded = loadWithProgress(path);
  const cassette = options.secretsFromEnv
    ? await withSecrets(recorded, undefined, await secretsFromEnv(options.secretsFromEnv))
    : recorded;
  const given = givenIgnores(options);
  const play = parseTiming(timing);
  const rules = await rulesFrom(options);
  const redact = options.secretsFromEnv
    ? await (await import('../../reports/output-redactor.ts')).redactionOfSecrets(options)
    : String;
  const faults = await faultsOf(options, 'stdio', 'client', [cassette]);
  for (const warning of cassette.warnings) say(warning);

  const discovered = discoverResponseFromProbe(cassette.file);

  const told = mockProcessLogWriter(options.findings);
  told.started();
  let fellShort = false;
  const live =
    options.liveFaults === undefined
      ? undefined
      : (await import('./live-fault-file.ts')).faultsFromLiveFile(options.liveFaults, told, (error) => {
          say(error.message);
          told.found({ kind: 'thrown', text: error.message }, true);
          fellShort = true;
        });
  const expectations = expectationsOf(strict, parseReaction(options.onDifference));
  const rulesAdvice = missingRulesAdvice(recorded, options);
  const guessed: Finding[] = [];
  const report = (finding: Finding) => {
    const { kind } = finding;
    const text = redact(finding.text) + rulesAdvice(finding);
    if (kind === 'guessed') guessed.push(finding);
    say(text);
    const fails = isFailure(kind, expectations);
    told.found({ ...finding, text }, fails);
    control?.addFinding(finding);
    fellShort ||= fails;
  };
  const parent = printableStderr(openParent(systemClock));
  const channel = told.overheard(parent);
  const played = await spoken(cassette);
  const control =
    options.control === undefined
      ? undefined
      : await (await import('./replay-stdio-control.ts')).controlStdio({
          options,
          path,
          cassette: played,
          channel,
          faults,
          report,
        });
  const served = live ?? control?.faults ?? faults;
  let runs: () => readonly PlayedRun[] = () => [];
  sayWaitingForClient(`playing the server of ${path}`);
  const { status, unfired } = await serveStdio({
    cassette: played,
    channel,
    clock: systemClock,
    timing: play,
    repeat: repeat ? 'last' : undefined,
    ignore: [...given.ignore, ...(await maskSecretsFor(cassette, rules))],
    report,
    ...(discovered && { discovered }),
    ...control?.served,
    started: (played) => {
      runs = played;
      control?.served.started?.(played);
    },
    ...(served && { faults: { ...served, Traffic: await misbehaviour() } }),
  });
  if (runs().some(({ placeholders }) => placeholders?.length)) {
    const { uncomparedFindings } = await import('./uncompared-placeholders.ts');
    for (const finding of uncomparedFindings(runs(), guessed, options)) report(finding);
  }
  if (faults && served === faults) {
    for (const one of unfired) {
      const { unfiredText } = await import('../../../faults/engine/unfired-rule.ts');
      told.found({ kind: 'unfired', text: unfiredText(faults.rules, one) }, options.strictFaults === true);
    }
    if (fallsShort(faults, unfired, options)) fellShort = true;
  }
  if (control?.fellShort() === true) fellShort = true;
  sayUnusedIgnores(given, [cassette]);
  if (process.stderr.isTTY) await sayPlayed(path, runs());
  await new Promise<void>((resolve) => parent.flushed(resolve));
  told.ended();
  process.exit(fellShort ? EXIT.fellShort : childExitStatus(status));
}

/** Prints how much of the cassette was played. Only a person reads it: a client prints what its server says on standard error. */
async function sayPlayed(path: string, runs: readonly PlayedRun[]): Promise<void> {
  const { UsedRequestsCount } = await import('../../terminal/used-requests-count.ts');
  const played = new UsedRequestsCount([]);
  for (const run of runs) played.add(run);
  say(`played ${path}: ${played.text()}`);
}

/** Reports whether a word is an address or a URL, and no file. */
function isAddress(word: string): boolean {
  return /^(?:https?:\/\/\S+|[\w.[\]:-]*:\d+|\d+)$/.test(word) && !existsSync(word);
}

function addressOfHttp(address: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_EXCESS_ARGUMENTS',
    what: `Cannot use "${address}"`,
    why: 'the --http of replay has no value',
    next: `Give the address for clients with --listen: mcp-record replay --http --listen ${address.replace(/^https?:\/\/|\/.*$/g, '')} FILE`,
  });
}

function serverWithoutElse(words: readonly string[]): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_EXCESS_ARGUMENTS',
    what: `Cannot use "${words.join(' ')}"`,
    why: 'a replay is of one file and needs no server',
    next: 'Leave it out, or add --else: the server then answers what the cassette does not have.',
  });
}

async function misbehaviour(): Promise<typeof SwitchableFaultInjector> {
  return (await import('../../../faults/engine/switchable-fault-injector.ts')).SwitchableFaultInjector;
}

/** Reduces an HTTP session to its messages. The code for it is loaded on demand. */
async function spoken(cassette: Cassette): Promise<Cassette> {
  if (cassette.header.transport === 'stdio') return cassette;
  return (await import('../../../replay/prepare/strip-http.ts')).stripHttp(cassette);
}

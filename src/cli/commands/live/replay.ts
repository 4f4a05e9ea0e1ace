import type { Command } from 'commander';
import type { Cassette } from '../../../cassette/cassette.ts';
import type { SwitchableFaultInjector } from '../../../faults/engine/switchable-fault-injector.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { expectationsOf, isFailure } from '../../../replay/findings/expectations.ts';
import type { Finding } from '../../../replay/findings/finding.ts';
import { serveStdio } from '../../../replay/serve-stdio.ts';
import { parseTiming } from '../../../replay/timing.ts';
import { openParent } from '../../../transports/stdio/parent-process.ts';
import { childExitStatus } from '../../io/child-exit-status.ts';
import { loadWithProgress } from '../../io/load-with-progress.ts';
import { mockServerLog } from '../../io/mock-server-log.ts';
import { EXIT, say } from '../../io/output.ts';
import { recordedDiscovery } from '../../io/recorded-discovery.ts';
import { sayWaitingForClient } from '../../io/waiting-message.ts';
import { type FaultOptions, fallsShort, faultsOf } from '../../options/fault-options.ts';
import { maskSecretsFor, withSecrets } from '../../options/placeholder-secrets.ts';
import { type RedactionOptions, rulesFrom } from '../../options/redaction-options.ts';

export interface Options extends FaultOptions, RedactionOptions {
  timing: string;
  ignore: string[];
  strict?: boolean;
  repeat?: boolean;
  http?: boolean;
  listen: string;
  path: string;
  allowHost: string[];
  secretsFromEnv?: string;
  findings?: string;
  liveFaults?: string;
}

/** `mcp-record replay FILE`: the recorded server, on our standard input and output, or over HTTP. */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const { timing, ignore, strict = false, repeat } = options;
  const path = command.args[0]!;
  if (options.http) return (await import('./replay-http.ts')).run(path, options);
  const recorded = loadWithProgress(path);
  const cassette = options.secretsFromEnv ? await withSecrets(recorded, 'server', options.secretsFromEnv) : recorded;
  const play = parseTiming(timing);
  const rules = await rulesFrom(options);
  const faults = await faultsOf(options, 'stdio');
  for (const warning of cassette.warnings) say(warning);

  const discovered = recordedDiscovery(cassette.file);

  const told = mockServerLog(options.findings);
  told.started();
  const live =
    options.liveFaults === undefined
      ? undefined
      : (await import('../../options/reloaded-faults.ts')).reloadedFaults(options.liveFaults, told);
  const served = live ?? faults;
  let fellShort = false;
  const expectations = expectationsOf(strict);
  const report = (finding: Finding) => {
    const { kind, text } = finding;
    say(text);
    told.found(finding);
    fellShort ||= isFailure(kind, expectations);
  };
  const parent = openParent(systemClock);
  sayWaitingForClient(`playing the server of ${path}`);
  const { status, unfired } = await serveStdio({
    cassette: await spoken(cassette),
    channel: told.overheard(parent),
    clock: systemClock,
    timing: play,
    repeat: repeat ? 'last' : undefined,
    ignore: [...ignore, ...(await maskSecretsFor(cassette, rules))],
    report,
    ...(discovered && { discovered }),
    ...(served && { faults: { ...served, Traffic: await misbehaviour() } }),
  });
  if (faults && served === faults && fallsShort(faults, unfired, options)) fellShort = true;
  await new Promise<void>((resolve) => parent.flushed(resolve));
  told.ended();
  process.exit(fellShort ? EXIT.fellShort : childExitStatus(status));
}

async function misbehaviour(): Promise<typeof SwitchableFaultInjector> {
  return (await import('../../../faults/engine/switchable-fault-injector.ts')).SwitchableFaultInjector;
}

/** A session over HTTP as what its two sides said; what reads it is loaded only then. */
async function spoken(cassette: Cassette): Promise<Cassette> {
  if (cassette.header.transport === 'stdio') return cassette;
  return (await import('../../../replay/prepare/strip-http.ts')).stripHttp(cassette);
}

import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { probeName } from '../../cassette/file-name.ts';
import { loadCassette } from '../../cassette/load.ts';
import { systemClock } from '../../kernel/clock.ts';
import { discoveredOn, type Reply } from '../../replay/era.ts';
import type { Finding } from '../../replay/finding.ts';
import { serveStdio } from '../../replay/serve-stdio.ts';
import { parseTiming } from '../../replay/timing.ts';
import { openParent } from '../../transports/stdio/parent.ts';
import { type FaultOptions, fallsShort, faultsOf } from '../faults.ts';
import { requireStdio } from '../other-transport.ts';
import { EXIT, say } from '../output.ts';
import { secretsAlikeFor, withSecrets } from '../secrets.ts';
import { statusOf } from '../status.ts';

interface Options extends FaultOptions {
  timing: string;
  ignore: string[];
  strict?: boolean;
  secretsFromEnv?: boolean;
}

/** `mcp-record replay FILE`: the recorded server, on our standard input and output. */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const { timing, ignore, strict = false } = options;
  const taped = loadCassette(command.args[0]!);
  const cassette = options.secretsFromEnv ? await withSecrets(taped, 'server', true) : taped;
  const play = parseTiming(timing);
  requireStdio(cassette);
  const faults = await faultsOf(options, 'stdio');
  for (const warning of cassette.warnings) say(warning);

  const discovered = probeOf(cassette.file);

  let fellShort = false;
  const report = ({ kind, text }: Finding) => {
    say(text);
    fellShort ||= kind === 'miss' || (strict && kind === 'unused');
  };
  const parent = openParent(systemClock);
  const { status, unfired } = await serveStdio({
    cassette,
    channel: parent,
    clock: systemClock,
    timing: play,
    ignore: [...ignore, ...(await secretsAlikeFor(cassette))],
    report,
    ...(discovered && { discovered }),
    ...(faults && { faults }),
  });
  if (faults && fallsShort(faults, unfired, options)) fellShort = true;
  await new Promise<void>((resolve) => parent.flushed(resolve));
  process.exit(fellShort ? EXIT.fellShort : statusOf(status));
}

/** What the server said to the process that a probing client started before the session, if its tape lies beside. */
function probeOf(file: string): Reply | undefined {
  const probe = probeName(file);
  return existsSync(probe) ? discoveredOn(loadCassette(probe).events) : undefined;
}

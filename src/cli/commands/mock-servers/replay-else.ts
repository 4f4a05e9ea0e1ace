import type { ExitFrame } from '../../../channel/frame.ts';
import { tappedChannel } from '../../../channel/tapped-channel.ts';
import { systemClock as clock } from '../../../kernel/clock.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { formatCount } from '../../../kernel/format-count.ts';
import { extendCassette } from '../../../modes/extend-cassette.ts';
import { createRedactor } from '../../../redact/redactor.ts';
import { expectationsOf, isFailure } from '../../../replay/findings/failure-policy.ts';
import type { Finding } from '../../../replay/findings/finding.ts';
import { parseTiming } from '../../../replay/timing.ts';
import { lineChannel } from '../../../transports/stdio/line-channel.ts';
import { openParent } from '../../../transports/stdio/parent-channel.ts';
import { childExitStatus } from '../../io/child-exit-status.ts';
import { loadWithProgress } from '../../io/load-with-progress.ts';
import { missingRulesAdvice } from '../../io/missing-rules-advice.ts';
import { mockProcessLogWriter } from '../../io/mock-process-log-writer.ts';
import { EXIT, say } from '../../io/output.ts';
import { sayWaitingForClient } from '../../io/waiting-for-client-hint.ts';
import { givenIgnores, sayUnusedIgnores } from '../../options/ignore-options.ts';
import { rulesFrom } from '../../options/redaction-options.ts';
import { printableStderr } from '../../terminal/printable-stderr.ts';
import { parseReaction } from './on-difference-option.ts';
import type { Options } from './replay.ts';

/**
 * Runs `mcp-record replay --else FILE -- COMMAND…`: replays a cassette, and forwards requests missing in it to a live
 * server. The server is started for the first such request.
 * @throws McpRecordError USAGE_ONE_SERVER, and those of `loadCassette`
 */
export async function run(file: string, words: readonly string[], options: Options): Promise<number> {
  const [command, ...args] = words;
  if (command === undefined) throw noServer(file);
  const { add: isAdded = false, strict = false, timing, repeat } = options;
  const cassette = loadWithProgress(file);
  const rules = await rulesFrom(options);
  for (const warning of cassette.warnings) say(warning);
  const log = mockProcessLogWriter(options.findings);
  log.started();
  const expectations = expectationsOf(strict, parseReaction(options.onDifference));
  let fellShort = false;
  const rulesAdvice = missingRulesAdvice(cassette, options);
  const report = (finding: Finding) => {
    say(finding.text + rulesAdvice(finding));
    const fails = isFailure(finding.kind, expectations);
    log.found(finding, fails);
    fellShort ||= fails;
  };
  const parent = printableStderr(openParent(clock));
  let hasEnded: (exit?: ExitFrame) => void;
  const ended = new Promise<ExitFrame | undefined>((resolve) => {
    hasEnded = resolve;
  });
  const client = tappedChannel(lineChannel(log.overheard(parent), 'client', clock), (frame) => {
    if (frame.kind === 'exit') hasEnded(frame);
    if (frame.kind === 'close' || frame.kind === 'signal') hasEnded();
  });
  const given = givenIgnores(options);
  const session = await extendCassette(cassette, {
    file,
    server: { command, args },
    client,
    clock,
    timing: parseTiming(timing),
    ignore: given.ignore,
    repeat: repeat ? 'last' : undefined,
    redactor: () => createRedactor({ env: process.env, ...rules }),
    isAdded,
    report,
  });
  sayWaitingForClient(`playing the server of ${file}`);
  const exit = await ended;
  const { asked = 0, written, kept, notes = [] } = await session.end(() => !fellShort);
  if (asked > 0)
    say(`the live server got ${formatCount(asked, 'request')}${isAdded ? '' : ': --add adds them to the cassette'}`);
  if (kept !== undefined) say(`${file} is as it was; what the live server has said is in ${kept}`);
  for (const note of written === undefined ? [] : notes) say(note);
  sayUnusedIgnores(given, [cassette]);
  await new Promise<void>((resolve) => parent.flushed(resolve));
  log.ended();
  process.exit(fellShort ? EXIT.fellShort : childExitStatus(exit?.status));
}

function noServer(file: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_ONE_SERVER',
    what: 'Cannot use --else',
    why: 'no live server was given',
    next: `Write its command after two dashes: mcp-record replay --else ${file} -- node server.js`,
  });
}

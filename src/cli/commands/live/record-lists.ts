import type { Command } from 'commander';
import { tappedChannel } from '../../../channel/tapped-channel.ts';
import { systemClock as clock } from '../../../kernel/clock.ts';
import { formatCount } from '../../../kernel/format-count.ts';
import { capabilityOf, isDeclared, LISTS } from '../../../protocol/method-table.ts';
import { printable } from '../../../text-report/printable-text.ts';
import { shellWord } from '../../../text-report/shell-word.ts';
import type { ToolCall } from '../../../verify/run/listing-client-cassette.ts';
import { liveServerOverChannel } from '../../../verify/run/live-server-over-channel.ts';
import { requestLists, requestServerLists, type ServerLists } from '../../../verify/run/request-server-lists.ts';
import { EXIT, say } from '../../io/output.ts';
import { CASSETTE_FAILED } from '../../io/recording-failures.ts';
import { parseTiming } from '../../options/delay-precision-option.ts';
import { tracedBy } from '../../options/otlp-option.ts';
import { type RedactionOptions, rulesFrom } from '../../options/redaction-options.ts';
import { prepareStdioRecorder } from '../../record/prepare-stdio-recorder.ts';
import { recordedServer } from '../../record/server-to-record.ts';
import { requireTools, toolCallsFrom } from '../../record/tool-calls-option.ts';
import { outputRedactor } from '../../reports/output-redactor.ts';

interface Options extends RedactionOptions {
  output: string;
  timing: string;
  http?: string;
  header: string[];
  ca?: string;
  redact: boolean;
  otlp?: string | true;
  call: string[];
}

/** A recorded session of `record --lists`. */
interface RecordedLists {
  lists: ServerLists;
  calls: readonly ToolCall[];
  path: string;
  isWhole: boolean;
}

/**
 * Runs `mcp-record record --lists -o FILE -- COMMAND…` or `--http URL`: opens a session with a server, reads all its
 * lists, makes the calls of `--call`, and records that. A session before it, which is not recorded, finds out which lists there are.
 */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const words = command.args[0] === '--' ? command.args.slice(1) : command.args;
  const { lists, calls, path, isWhole } = await recordLists(words, options);
  const { text } = await outputRedactor(options);
  for (const { tool, kind, text: said } of lists.failedCalls)
    say(
      `tools/call ${JSON.stringify(tool)} failed, and is recorded so: ${shortened(printable(text(`${kind}: ${said}`)))}`,
    );
  if (isWhole) {
    const counts = countsOf(lists, calls);
    say(`${counts} → ${path}. Compare the server with it:\n  ${text(verifyCommand(path, words, options))}`);
  }
  // Child processes of the server may hold its streams open, and must not keep this process alive.
  process.exit(isWhole ? EXIT.ok : CASSETTE_FAILED);
}

async function recordLists(words: readonly string[], options: Options): Promise<RecordedLists> {
  const { output, timing, redact } = options;
  const calls = toolCallsFrom(options.call, words);
  const rules = await rulesFrom(options);
  const { channel, name, given } = await recordedServer(words, options);
  const gap = parseTiming(timing);
  const traced = await tracedBy(options.otlp);
  const recording = prepareStdioRecorder({ output, server: name, given, gap, redact, rules, traced });
  return await new Promise((resolve, reject) => {
    const start = () => channel(reject);
    const record = async (): Promise<RecordedLists> => {
      const offered = await requestServerLists({ connect: async () => liveServerOverChannel(start(), clock), clock });
      requireTools(calls, offered.tools);
      const recorder = await recording.recorder();
      const server = liveServerOverChannel(
        tappedChannel(start(), (frame) => recorder.tap(frame), 'tap-first'),
        clock,
      );
      const { opening } = offered;
      const ended: { isWhole?: boolean } = {};
      const lists = await requestLists({ opening, methods: declaredLists(offered), calls, server, clock }).finally(
        async () => {
          ended.isWhole = await recording.end(true);
        },
      );
      return { lists, calls, isWhole: ended.isWhole === true, path: recorder.path ?? output };
    };
    record().then(resolve, reject);
  });
}

/** Returns the methods of the lists whose capability the server declares. Templates are optional beside resources. */
function declaredLists({ opening, capabilities, answered }: ServerLists): string[] {
  const modern = opening === 'server/discover';
  return [...LISTS.keys()].filter((method) => {
    const path = capabilityOf(method, { modern });
    if (method === 'resources/templates/list' && !answered.includes(method)) return false;
    return method.endsWith('/list') && path !== undefined && isDeclared(path, capabilities);
  });
}

/** Returns the command that compares the server with a cassette. */
function verifyCommand(path: string, words: readonly string[], { http }: Options): string {
  const server = words.length > 0 ? ['--', ...words] : ['--http', http ?? ''];
  return ['mcp-record', 'verify', '--fail-on', 'breaking', path, ...server].map(shellWord).join(' ');
}

const TEXT_LENGTH_MAX = 200;

function shortened(text: string): string {
  return text.length <= TEXT_LENGTH_MAX ? text : `${text.slice(0, TEXT_LENGTH_MAX)}…`;
}

function countsOf({ tools, prompts, resources, resourceTemplates }: ServerLists, calls: readonly ToolCall[]): string {
  const counts = [
    formatCount(tools.length, 'tool'),
    formatCount(prompts.length, 'prompt'),
    formatCount(resources.length, 'resource'),
    formatCount(resourceTemplates.length, 'resource template'),
    formatCount(calls.length, 'call'),
  ];
  return counts.filter((count) => !count.startsWith('0')).join(', ') || 'no list, only the opening of the session';
}

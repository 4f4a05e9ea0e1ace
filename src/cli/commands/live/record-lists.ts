import type { Command } from 'commander';
import { tappedChannel } from '../../../channel/tapped-channel.ts';
import { systemClock as clock } from '../../../kernel/clock.ts';
import { formatCount } from '../../../kernel/format-count.ts';
import { capabilityOf, isDeclared, LISTS } from '../../../protocol/method-table.ts';
import { shellWord } from '../../../text-report/shell-word.ts';
import { liveServerOverChannel } from '../../../verify/run/live-server-over-channel.ts';
import { requestLists, requestServerLists, type ServerLists } from '../../../verify/run/request-server-lists.ts';
import { EXIT, say } from '../../io/output.ts';
import { CASSETTE_FAILED } from '../../io/recording-failures.ts';
import { parseTiming } from '../../options/delay-precision-option.ts';
import { tracedBy } from '../../options/otlp-option.ts';
import { type RedactionOptions, rulesFrom } from '../../options/redaction-options.ts';
import { prepareStdioRecorder } from '../../record/prepare-stdio-recorder.ts';
import { recordedServer } from '../../record/server-to-record.ts';
import { outputRedactor } from '../../reports/output-redactor.ts';

interface Options extends RedactionOptions {
  output: string;
  timing: string;
  http?: string;
  header: string[];
  ca?: string;
  redact: boolean;
  otlp?: string | true;
}

/** A recorded session of `record --lists`. */
interface RecordedLists {
  lists: ServerLists;
  path: string;
  isWhole: boolean;
}

/**
 * Runs `mcp-record record --lists -o FILE -- COMMAND…` or `--http URL`: opens a session with a server, reads all its
 * lists, and records that. A session before it, which is not recorded, finds out which lists there are.
 */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const words = command.args[0] === '--' ? command.args.slice(1) : command.args;
  const { lists, path, isWhole } = await recordLists(words, options);
  if (isWhole)
    say(`${countsOf(lists)} → ${path}. Compare the server with it:\n  ${await verifyCommand(path, words, options)}`);
  // Child processes of the server may hold its streams open, and must not keep this process alive.
  process.exit(isWhole ? EXIT.ok : CASSETTE_FAILED);
}

async function recordLists(words: readonly string[], options: Options): Promise<RecordedLists> {
  const { output, timing, redact } = options;
  const rules = await rulesFrom(options);
  const { channel, name, headers } = await recordedServer(words, options);
  const gap = parseTiming(timing);
  const traced = await tracedBy(options.otlp);
  const recording = prepareStdioRecorder({ output, server: name, headers, gap, redact, rules, traced });
  return await new Promise((resolve, reject) => {
    const start = () => channel(reject);
    const record = async (): Promise<RecordedLists> => {
      const offered = await requestServerLists({ connect: async () => liveServerOverChannel(start(), clock), clock });
      const recorder = await recording.recorder();
      const server = liveServerOverChannel(
        tappedChannel(start(), (frame) => recorder.tap(frame), 'tap-first'),
        clock,
      );
      const { opening } = offered;
      const lists = await requestLists({ opening, methods: declaredLists(offered), server, clock });
      return { lists, isWhole: await recording.end(true), path: recorder.path ?? output };
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

/** Returns the command that compares the server with a cassette, without the secrets of its command line. */
async function verifyCommand(path: string, words: readonly string[], options: Options): Promise<string> {
  const server = words.length > 0 ? ['--', ...words] : ['--http', options.http ?? ''];
  const command = ['mcp-record', 'verify', '--fail-on', 'breaking', path, ...server].map(shellWord).join(' ');
  return (await outputRedactor(options)).text(command);
}

function countsOf({ tools, prompts, resources, resourceTemplates }: ServerLists): string {
  const counts = [
    formatCount(tools.length, 'tool'),
    formatCount(prompts.length, 'prompt'),
    formatCount(resources.length, 'resource'),
    formatCount(resourceTemplates.length, 'resource template'),
  ];
  return counts.filter((count) => !count.startsWith('0')).join(', ') || 'no list, only the opening of the session';
}

import { extname } from 'node:path';
import type { Cassette } from '../cassette/cassette.ts';
import { didYouMean } from '../kernel/did-you-mean.ts';
import { McpRecordError } from '../kernel/errors.ts';
import type { ConvertedSession, Input } from './converter-types.ts';
import { fromClaudeDesktopLog } from './from/claude-desktop-log.ts';
import { fromHar } from './from/har.ts';
import { fromMcpCassette } from './from/mcp-cassette.ts';
import { fromMcpRecorder } from './from/mcp-recorder.ts';
import { fromMcpVcr } from './from/mcp-vcr.ts';
import { fromMcporter } from './from/mcporter.ts';
import { fromMcpsnoop } from './from/mcpsnoop.ts';
import { fromNdjson } from './from/ndjson.ts';
import { fromVscodeLog } from './from/vscode-log.ts';
import { har } from './to/har.ts';
import { mermaid } from './to/mermaid.ts';
import { ndjson } from './to/ndjson.ts';
import { otlp } from './to/otlp.ts';

/** Input format of another tool. */
interface Source {
  name: string;
  /** Reports whether a file looks like this format. The first matching format is used. */
  isIn(text: string): boolean;
  read(input: Input): ConvertedSession;
}

/** Length of the file's beginning that format detection reads. */
const HEAD_LENGTH = 4096;

const SOURCES: readonly Source[] = [
  { name: 'mcp-cassette', isIn: (text) => /^\s*\{.*"cassetteVersion"\s*:/.test(text), read: fromMcpCassette },
  { name: 'mcpsnoop', isIn: (text) => /^\s*\{"session_id".*"direction"\s*:/.test(text), read: fromMcpsnoop },
  { name: 'har', isIn: (text) => /^\s*\{\s*"log"\s*:/.test(text), read: fromHar },
  {
    name: 'mcp-recorder',
    isIn: (text) => /^\s*\{\s*"version"[\s\S]*"interactions"\s*:/.test(text),
    read: fromMcpRecorder,
  },
  { name: 'mcp-vcr', isIn: (text) => /^meta:\s*$/m.test(text) && /\bpayload:/.test(text), read: fromMcpVcr },
  {
    name: 'mcporter',
    isIn: (text) => /^\s*\{.*"_meta":\{"dir":"(?:send|recv|lifecycle)"/.test(text),
    read: fromMcporter,
  },
  {
    name: 'vscode-log',
    isIn: (text) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[\w+\] /.test(text),
    read: fromVscodeLog,
  },
  {
    name: 'claude-desktop-log',
    isIn: (text) => /^\d{4}-\d\d-\d\dT[\d:.]+Z \[[^\]\n]*\] /m.test(text),
    read: fromClaudeDesktopLog,
  },
  { name: 'ndjson', isIn: (text) => /^\s*\{.*"(?:jsonrpc|message|kind)"/.test(text), read: fromNdjson },
];

/** An output format, with the file names that select it. */
export interface Target {
  name: string;
  extensions: readonly string[];
  write(cassette: Cassette, version: string): string;
}

const NAME = 'mcp-record';

const TARGETS: readonly Target[] = [
  { name: 'ndjson', extensions: ['.ndjson', '.jsonl'], write: ndjson },
  { name: 'har', extensions: ['.har'], write: (cassette, version) => har(cassette, { name: NAME, version }) },
  { name: 'mermaid', extensions: ['.mmd', '.mermaid'], write: mermaid },
  // Traces have no file name of their own.
  { name: 'otlp', extensions: [], write: (cassette, version) => otlp(cassette, { name: NAME, version }) },
];

/** Name of the cassette format. */
export const CASSETTE = 'cassette';
const CASSETTE_EXTENSIONS: readonly string[] = ['.yaml', '.yml'];

/** Formats that `convert` reads and writes. */
export const FORMATS: { from: readonly string[]; to: readonly string[] } = {
  from: [CASSETTE, ...SOURCES.map(({ name }) => name)],
  to: [CASSETTE, ...TARGETS.map(({ name }) => name)],
};

/**
 * Returns the input format of a file: by `name`, or by its content. Undefined: it is a cassette.
 * @throws McpRecordError CONVERT_UNKNOWN_FORMAT
 */
export function sourceOf({ file, text }: Input, name?: string): Source | undefined {
  const head = text.slice(0, HEAD_LENGTH);
  if (name === CASSETTE || (name === undefined && /^format:\s*['"]?mcp-record\//m.test(head))) return undefined;
  const source = SOURCES.find((one) => (name === undefined ? one.isIn(head) : one.name === name));
  if (source) return source;
  if (name !== undefined) throw unknownFormat(`Cannot read ${file} as "${name}"`, name, FORMATS.from, '--from');
  throw unknownFormat(`Cannot tell what ${file} is`, undefined, FORMATS.from, '--from');
}

/**
 * Returns the output format: by `name`, or by the extension of the file. Undefined: a cassette.
 * @throws McpRecordError CONVERT_UNKNOWN_FORMAT
 */
export function targetOf(file: string, name?: string): Target | undefined {
  const extension = extname(file);
  if (name === CASSETTE || (name === undefined && CASSETTE_EXTENSIONS.includes(extension))) return undefined;
  const target = TARGETS.find((one) => (name === undefined ? one.extensions.includes(extension) : one.name === name));
  if (target) return target;
  throw unknownFormat(`Cannot tell what ${file} shall be`, name, FORMATS.to, '--to');
}

function unknownFormat(
  what: string,
  name: string | undefined,
  known: readonly string[],
  option: string,
): McpRecordError {
  const meant = name === undefined ? undefined : didYouMean(name, known);
  return new McpRecordError({
    code: 'CONVERT_UNKNOWN_FORMAT',
    what,
    why: name === undefined ? 'it looks like none of the formats that are known' : `there is no format "${name}"`,
    next: meant ? `Did you mean ${option} ${meant}?` : `Say it with ${option}: ${known.join(', ')}.`,
  });
}

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Row } from './command-rows.ts';
import { CANARY, PLANTED, STEERING } from './hostile-values.ts';
import type { Ran, Received } from './run-hostile.ts';

/** CPU time for one cassette, in milliseconds. Those of megabytes take a second, all others a fraction. */
const CPU_MAX = 10_000;
const STACK = /^\s+at .*(?:\.js|node:)/m;
const CODE = /\[[A-Z][A-Z_]+\]/;
/** Controls, which no YAML may have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what may not stand there
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/;
/** Headers of a client of MCP. */
const HEADERS =
  /^(?:accept|accept-encoding|connection|content-length|content-type|host|last-event-id|authorization|content-encoding|mcp-[\w-]+)$/;
const METHODS: ReadonlySet<unknown> = new Set(['POST', 'GET', 'DELETE']);

/** Returns what a run did that no cassette may make a command do. */
export function violations(ran: Ran): string[] {
  const { row, status, stdout, stderr, acts, cpu, out } = ran;
  // What a replay passes on to its client is read by a program.
  const isWire = row.visits === 'stdio';
  const lines = isWire ? ownLines(stderr) : row.isCassette ? stderr : `${stdout}${stderr}`;
  const found = [...acts];
  if (typeof status !== 'number') found.push(`status: ${status}`);
  else if (row.status !== 'any' && ![0, 1, 2].includes(status)) found.push(`status: ${status}`);
  if (cpu > CPU_MAX) found.push(`CPU: ${cpu} ms`);
  const steers = STEERING.exec(lines);
  if (row.isCassette && CONTROLS.test(stdout)) found.push(`controls in ${JSON.stringify(CONTROLS.exec(stdout)![0])}`);
  if (steers) found.push(`steers: U+${steers[0].codePointAt(0)!.toString(16)} in ${around(lines, steers.index)}`);
  if (STACK.test(stderr)) found.push(`stack: ${stderr.slice(0, 2_000)}`);
  if (status === 2 && !CODE.test(stderr)) found.push(`an error without a code: ${stderr.slice(0, 300)}`);
  if (status === 2 && !/\n {2}\S/.test(stderr)) found.push(`an error without a next step: ${stderr.slice(0, 300)}`);
  for (const [where, text] of [...Object.entries({ stdout, stderr }), ...filesIn(out)])
    for (const secret of [CANARY, PLANTED]) if (text.includes(secret)) found.push(`leaks ${secret} in ${where}`);
  for (const [file, text] of filesIn(out)) {
    const hidden = /\.(?:html|har|sarif|xml|mmd)$/.test(file) ? STEERING.exec(text) : undefined;
    if (hidden)
      found.push(`U+${hidden[0].codePointAt(0)!.toString(16)} in ${basename(file)}: ${around(text, hidden.index)}`);
  }
  for (const request of ran.requests) found.push(...requestViolations(row, request, ran.host));
  return found;
}

function requestViolations({ sends, title }: Row, request: Received, host: string): string[] {
  const { method, url = '', names = [], body = '', broken } = request;
  const shown = JSON.stringify(request).slice(0, 300);
  // A path may have letters that only some servers take. A sweep misbehaves on purpose, and so does who makes its failure small.
  if (broken === 'HPE_INVALID_URL' && sends === 'others') return [];
  if (broken !== undefined && /^(?:sweep|shrink --server)\b/.test(title)) return [];
  if (broken !== undefined) return [`sent what is no request: ${broken}`];
  if (sends === undefined) return [`sent a request: ${shown}`];
  const found: string[] = [];
  if (request.host !== host) found.push(`another host: ${shown}`);
  if (names.includes('x-smuggled') || url === '/smuggled-request') found.push(`smuggled: ${shown}`);
  if (body.includes(PLANTED) || body.includes(CANARY)) found.push(`leaks: ${shown}`);
  if (sends === 'others') return found;
  if (url !== '/mcp') found.push(`another path: ${shown}`);
  if (!METHODS.has(method)) found.push(`another method: ${shown}`);
  for (const name of names) if (!HEADERS.test(name)) found.push(`another header: ${name}`);
  return found;
}

/** The lines of the program itself, among those of the recorded server. */
function ownLines(stderr: string): string {
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('mcp-record: '))
    .join('\n');
}

function filesIn(folder: string): [name: string, text: string][] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file, readFileSync(file, 'utf8')]);
}

function around(text: string, at: number): string {
  return JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
}

import type { Command } from 'commander';
import { readCassette } from '../../../cassette/read/load-cassette.ts';
import { OWNER_ONLY, replaceFile, writeWhole } from '../../../cassette/write/atomic-write.ts';
import { McpRecordError, messageOf } from '../../../kernel/errors.ts';
import { formatCount } from '../../../kernel/format-count.ts';
import { redactCassette, type CassetteSecret } from '../../../record/redact-file/redact-cassette.ts';
import { createRedactor } from '../../../redact/redactor.ts';
import { coloursFor, EXIT, fail, print, printLines, say } from '../../io/output.ts';
import { type RedactionOptions, rulesFrom } from '../../options/redaction-options.ts';

interface Options extends RedactionOptions {
  check?: boolean;
  output?: string;
  json?: boolean;
}

/** Secrets found in a file. */
interface Result {
  file: string;
  secrets: CassetteSecret[];
  text: string;
}

/** Runs `mcp-record redact FILE…`: redacts secrets in existing cassettes, or lists them with `--check`. */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const { check = false, output, json = false } = options;
  if (output !== undefined && command.args.length > 1) throw notOneOutput();
  const written = await rulesFrom(options);
  const results: Result[] = [];
  let isUnreadable = false;
  for (const file of command.args) {
    try {
      const redactor = createRedactor({ env: process.env, ...written });
      const { text, secrets, warnings } = redactCassette(
        Buffer.from(readCassette(file)).toString('utf8'),
        file,
        redactor,
      );
      for (const warning of warnings) say(warning);
      if (output !== undefined) write(output, () => writeWhole(output, text, OWNER_ONLY));
      else if (!check && secrets.length > 0) write(file, () => replaceFile(file, text));
      results.push({ file, secrets, text });
    } catch (error) {
      // An unreadable file does not hide secrets in other files.
      isUnreadable = true;
      fail(error);
    }
  }
  await (json ? print(jsonOf(results)) : printLines(linesOf(results, check)));
  if (isUnreadable) return EXIT.usage;
  return check && results.some(({ secrets }) => secrets.length > 0) ? EXIT.fellShort : EXIT.ok;
}

function jsonOf(results: readonly Result[]): string {
  return `${JSON.stringify(
    results.map(({ file, secrets }) => ({ file, secrets })),
    undefined,
    2,
  )}\n`;
}

function linesOf(results: readonly Result[], isCheck: boolean): string[] {
  const { red, dim } = coloursFor(process.stdout);
  const lines = results.flatMap(({ file, secrets }) =>
    secrets.map(({ line, kind }) => `${file}:${line} ${isCheck ? red(kind) : `${kind} ${dim('redacted')}`}`),
  );
  const files = results.filter(({ secrets }) => secrets.length > 0).length;
  const what = `${formatCount(lines.length, 'secret')} in ${files} of ${formatCount(results.length, 'file')}`;
  return [...lines, ...(lines.length > 0 ? [''] : []), what];
}

function write(file: string, task: () => void): void {
  try {
    task();
  } catch (error) {
    throw new McpRecordError({
      code: 'USAGE_CANNOT_WRITE',
      what: `Cannot write ${file}`,
      why: messageOf(error),
      next: 'Name a file in a folder that exists and may be written to.',
      cause: error,
    });
  }
}

function notOneOutput(): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_ONE_OUTPUT',
    what: 'Cannot write to -o',
    why: 'there are several files, but only one output file',
    next: 'Leave -o out: each file is replaced then.',
  });
}

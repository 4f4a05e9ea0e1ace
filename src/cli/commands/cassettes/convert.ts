import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Cassette } from '../../../cassette/cassette.ts';
import { parseCassette } from '../../../cassette/read/parse-cassette.ts';
import { OWNER_ONLY, writeNew } from '../../../cassette/write/atomic-write.ts';
import type { Input } from '../../../convert/converter-types.ts';
import { sourceOf, type Target, targetOf } from '../../../convert/formats.ts';
import { cassetteText } from '../../../convert/to/cassette.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { packageVersion } from '../../../kernel/installed-package.ts';
import { readNamedText } from '../../../kernel/read-regular-file.ts';
import { printable, printableJson } from '../../../text-report/printable-text.ts';
import { EXIT, printDocument, say } from '../../io/output.ts';
import { progressOn } from '../../io/progress.ts';
import { namesRules, type RedactionOptions, rulesFrom } from '../../options/redaction-options.ts';
import { attempt } from '../../reports/wrap-thrown-error.ts';

interface Options extends RedactionOptions {
  from?: string;
  to?: string;
  redact: boolean;
}

const STDOUT = '-';
/** Stages of a conversion: read, written as a cassette, redacted. */
const STAGES = 3;

/**
 * Runs `mcp-record convert IN OUT`: converts a session of another tool to a cassette, or a cassette to another format.
 */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const [file = '', out = ''] = command.args;
  const input = { file, text: read(file).replace(/^\ufeff/, '') };
  const target = targetOf(out, options.to ?? (out === STDOUT ? 'ndjson' : undefined));
  const { text, warning } = await asCassette(input, out, options);
  await write(out, target ? written(target, load(text, file)) : text);
  if (warning) say(warning.message);
  return EXIT.ok;
}

/** Returns a cassette in another format. In JSON, characters that could steer a terminal are escaped. */
function written({ name, write }: Target, cassette: Cassette): string {
  const text = write(cassette, packageVersion());
  return name === 'mermaid' ? text : printableJson(text);
}

/** Converted cassette, with a warning about secrets that redaction could not replace. */
interface Converted {
  text: string;
  warning?: McpRecordError | undefined;
}

/** Returns a session as a redacted cassette, and prints the parts lost in the conversion. */
async function asCassette(input: Input, out: string, options: Options): Promise<Converted> {
  const source = sourceOf(input, options.from);
  if (source === undefined) {
    if (namesRules(options)) throw notRedacting(input.file);
    return { text: input.text };
  }
  const progress = progressOn(process.stderr, `converting ${printable(input.file)}`);
  const done = (stage: number) => progress?.(stage, STAGES);
  try {
    done(0);
    const session = source.read(input);
    done(STAGES);
    for (const sentence of session.lost) say(`lost: ${sentence}`);
    done(1);
    const text = cassetteText(session, `mcp-record ${packageVersion()}`);
    if (!options.redact) return { text };
    done(2);
    return await redacted(text, input.file, out, options);
  } finally {
    done(STAGES);
  }
}

async function redacted(text: string, file: string, out: string, options: Options): Promise<Converted> {
  const [{ redactCassette }, { createRedactor }, { unredactableWarning }] = await Promise.all([
    import('../../../record/redact-file/redact-cassette.ts'),
    import('../../../redact/redactor.ts'),
    import('../../../record/summary/unredactable-values.ts'),
  ]);
  const redactor = createRedactor({ env: process.env, ...(await rulesFrom(options)) });
  const safe = redactCassette(text, file, redactor);
  return { text: safe.text, warning: unredactableWarning(out, safe.unredactable) };
}

/** Returns the error for redaction options on a cassette, which `redact` edits in place. */
function notRedacting(file: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_OPTION_WITHOUT_MEANING',
    what: 'Cannot redact what is converted',
    why: `${file} is a cassette, and convert redacts only what other tools have recorded`,
    next: `Redact it first: mcp-record redact ${file}, with the same options.`,
  });
}

function load(text: string, file: string): Cassette {
  const cassette = parseCassette(text, file);
  for (const warning of cassette.warnings) say(warning);
  return cassette;
}

function read(file: string): string {
  const text = attempt(() => readNamedText(file), {
    code: 'CONVERT_UNREADABLE',
    what: `Cannot read ${file}`,
    next: 'Check the name, and who may read it.',
  });
  // Shells of Windows write UTF-16 where output goes to a file. No format has zero bytes.
  if (!text.slice(0, HEAD_LENGTH).includes('\0')) return text;
  throw new McpRecordError({
    code: 'CONVERT_UNREADABLE',
    what: `Cannot read ${file}`,
    why: 'it is no text in UTF-8, but perhaps one in UTF-16',
    next: 'Save it as UTF-8, and convert it again.',
  });
}

/** Number of characters that show the encoding. */
const HEAD_LENGTH = 1_000;

async function write(out: string, text: string): Promise<void> {
  if (out === STDOUT) return await printDocument(text);
  const failure = { code: 'CONVERT_NOT_WRITTEN', what: `Cannot write ${out}` };
  if (existsSync(out))
    throw new McpRecordError({ ...failure, why: 'there is such a file', next: 'Name another, or remove it.' });
  attempt(() => writeNew(out, text, OWNER_ONLY), {
    ...failure,
    next: 'Name a file in a folder that exists and may be written to.',
  });
}

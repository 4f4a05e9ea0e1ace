import type { Cassette } from '../../cassette/cassette.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { K6Load } from '../../load/k6/k6-options.ts';
import type { RedactionRules } from '../../redact/redactor.ts';
import { print, say } from '../io/output.ts';
import { givenIgnores, type IgnoreOptions } from '../options/ignore-options.ts';
import { checkReplaceable } from '../reports/replaceable-file.ts';
import { writeReport } from '../reports/write-report-file.ts';
import { headersWithoutValues } from './parse-header-variables.ts';

export interface ExportedLoad {
  options: IgnoreOptions & { export?: string; output?: string; http?: string; header: readonly string[] };
  /** Words of the command line after the cassettes. */
  words: readonly string[];
  cassettes: readonly Cassette[];
  load: K6Load;
  rules: RedactionRules;
}

/**
 * Writes a script for k6 to a file, or to standard output, and says what it does not play or compare. Plays nothing.
 * @throws McpRecordError USAGE_BAD_EXPORT, LOAD_EXPORT_IMPOSSIBLE, USAGE_CANNOT_WRITE
 */
export async function exportScript({ options, words, cassettes, load, rules }: ExportedLoad): Promise<void> {
  const { output, header, ignore, ignorePattern } = options;
  if (options.export !== 'k6') throw unknownFormat(options.export);
  const http = urlOf(options.http, words);
  const [{ parseUpstream }, { k6Script }, { patternIgnore, pointerIgnore }, { createRedactor }] = await Promise.all([
    import('../../transports/http/upstream/parse-upstream.ts'),
    import('../../load/k6/k6-script.ts'),
    import('../../load/k6/k6-ignore-rules.ts'),
    import('../../redact/redactor.ts'),
  ]);
  parseUpstream(http, process.env);
  givenIgnores(options);
  const patterns = ignorePattern.map((source) => patternIgnore({ source, flags: '' }, '--ignore-pattern'));
  const redactor = createRedactor({ env: process.env, ...rules });
  const redacted = cassettes.map((cassette) => ({
    ...cassette,
    events: cassette.events.map((event) => ({ ...event, frame: redactor.frame(event.frame) })),
  }));
  const { text, notes, variables } = k6Script({
    cassettes: redacted,
    url: new URL(http),
    hasPublicUrl: redactor.url(http) === http,
    headers: headersWithoutValues(header),
    ignore: [...ignore.map(pointerIgnore), ...patterns],
    load,
  });
  if (output === undefined) await print(text);
  else {
    checkReplaceable(output, { option: '-o', kind: 'script' });
    writeReport(output, text);
  }
  for (const note of notes) say(note);
  const given = variables.map((name) => ` -e ${name}=…`).join('');
  say(`wrote ${output ?? 'the script'}: k6 run${given} ${output ?? '-'}`);
}

function urlOf(http: string | undefined, words: readonly string[]): string {
  if (http !== undefined && words.length === 0) return http;
  throw new McpRecordError({
    code: 'LOAD_EXPORT_IMPOSSIBLE',
    what: 'Cannot write a script of k6',
    why: words.length > 0 ? 'the server is a command, and k6 reaches servers over HTTP alone' : 'no URL was given',
    next: 'Give the URL of the server with --http, or leave out --export.',
  });
}

function unknownFormat(format: string | undefined): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_EXPORT',
    what: `Cannot use --export ${format}`,
    why: 'it is not the name of a format',
    next: 'Write --export k6.',
  });
}

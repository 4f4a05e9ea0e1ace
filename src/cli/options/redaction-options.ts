import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Redactor } from '../../redact/redactor.ts';
import type { WrittenRules } from '../../redact/rules/parse-redaction-rules.ts';
import { say } from '../io/output.ts';
import type { GivenHeaders } from './header-options.ts';

/** Redaction options of the command line. */
export interface RedactionOptions {
  redactKey: string[];
  redactPointer: string[];
  redactPattern: string[];
  redactAllow: string[];
  redactRules?: string;
  /** Variables that hold secrets, by comma: their values are redacted, too. */
  secretsFromEnv?: string;
}

/** Adds the redaction options to a command. */
export function withRedactionOptions(command: Command): Command {
  return command
    .option('--redact-key <name>', 'also redact all values under this key (repeatable)', collect, [])
    .option(
      '--redact-pointer <pointer>',
      'also redact the value at this JSON Pointer of a message (repeatable)',
      collect,
      [],
    )
    .option(
      '--redact-pattern <expression>',
      'also redact matches of this regular expression, or of its first group (repeatable)',
      collect,
      [],
    )
    .option('--redact-allow <value>', 'keep this value; /…/ is a regular expression (repeatable)', collect, [])
    .option('--redact-rules <file>', 'redaction rules from this YAML file');
}

function collect(value: string, values: readonly string[]): string[] {
  return [...values, value];
}

/** Reports whether the options name any rule. */
export function namesRules(options: RedactionOptions): boolean {
  const { redactKey, redactPointer, redactPattern, redactAllow, redactRules } = options;
  const lists = [redactKey, redactPointer, redactPattern, redactAllow];
  return redactRules !== undefined || lists.some(({ length }) => length > 0);
}

/** Reports whether the options or the project have any rule. */
export function hasRules(options: RedactionOptions): boolean {
  return Boolean(process.env.MCP_RECORD_REDACT_RULES) || namesRules(options);
}

/** Returns the options as words of a command line. By default, it may run in another folder, so paths are absolute. */
export function redactionWords(options: RedactionOptions, pathOf: (path: string) => string = resolve): string[] {
  const { redactKey, redactPointer, redactPattern, redactAllow, redactRules } = options;
  const repeated = (name: string, values: readonly string[]) => values.map((value) => `${name}=${value}`);
  return [
    ...repeated('--redact-key', redactKey),
    ...repeated('--redact-pointer', redactPointer),
    ...repeated('--redact-pattern', redactPattern),
    ...repeated('--redact-allow', redactAllow),
    ...(redactRules === undefined ? [] : [`--redact-rules=${pathOf(redactRules)}`]),
  ];
}

/**
 * Returns the redaction rules of the project, of the file that the options name, and of the other options, in this order,
 * with a rule for each secret of `--secrets-from-env`.
 * @throws McpRecordError USAGE_BAD_RULE, USAGE_BAD_POINTER, USAGE_RULES_UNREADABLE
 */
export async function rulesFrom(options: RedactionOptions): Promise<WrittenRules> {
  const { rules, allow } = hasRules(options) ? await writtenRules(options) : { rules: [], allow: [] };
  if (options.secretsFromEnv === undefined) return { rules, allow };
  const { rulesForSecrets, secretsNamed } = await import('../../redact/rules/rules-for-secrets.ts');
  return { rules: [...rules, ...rulesForSecrets(secretsNamed(options.secretsFromEnv, process.env))], allow };
}

async function writtenRules(options: RedactionOptions): Promise<WrittenRules> {
  const { redactKey, redactPointer, redactPattern, redactAllow, redactRules: file } = options;
  const [{ parseRedactionRules }, { compileRedactionRules }] = await Promise.all([
    import('../../redact/rules/parse-redaction-rules.ts'),
    import('../../redact/rules/compile-redaction-rules.ts'),
  ]);
  const given = parseRedactionRules(
    {
      redact: [
        ...redactKey.map((key) => ({ key })),
        ...redactPointer.map((pointer) => ({ pointer })),
        ...redactPattern.map((pattern) => ({ pattern })),
      ],
      allow: redactAllow,
    },
    { name: 'the command line' },
  );
  const { projectRules, loadRedactionRules } = await import('../../record/redact-file/redaction-rules-file.ts');
  const all = [projectRules(process.env), ...(file === undefined ? [] : [loadRedactionRules(file)]), given];
  const rules = all.flatMap((one) => one.rules);
  compileRedactionRules(rules);
  return { rules, allow: all.flatMap(({ allow }) => allow) };
}

/**
 * Returns the redactor for recordings, which also redacts the credentials in `given` headers. Prints a warning if redaction
 * is off, because the file may be committed.
 */
export async function redactorFor(
  isWanted: boolean,
  written: WrittenRules,
  given: Partial<GivenHeaders> = {},
): Promise<(() => Redactor) | undefined> {
  if (!isWanted) {
    const unused = process.env.MCP_RECORD_REDACT_RULES ? ', and the rules of MCP_RECORD_REDACT_RULES are not used' : '';
    say(`--no-redact: what passes is kept as it is, passwords and tokens too${unused}`);
    return undefined;
  }
  const { createRedactor } = await import('../../redact/redactor.ts');
  return () => createRedactor({ env: process.env, ...given, ...written });
}

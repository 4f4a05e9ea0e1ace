import type { Command, Option } from 'commander';
import { McpRecordError } from '../../kernel/errors.ts';

/** A condition for the use of a command's options. */
interface OptionRule {
  commands: readonly string[];
  /** Affected options, by their long names. */
  options: readonly string[];
  /** Requires one of these options as well. */
  needs?: readonly string[];
  /** Excludes these options. */
  excludes?: readonly string[];
}

const FAULT_RULES = ['--fault', '--faults'];
const REDACTION_RULES = ['--redact-key', '--redact-pointer', '--redact-pattern', '--redact-allow', '--redact-rules'];
const LIMITS = ['--listen', '--idle', '--body-limit', '--sessions', '--connections'];
const LISTENING = ['--allow-host', ...LIMITS];

/** Rules for every option that requires or excludes others. */
export const OPTION_RULES: readonly OptionRule[] = [
  { commands: ['record'], options: ['--allow-host', '--header', '--stdio'], needs: ['--http'] },
  { commands: ['record'], options: [...LIMITS, '--ca', '--keep-authorization'], needs: ['--http', '--proxy'] },
  { commands: ['record'], options: ['--proxy-ca'], needs: ['--proxy'] },
  {
    commands: ['record'],
    options: ['--http', '--lists', '--restart-on', ...FAULT_RULES],
    excludes: ['--proxy'],
  },
  { commands: ['record'], options: [...LISTENING, '--ca', '--keep-authorization'], excludes: ['--stdio'] },
  {
    commands: ['record'],
    options: [...LISTENING, '--stdio', '--keep-authorization', ...FAULT_RULES],
    excludes: ['--lists'],
  },
  { commands: ['record'], options: ['--call'], needs: ['--lists'] },
  { commands: ['record'], options: ['--watch'], needs: ['--restart-on'] },
  { commands: ['record'], options: ['--restart-on'], excludes: ['--lists', ...FAULT_RULES] },
  { commands: ['record'], options: ['--otlp', '--keep-authorization'], excludes: ['--no-redact'] },
  { commands: ['record', 'fork', 'convert'], options: REDACTION_RULES, excludes: ['--no-redact'] },
  {
    commands: ['replay', 'mock'],
    options: ['--listen', '--path', '--allow-host', '--auth', '--auth-file'],
    needs: ['--http'],
  },
  { commands: ['mock'], options: ['--control'], needs: ['--http'] },
  { commands: ['replay'], options: ['--findings', '--live-faults'], excludes: ['--http'] },
  { commands: ['replay'], options: [...FAULT_RULES, '--control'], excludes: ['--live-faults'] },
  { commands: ['replay'], options: ['--add'], needs: ['--else'] },
  {
    commands: ['replay'],
    options: ['--else'],
    excludes: [...FAULT_RULES, '--live-faults', '--control', '--http', '--secrets-from-env'],
  },
  { commands: ['verify'], options: ['--update'], excludes: ['--fail-on'] },
  {
    commands: ['load'],
    options: ['--export'],
    excludes: [
      '--json',
      '--junit',
      '--html',
      '--strict',
      '--ca',
      '--other-requests',
      '--secrets-from-env',
      '--workers',
    ],
  },
  { commands: ['load'], options: ['--output'], needs: ['--export'] },
  { commands: ['verify', 'load'], options: ['--header', '--ca', '--other-requests'], needs: ['--http'] },
  { commands: ['sweep'], options: ['--pairs'], excludes: ['--inputs', '--point'] },
  { commands: ['sweep'], options: ['--orders'], excludes: ['--inputs', '--pairs', '--faults', '--point'] },
  {
    commands: ['sweep', 'shrink'],
    options: ['--ignore', '--header', '--other-requests', '--secrets-from-env', '--destructive', '--inputs'],
    needs: ['--server'],
  },
  { commands: ['shrink'], options: REDACTION_RULES, needs: ['--server'] },
  { commands: ['shrink'], options: REDACTION_RULES, excludes: ['--inputs'] },
  { commands: ['sweep', 'shrink'], options: ['--destructive'], needs: ['--inputs'] },
  { commands: ['sweep'], options: ['--seed'], needs: ['--inputs', '--pairs', '--orders'] },
  { commands: ['shrink'], options: ['--seed'], needs: ['--inputs'] },
  { commands: ['shrink'], options: ['--faults'], excludes: ['--server'] },
  { commands: ['sweep', 'shrink'], options: ['--header', '--other-requests'], needs: ['--http'] },
  { commands: ['new', 'ui', 'fork', 'check'], options: ['--header', '--ca'], needs: ['--http'] },
  { commands: ['fork'], options: ['--allow-host'], needs: ['--listen'] },
  { commands: ['proxy'], options: ['--listen', '--allow-host', '--ca'], needs: ['--http'] },
  {
    commands: ['record', 'replay', 'verify', 'proxy'],
    options: ['--seed', '--journal', '--strict-faults'],
    needs: FAULT_RULES,
  },
  { commands: ['show'], options: ['--ignore', '--ignore-pattern'], needs: ['--git'] },
  {
    commands: ['show'],
    options: ['--json', '--mermaid', '--plan', '--follow', '--stats', '--tool', '--failed'],
    excludes: ['--git'],
  },
  {
    commands: ['show'],
    options: ['--json', '--mermaid', '--follow', '--stats', '--tool', '--failed'],
    excludes: ['--plan'],
  },
  { commands: ['show'], options: ['--tool', '--failed', '--mermaid', '--follow'], excludes: ['--stats'] },
  { commands: ['show'], options: ['--tool', '--failed', '--mermaid'], excludes: ['--follow'] },
  { commands: ['show'], options: ['--tool', '--failed', '--json'], excludes: ['--mermaid'] },
  {
    commands: ['report'],
    options: ['--ignore', '--ignore-pattern', '--journal'],
    excludes: ['--viewer', '--timeline'],
  },
  { commands: ['report'], options: ['--timeline'], excludes: ['--viewer'] },
  { commands: ['redact'], options: ['--output'], excludes: ['--check'] },
  { commands: ['redact'], options: ['--junit', '--sarif'], needs: ['--check'] },
  { commands: ['wrap'], options: ['--output', '--local', ...REDACTION_RULES], excludes: ['--undo'] },
];

/**
 * Rejects options without meaning in their combination, which would otherwise be ignored silently.
 * @throws McpRecordError USAGE_OPTION_WITHOUT_MEANING
 */
export function requireMeaning(command: Command): void {
  const given = new Set(command.options.filter((option) => isGiven(command, option)).map(({ long }) => long));
  for (const { commands, options, needs, excludes = [] } of OPTION_RULES) {
    if (!commands.includes(command.name())) continue;
    const option = options.find((name) => given.has(name));
    if (option === undefined) continue;
    if (needs !== undefined && !needs.some((name) => given.has(name))) throw needsOther(option, needs);
    const other = excludes.find((name) => given.has(name));
    if (other !== undefined) throw excludesOther(option, other);
  }
}

function isGiven(command: Command, option: Option): boolean {
  const name = option.attributeName();
  if (command.getOptionValueSource(name) !== 'cli') return false;
  // `--no-redact` sets `redact` to false.
  return !option.negate || command.getOptionValue(name) === false;
}

function needsOther(option: string, needs: readonly string[]): McpRecordError {
  const others = needs.join(' or ');
  return new McpRecordError({
    code: 'USAGE_OPTION_WITHOUT_MEANING',
    what: `Cannot use ${option}`,
    why: `it has a meaning only with ${others}`,
    next: `Add ${others}, or leave ${option} out.`,
  });
}

function excludesOther(option: string, other: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_OPTION_WITHOUT_MEANING',
    what: `Cannot use ${option}`,
    why: `it has no meaning with ${other}`,
    next: `Leave ${option} or ${other} out.`,
  });
}

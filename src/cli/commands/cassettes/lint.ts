import type { Command } from 'commander';
import { formatCount } from '../../../kernel/format-count.ts';
import { packageVersion } from '../../../kernel/package-info.ts';
import { lint, RULES, type Violation } from '../../../lint/lint.ts';
import type { Outcome } from '../../../text-report/outcome-model.ts';
import { printable } from '../../../text-report/printable-text.ts';
import { loadWithProgress } from '../../io/load-with-progress.ts';
import { coloursFor, EXIT, printJson, printLines, say } from '../../io/output.ts';
import { writeReport } from '../../reports/write-report.ts';

interface Options {
  json?: boolean;
  sarif?: string;
}

/** Runs `mcp-record lint FILE`: prints the protocol violations of a session, with side and line. */
export async function run(command: Command): Promise<number> {
  const { json = false, sarif: path } = command.opts<Options>();
  const cassette = loadWithProgress(command.args[0]!);
  for (const warning of cassette.warnings) say(warning);
  const { SCHEMA_RULE } = await import('../../../lint/rules/schema.ts');
  const violations = lint(cassette, [...RULES, SCHEMA_RULE]);
  if (path !== undefined) {
    const { sarif } = await import('../../../text-report/sarif.ts');
    writeReport(path, sarif(outcomeOf(cassette.file, violations), packageVersion()));
  }
  await (json
    ? printJson({ file: cassette.file, violations })
    : printLines(linesOf(violations)));
  return violations.some(({ severity }) => severity === 'error') ? EXIT.fellShort : EXIT.ok;
}

function linesOf(violations: readonly Violation[]): string[] {
  const { red, yellow, dim } = coloursFor(process.stdout);
  const lines = violations.flatMap(({ file, line, severity, who, rule, why, sentence, source }) => [
    `${printable(file)}:${line} ${severity === 'error' ? red(severity) : yellow(severity)} ${who}: ${printable(why)}  ${dim(`[${rule}]`)}`,
    dim(`    ${sentence} (${source})`),
  ]);
  const count = (severity: Violation['severity']) =>
    formatCount(violations.filter((violation) => violation.severity === severity).length, severity);
  return [...lines, ...(lines.length > 0 ? [''] : []), `${count('error')}, ${count('warning')}`];
}

function outcomeOf(file: string, violations: readonly Violation[]): Outcome {
  const steps = violations.map(({ rule, sentence, severity, who, line, why }) => ({
    title: rule,
    rule: { id: rule, sentence },
    status: 'failed' as const,
    line,
    headline: `${who}: ${why}`,
    changes: [
      {
        severity: severity === 'error' ? ('breaking' as const) : ('compatible' as const),
        path: '',
        reason: why,
      },
    ],
  }));
  return { title: 'lint', file, steps, notes: [], duration: 0 };
}

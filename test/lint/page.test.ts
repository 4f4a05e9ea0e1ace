import { expect, it } from 'vitest';
import { RULES } from '../../src/lint/lint.ts';
import { SCHEMA } from '../../src/lint/rules/schema.ts';

const HEAD = `# Lint

\`\`\`console
$ mcp-record lint cassette.yaml
\`\`\`

says what of the protocol the two sides of a session broke: who, at which line, and which rule. \`--json\` prints it for programs,
\`--sarif FILE\` for code review. An error is a MUST of the specification, and exits with 1; a warning is a SHOULD. A rule holds up to
2025-11-25 (legacy), from 2026-07-28 on (modern), or for both. The rule \`schema\` checks each message with the official JSON Schema of its
revision, as the official conformance suite has it; the others also mark the events of a [report](report.md). A text that newly breaks a \`safety\` rule is
[suspicious](verify.md#how-bad-a-change-is) to verify and diff. This page is made from the code: \`npx vitest run test/lint/page -u\`.

| rule | | era | |
|---|---|---|---|
`;

it('the page of rules is what the code says', async () => {
  const rows = [...RULES, SCHEMA].map(
    ({ id, severity, era = 'both', sentence, source }) =>
      `| \`${id}\` | ${severity} | ${era} | ${sentence.replaceAll('|', '\\|')} *${source}* |\n`,
  );
  await expect(HEAD + rows.join('')).toMatchFileSnapshot('../../docs/lint.md');
});

import { expect, it } from 'vitest';
import { RULES } from '../../src/lint/lint.ts';
import { SCHEMA_RULE } from '../../src/lint/rules/schema.ts';

const HEAD = `# Lint

\`\`\`console
$ mcp-record lint cassette.yaml
\`\`\`

\`lint\` lists where the two sides of a session broke the protocol: the side, the line, and the rule. \`--json\` prints the list for programs, and \`--sarif FILE\`
writes it for code review.

| word in the table | meaning |
|---|---|
| error | A MUST of the specification. The exit status is 1. |
| warning | A SHOULD. |
| legacy | The rule holds for revisions up to 2025-11-25. |
| modern | The rule holds from 2026-07-28 on. |

- The rule \`schema\` checks each message with the official JSON Schema of its revision, as in the official conformance suite. All other rules also mark the events of a
  [report](report.md).
- For \`verify\` and \`diff\`, a text that newly breaks a \`safety\` rule is [suspicious](verify.md#how-bad-a-change-is).
- This page is generated from the code: \`npx vitest run test/lint/page -u\`.

| rule | severity | revisions | what holds |
|---|---|---|---|
`;

it('the page of rules is what the code says', async () => {
  const rows = [...RULES, SCHEMA_RULE].map(
    ({ id, severity, era = 'both', sentence, source }) =>
      `| \`${id}\` | ${severity} | ${era} | ${sentence.replaceAll('|', '\\|')} *${source}* |\n`,
  );
  await expect(HEAD + rows.join('')).toMatchFileSnapshot('../../docs/lint.md');
});

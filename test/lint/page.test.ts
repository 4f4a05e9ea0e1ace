import { expect, it } from 'vitest';
import { RULES } from '../../src/lint/lint.ts';
import type { LintRule } from '../../src/lint/lint-rule.ts';
import { CAPABILITY_RULES } from '../../src/lint/rules/capabilities.ts';
import { DEFINITION_RULES } from '../../src/lint/rules/definitions.ts';
import { DEPRECATION_RULES } from '../../src/lint/rules/deprecated-features.ts';
import { LIFECYCLE_RULES } from '../../src/lint/rules/lifecycle.ts';
import { MESSAGE_SHAPE_RULES } from '../../src/lint/rules/message-shape.ts';
import { MODERN_REVISION_RULES } from '../../src/lint/rules/modern-revision.ts';
import { EXTENSION_RULES } from '../../src/lint/rules/official-extensions.ts';
import { RESULT_RULES } from '../../src/lint/rules/result-shapes.ts';
import { SAFETY_RULES } from '../../src/lint/rules/safety.ts';
import { SCHEMA_RULE } from '../../src/lint/rules/schema.ts';
import { UTILITY_RULES } from '../../src/lint/rules/utilities.ts';

const HEAD = `# Find protocol violations with lint

\`mcp-record lint\` checks a recorded session against the MCP specification. In this one, a server repeated a progress value, which must increase:

\`\`\`sh
mcp-record lint login.yaml
\`\`\`

\`\`\`text
login.yaml:68 error server: it went from 2 to 2  [progress-increases]
    The progress of a request increases with each notification. (Utilities, "Progress")

1 error, 0 warnings
\`\`\`

Each violation has the line in the [cassette](architecture.md#glossary), the severity, the side that broke the rule (\`client\` or \`server\`), the reason, and the name of the rule. Below it
are the requirement and the section of the specification.

| severity | the specification says | exit status |
|---|---|---|
| error | MUST | 1 |
| warning | SHOULD | 0 |

| option | |
|---|---|
| \`--json\` | Prints the violations as JSON: \`file\`, \`violations\`. |
| \`--sarif FILE\` | Also writes them as SARIF, which code review shows beside the lines: see [CI](ci.md). |

To see the violations in the session, open a [report](report.md). It marks each message that broke a rule. Only the rule \`schema\`, which is the last of this page, is not part of a report.

## Rules

The revisions are the versions of MCP that a rule belongs to. \`lint\` finds the revision of a session in its messages.
`;

/** The sections of the page, in its order. */
const SECTIONS: [title: string, text: string, rules: readonly LintRule[]][] = [
  [
    'Text that could deceive a model',
    'If a change of a server newly breaks one of these rules, `verify` and `diff` call it [suspicious](verify.md#how-bad-a-change-is).',
    SAFETY_RULES,
  ],
  ['Messages', '', MESSAGE_SHAPE_RULES],
  ['Start of a session', '', LIFECYCLE_RULES],
  ['Capabilities', '', CAPABILITY_RULES],
  ['Progress, cancellation, logs and pages', '', UTILITY_RULES],
  ['Results', '', RESULT_RULES],
  ['Definitions', '', DEFINITION_RULES],
  ['Revision 2026-07-28', '', MODERN_REVISION_RULES],
  ['Deprecated features', '', DEPRECATION_RULES],
  ['Extensions', '', EXTENSION_RULES],
  [
    'JSON Schema',
    'Each message is checked with the official JSON Schema of its revision, as in the official conformance suite.',
    [SCHEMA_RULE],
  ],
];

const REVISIONS = { legacy: 'up to 2025-11-25', modern: 'from 2026-07-28' };

const rowOf = ({ id, severity, era, sentence, source }: LintRule) =>
  `| \`${id}\` | ${severity} | ${era ? REVISIONS[era] : 'all'} | ${sentence.replaceAll('|', '\\|')} | ${source} |\n`;

const sectionOf = ([title, text, rules]: (typeof SECTIONS)[number]) => `
### ${title}
${text && `\n${text}\n`}
| rule | severity | revisions | requirement | section of the specification |
|---|---|---|---|---|
${rules.map(rowOf).join('')}`;

it('the page of rules is what the code says', async () => {
  const shown = SECTIONS.flatMap(([, , rules]) => rules);
  expect(new Set(shown)).toEqual(new Set([...RULES, SCHEMA_RULE]));
  expect(shown).toHaveLength(RULES.length + 1);
  await expect(HEAD + SECTIONS.map(sectionOf).join('')).toMatchFileSnapshot('../../docs/lint.md');
});

import { expect, it } from 'vitest';
import { EVERY_RULE, VALIDATION_RULES } from '../../src/lint/every-rule.ts';
import { lint } from '../../src/lint/lint.ts';
import type { LintRule } from '../../src/lint/lint-rule.ts';
import { CAPABILITY_RULES } from '../../src/lint/rules/capabilities.ts';
import { CLIENT_RESULT_RULE } from '../../src/lint/rules/client-result.ts';
import { DEFINITION_RULES } from '../../src/lint/rules/definitions.ts';
import { DEPRECATION_RULES } from '../../src/lint/rules/deprecated-features.ts';
import { LIFECYCLE_RULES } from '../../src/lint/rules/lifecycle.ts';
import { MESSAGE_SHAPE_RULES } from '../../src/lint/rules/message-shape.ts';
import { MODERN_REVISION_RULES } from '../../src/lint/rules/modern-revision.ts';
import { EXTENSION_RULES } from '../../src/lint/rules/official-extensions.ts';
import { OUTPUT_SCHEMA_RULE } from '../../src/lint/rules/output-schema.ts';
import { RESULT_RULES } from '../../src/lint/rules/result-shapes.ts';
import { SCHEMA_RULE } from '../../src/lint/rules/schema.ts';
import { SAFETY_RULES } from '../../src/lint/rules/unsafe-text.ts';
import { UTILITY_RULES } from '../../src/lint/rules/utilities.ts';
import { cassette, client, request, server } from '../support/conversation.ts';
import { answer, CASES, legacy } from './rule-cases.ts';

const HEAD = `# Find protocol violations with lint

\`mcp-record lint\` checks a [cassette](architecture.md#glossary), the file of a recorded session, against the MCP specification. In this session, a server repeated a progress value, which
must increase:

\`\`\`sh
mcp-record lint login.yaml
\`\`\`

\`\`\`text
login.yaml:68 error server: it went from 2 to 2  [progress-increases]
    The progress of a request increases with each notification. (Utilities, "Progress")

1 error, 0 warnings
\`\`\`

| part | meaning |
|---|---|
| \`login.yaml:68\` | The line in the cassette. |
| \`error\` | The severity. |
| \`server\` | The side that broke the rule: \`client\` or \`server\`. |
| \`it went from 2 to 2\` | What happened. |
| \`progress-increases\` | The name of the rule. |
| second line | The requirement, and its section of the specification. |

| severity | the specification says | exit status |
|---|---|---|
| error | MUST | 1 |
| warning | SHOULD | 0 |

| option | what it does |
|---|---|
| \`--json\` | Prints the violations as JSON: \`files\`, and \`violations\`, each with its \`file\`. |
| \`--junit FILE\` | Also writes a test case for each file as JUnit XML. An error fails its file. Warnings are in the output of the case. |
| \`--sarif FILE\` | Also writes them as SARIF, which code review shows beside the lines: see [CI](ci-reference.md#reports). |

\`lint\` takes files, folders, and quoted patterns such as \`'cassettes/**'\`, and reads [the same files as \`redact --check\`](redaction-check.md#which-files-are-read). It exits with 1 if any of them has an error, and with 2 if one cannot be read: it is in \`unreadable\` of the JSON.

No option turns a rule off. To leave rules out, filter the violations of \`--json\` by their \`rule\`.

A [report](report.md) shows the violations in the session, except those of the rules \`output-schema\`, \`schema\` and \`client-result\`.

## Rules

Each rule has an example of what \`lint\` says. Some rules belong to some revisions of MCP only. \`lint\` finds the revision of a session in its messages. The rules of a revision that is newer than \`mcp-record\` are unknown: \`lint\` then applies those of the newest revision it knows, says so, and each violation is a warning.
`;

const VALIDATION_TEXT = `Each message is checked with the official JSON Schema of its revision, as in the official conformance suite.

From 2025-06-18 on, structured content is checked with the \`outputSchema\` that its tool has in the latest list before the call. Nothing is said:

- after \`notifications/tools/list_changed\`, until the client lists the tools again;
- of a schema that cannot be used, as with a reference to another document: nothing is fetched;
- of a part with a placeholder of a redacted secret;
- of \`format\`, and of patterns with lookarounds or back references.`;

/** The sections of the page, in its order. */
const SECTIONS: [title: string, text: string, rules: readonly LintRule[]][] = [
  [
    'Text that could deceive a model',
    'If a change of a server newly breaks one of these rules, `verify` and `diff` call it [suspicious](breaking-changes.md#how-bad-a-change-is).',
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
  ['JSON Schema', VALIDATION_TEXT, VALIDATION_RULES],
];

const REVISIONS = { legacy: 'up to 2025-11-25', modern: 'from 2026-07-28 on' };

/** Says which value most rules have, and which rules have another one. */
function sayOf(rules: readonly LintRule[], facetOf: (rule: LintRule) => string): string {
  const values = [...new Set(rules.map(facetOf))];
  const countOf = (value: string) => rules.filter((rule) => facetOf(rule) === value).length;
  const [first = '', ...others] = values.sort((one, other) => countOf(other) - countOf(one));
  const exceptions = others.flatMap((value) =>
    rules.filter((rule) => facetOf(rule) === value).map(({ id }) => `\`${id}\` (${value})`),
  );
  return exceptions.length === 0 ? first : `${first}, except ${exceptions.join(' and ')}`;
}

/** A session with a prompt that has no name. */
const NOT_VALID = legacy({}, client(request(1, 'prompts/get', { arguments: {} })));

/** A session with a result that does not fit the schema of its tool. */
const UNFIT = legacy(
  {},
  client(request(1, 'tools/list')),
  server(answer(1, { tools: [{ name: 'sum', outputSchema: { properties: { total: { type: 'number' } } } }] })),
  client(request(2, 'tools/call', { name: 'sum' })),
  server(answer(2, { content: [], structuredContent: { total: '5' } })),
);

/** A session with an answer that is none of a form. */
const UNASKED = legacy(
  {},
  server(request(1, 'elicitation/create', { message: 'Go?', requestedSchema: { type: 'object', properties: {} } })),
  client(answer(1, { action: 'yes' })),
);

const SESSIONS = new Map([
  [OUTPUT_SCHEMA_RULE, UNFIT],
  [SCHEMA_RULE, NOT_VALID],
  [CLIENT_RESULT_RULE, UNASKED],
]);

/** What lint says of the first session that breaks a rule. */
function exampleOf(rule: LintRule): string {
  const frames = SESSIONS.get(rule) ?? CASES[rule.id]!.bad[0]![1];
  return lint(cassette(...frames), [rule])[0]!.why;
}

/** Names the sections of the specification that rules are from, those of one chapter together. */
function sectionsOf(rules: readonly LintRule[]): string {
  const chapters = new Map<string, Set<string>>();
  for (const section of rules.flatMap(({ source }) => source.split('; '))) {
    const [, chapter = section, name = ''] = /^(.*?), (".*)$/.exec(section) ?? [];
    chapters.set(chapter, (chapters.get(chapter) ?? new Set()).add(name));
  }
  return [...chapters]
    .map(([chapter, names]) => [chapter, ...names].filter((part) => part !== '').join(', '))
    .join('; ');
}

const cell = (text: string) => text.replaceAll('|', '\\|');

const rowOf = (rule: LintRule) => `| \`${rule.id}\` | ${cell(rule.sentence)} | ${cell(exampleOf(rule))} |\n`;

const sectionOf = ([title, text, rules]: (typeof SECTIONS)[number]) => `
### ${title}
${text && `\n${text}\n`}
- Severity: ${sayOf(rules, ({ severity }) => severity)}.
- Revisions: ${sayOf(rules, ({ era }) => (era ? REVISIONS[era] : 'all'))}.
- Specification: ${sectionsOf(rules)}.

| rule | requirement | \`lint\` says, for example |
|---|---|---|
${rules.map(rowOf).join('')}`;

it('the page of rules is what the code says', async () => {
  const shown = SECTIONS.flatMap(([, , rules]) => rules);
  expect(new Set(shown)).toEqual(new Set(EVERY_RULE));
  expect(shown).toHaveLength(EVERY_RULE.length);
  await expect(HEAD + SECTIONS.map(sectionOf).join('')).toMatchFileSnapshot('../../docs/lint.md');
});

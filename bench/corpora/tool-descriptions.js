/** Descriptions of tools by which scanners of MCP servers are tested, with what each is labelled as. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A function with a decorator of FastMCP, its signature, and its docstring. */
const TOOL =
  /^@\w+\.(?:tool|prompt|resource)\b[^\n]*\n(?:async )?def (\w+)\([\s\S]*?\)[^\n]*:\n\s+[rf]?"""([\s\S]*?)"""/gm;
/** A constant of Python that holds a text. */
const CONSTANT = /^([A-Z][A-Z_0-9]+) = """([\s\S]*?)"""/gm;

/** `{ name, text }` for each tool, prompt and resource of a server in Python. */
function toolsIn(file) {
  return [...readFileSync(file, 'utf8').matchAll(TOOL)].map(([, name, text]) => ({ name, text }));
}

function pythonFiles(folder) {
  if (!existsSync(folder)) throw new Error(`${folder} is missing`);
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.py'))
    .sort()
    .map((name) => join(folder, name));
}

const toolsBelow = (folder) => pythonFiles(folder).flatMap(toolsIn);

/** Threats that a text of the scanner's own tests stands for, by the first words of its name. */
const KINDS = [
  [/^PROMPT_INJECTION_|HIDE_FROM_USER$/, 'hidden'],
  [/^(?:SAFE|FP)_|_GENERIC_TEMPLATE_UPLOAD$/, 'harmless'],
  [/^/, 'other'],
];

/**
 * Texts of Cisco's mcp-scanner: those of its unit tests and of its evaluation. `hidden`: instructions to the model that
 * its user does not see. `other`: tools that say what they attack, or leave it to their code. `harmless`: neither.
 */
export function mcpScannerTexts(folder) {
  const tests = readFileSync(join(folder, 'tests', 'test_yara_rules_coverage.py'), 'utf8');
  const constants = [...tests.matchAll(CONSTANT)].map(([, name, text]) => ({
    kind: KINDS.find(([pattern]) => pattern.test(name))[1],
    name,
    text,
  }));
  const evaluation = join(folder, 'evals', 'behavioral-analysis', 'data', 'prompt-injection');
  const remote = join(folder, 'evals', 'remote');
  return [
    ...constants,
    ...toolsBelow(evaluation).map((tool) => ({ kind: 'hidden', ...tool })),
    ...toolsBelow(join(remote, 'malicious')).map((tool) => ({ kind: 'other', ...tool })),
    ...toolsBelow(join(remote, 'benign')).map((tool) => ({ kind: 'harmless', ...tool })),
  ];
}

/**
 * Texts of the Damn Vulnerable MCP Server. Most challenges are about code, and their descriptions are harmless.
 */
export function vulnerableServerTexts(folder) {
  return pythonFiles(join(folder, 'challenges')).flatMap((file) =>
    toolsIn(file).map((tool) => ({
      kind: POISONED.has(tool.name) && HIDDEN_PART.test(tool.text) ? 'hidden' : 'harmless',
      ...tool,
    })),
  );
}

/** Tools with instructions to the model, as the solutions of the challenges and the comments of their sources name them. */
const POISONED = new Set([
  'get_company_data',
  'search_company_database',
  'get_user_profile',
  'malicious_check_system_status',
  'calculate',
  'enhanced_calculate',
]);
/** A server of the same challenge may have the honest tool of the same name. */
const HIDDEN_PART = /must|instead/;

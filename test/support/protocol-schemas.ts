import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

type Definition = Record<string, unknown>;
interface Schema {
  $defs?: Record<string, Definition>;
  definitions?: Record<string, Definition>;
}

const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

/**
 * Returns the official JSON Schemas of the protocol by revision, as text, as the official conformance suite has them in its
 * package (`@modelcontextprotocol/conformance`, MIT). Descriptions are left out. 2024-11-05 is not in it.
 */
export function protocolSchemas(): Map<string, string> {
  const { resolve } = createRequire(import.meta.url);
  const suite = readFileSync(resolve('@modelcontextprotocol/conformance/dist/index.js'), 'utf8');
  const found = [...suite.matchAll(/\{\$schema:`http/g)]
    .map(({ index }) => literalAt(suite, index))
    .filter((text) => text.includes('JSONRPCRequest:') && text.includes('ListToolsResult:'))
    .map((text) => corrected(new Function(`return ${text}`)() as Schema));
  if (found.length !== REVISIONS.length) throw new Error(`The suite has ${found.length} schemas.`);
  return new Map(REVISIONS.map((revision, n) => [revision, `${JSON.stringify(found[n], withoutWords)}\n`]));
}

/** Returns the text of the object literal that begins at `start`. Strings are skipped whole. */
function literalAt(suite: string, start: number): string {
  let depth = 0;
  for (let at = start; at < suite.length; at++) {
    const char = suite[at]!;
    if ('`"\''.includes(char)) at = endOfString(suite, at);
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return suite.slice(start, at + 1);
  }
  throw new Error('A schema does not end.');
}

function endOfString(suite: string, start: number): number {
  let at = start + 1;
  while (suite[at] !== suite[start]) at += suite[at] === '\\' ? 2 : 1;
  return at;
}

/** Definitions in which a number is said to be an integer, where schema.ts, from which the schemas are made, says number. */
const NUMBERS = ['NumberSchema', 'ElicitResult', 'JSONValue', 'Task', 'TaskMetadata'];

function corrected(schema: Schema): Schema {
  const definitions = schema.$defs ?? schema.definitions ?? {};
  for (const name of NUMBERS) {
    const definition = definitions[name];
    if (definition) definitions[name] = JSON.parse(JSON.stringify(definition, withNumbers)) as Definition;
  }
  // A JSON value may also be null.
  (definitions.JSONValue?.anyOf as unknown[] | undefined)?.push({ type: 'null' });
  return schema;
}

function withNumbers(key: string, value: unknown): unknown {
  if (key !== 'type') return value;
  if (Array.isArray(value)) return value.map((type) => withNumbers(key, type));
  return value === 'integer' ? 'number' : value;
}

/** A `description` that is a text is for people; one that is an object is a property of that name. */
function withoutWords(key: string, value: unknown): unknown {
  return key === 'description' && typeof value === 'string' ? undefined : value;
}

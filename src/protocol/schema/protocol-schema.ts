import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE } from '../../kernel/installed-package.ts';
import { FIRST_MODERN } from '../revisions.ts';
import { compileWholeDefinitions, type SchemaBreach } from './json-schema.ts';

/** Official JSON Schema of a revision. */
export type ProtocolSchemaJson = Record<'$defs' | 'definitions', Record<string, unknown> | undefined>;

const REVISIONS: readonly string[] = ['2025-03-26', '2025-06-18', '2025-11-25', FIRST_MODERN];

/** Returns the official JSON Schema of a revision. Undefined: the package has none, as of 2024-11-05. */
export function readProtocolSchema(revision: string): ProtocolSchemaJson | undefined {
  if (!REVISIONS.includes(revision)) return undefined;
  const text = readFileSync(join(PACKAGE, 'schema', 'protocol', `${revision}.json`), 'utf8');
  return JSON.parse(text) as ProtocolSchemaJson;
}

type Breaches = (name: string, value: unknown) => SchemaBreach[];

const compiled = new Map<string, Breaches | undefined>();

/** Returns all violations of a definition in a revision's official JSON Schema. */
export function definitionBreaches(revision: string, name: string, value: unknown): SchemaBreach[] {
  if (!compiled.has(revision)) {
    const schema = readProtocolSchema(revision);
    compiled.set(revision, schema && compileWholeDefinitions(schema));
  }
  return compiled.get(revision)?.(name, value) ?? [];
}

/** Returns the definitions of a schema by name. */
export function definitionsOf(schema: ProtocolSchemaJson): Record<string, unknown> {
  return schema.$defs ?? schema.definitions ?? {};
}

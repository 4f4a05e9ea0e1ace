import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE } from '../kernel/package-info.ts';
import { FIRST_MODERN } from '../protocol/revisions.ts';

/** JSON Schema of a revision, as the specification has it. */
export type ProtocolSchemaJson = Record<'$defs' | 'definitions', Record<string, unknown> | undefined>;

const REVISIONS: readonly string[] = ['2025-03-26', '2025-06-18', '2025-11-25', FIRST_MODERN];

/** Returns the official JSON Schema of a revision. Undefined: the package has none, as of 2024-11-05. */
export function readProtocolSchema(revision: string): ProtocolSchemaJson | undefined {
  if (!REVISIONS.includes(revision)) return undefined;
  const text = readFileSync(join(PACKAGE, 'schema', 'protocol', `${revision}.json`), 'utf8');
  return JSON.parse(text) as ProtocolSchemaJson;
}

/** Returns the definitions of a schema by name. */
export function definitionsOf(schema: ProtocolSchemaJson): Record<string, unknown> {
  return schema.$defs ?? schema.definitions ?? {};
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { METHODS_WITH_KNOWN_PARAMS, paramsMembers } from '../../src/protocol/allowed-params-members.ts';

interface Definition {
  $ref?: string;
  properties?: Record<string, Definition & { const?: string }>;
  allOf?: Definition[];
  anyOf?: Definition[];
}

const SCHEMAS = join(import.meta.dirname, '..', '..', 'schema', 'protocol');

it('params have the members that the official schemas of all revisions give them', () => {
  const members = new Map<string, Set<string>>();
  for (const file of readdirSync(SCHEMAS)) {
    const { definitions, $defs } = JSON.parse(readFileSync(join(SCHEMAS, file), 'utf8'));
    const all: Record<string, Definition> = definitions ?? $defs;
    const namesOf = (one: Definition | undefined): string[] => {
      if (one === undefined) return [];
      if (one.$ref) return namesOf(all[one.$ref.split('/').at(-1)!]);
      return [...Object.keys(one.properties ?? {}), ...(one.allOf ?? one.anyOf ?? []).flatMap(namesOf)];
    };
    for (const { properties } of Object.values(all)) {
      const method = properties?.method?.const;
      if (method === undefined) continue;
      const known = members.get(method) ?? new Set(['_meta']);
      for (const name of namesOf(properties?.params)) known.add(name);
      members.set(method, known);
    }
  }
  const sorted = (names: Iterable<string>) => [...names].sort();
  expect(sorted(METHODS_WITH_KNOWN_PARAMS)).toEqual(sorted(members.keys()));
  for (const [method, names] of members) expect(sorted(paramsMembers(method)!), method).toEqual(sorted(names));
});

it('an extension has params of its own', () => {
  expect(paramsMembers('skills/list')).toBeUndefined();
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as functions from '../../src/adapters/faults.ts';
import { FAULTS } from '../../src/faults/fault-table.ts';

/** What an editor shows beside a fault function: the comment before its declaration. */
const declarations = readFileSync(join(import.meta.dirname, '../../dist/adapters/faults.d.ts'), 'utf8');
const docs = new Map(
  [...declarations.matchAll(/(?:\/\*\* (.*) \*\/\n)?export declare const (\w+): FunctionOf</g)].map(
    ([, doc = '', name]) => [name!, doc],
  ),
);

/** What is said of the parameters of faults. */
const said = new Set(
  [...FAULTS.values()].flatMap(({ params }) => Object.values(params).map((param) => (param as { doc: string }).doc)),
);

describe('the description of', () => {
  it('a fault function is there for each fault of the table', () => {
    const made = Object.entries(functions).filter(([name]) => docs.has(name));
    expect(docs.size).toBe(FAULTS.size);
    expect(made).toHaveLength(FAULTS.size);
  });

  it.each([...docs])('%s says first what it does', (_name, doc) => {
    // A verb in the third person, at the beginning of a sentence.
    expect(doc).toMatch(/^(?!This |Its )[A-Z][a-z]+s \S.*\.$/);
    expect(said).not.toContain(doc);
  });

  it('no two are the same', () => {
    expect(new Set(docs.values()).size).toBe(docs.size);
  });
});

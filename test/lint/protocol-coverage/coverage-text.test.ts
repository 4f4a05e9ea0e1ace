import { expect, it } from 'vitest';
import type { CoveredPart } from '../../../src/lint/protocol-coverage/count-coverage.ts';
import { coverageText } from '../../../src/lint/protocol-coverage/coverage-text.ts';

const part = (name: string, count: number, rest: Partial<CoveredPart> = {}): CoveredPart => ({
  kind: 'request',
  from: 'client',
  name,
  count,
  cassettes: 1,
  ...rest,
});

it('says of each revision what is covered, and what never is', () => {
  const revision = {
    revision: '2025-11-25',
    files: ['a.yaml', 'b.yaml'],
    covered: 1,
    total: 3,
    parts: [part('ping', 2), part('tools/call', 0), part('stdio', 0, { kind: 'transport', from: undefined! })],
    others: [part('acme/search', 1)],
  };
  const unknown = ['d.yaml', 'e.yaml'];
  expect(coverageText({ revisions: [revision], missing: ['2024-11-05'], unknown })).toEqual([
    '2025-11-25: 1 of 3 parts in 2 cassettes',
    '  requests of the client: 1 of 2',
    '    covered: ping (2)',
    '    never: tools/call',
    '  transports: 0 of 1',
    '    never: stdio',
    '  beside the revision: requests of the client acme/search (1)',
    '',
    'No revision that is known: d.yaml, e.yaml',
    'No cassette of 2024-11-05',
  ]);
  expect(coverageText({ revisions: [], missing: [], unknown: [] })).toEqual([]);
});

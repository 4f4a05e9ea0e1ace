import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { protocolCoverage } from '../../../src/lint/protocol-coverage/count-coverage.ts';
import { call, cassette, client, request, server } from '../../support/conversation.ts';

const session = (file: string, protocolVersion: string, ...frames: Frame[]): Cassette => ({
  ...cassette(
    client(request(0, 'initialize', {})),
    server({ jsonrpc: '2.0', id: 0, result: { protocolVersion } }),
    ...frames,
  ),
  file,
});

describe('protocolCoverage', () => {
  const coverage = protocolCoverage([
    session('a.yaml', '2025-11-25', client(call(1, 'add')), client(call(2, 'add')), client(request(3, 'acme/search'))),
    session('b.yaml', '2025-11-25', client(call(1, 'add'))),
    session('c.yaml', '2025-06-18'),
    session('d.yaml', '2030-01-01'),
    { ...cassette(client(call(1, 'add'))), file: 'e.yaml' },
  ]);
  const newest = coverage.revisions.at(-1)!;

  it('counts occurrences and cassettes of each part, and keeps the first place', () => {
    expect(newest.parts.find(({ name }) => name === 'tools/call')).toEqual({
      kind: 'request',
      from: 'client',
      name: 'tools/call',
      count: 3,
      cassettes: 2,
      first: { file: 'a.yaml', line: 3 },
    });
    expect(newest.parts.find(({ name }) => name === 'tools/list')).toMatchObject({ count: 0, cassettes: 0 });
    expect(newest.covered).toBe(newest.parts.filter(({ count }) => count > 0).length);
    expect(newest.total).toBe(newest.parts.length);
  });

  it('keeps revisions apart, and names those without a cassette and cassettes without a revision', () => {
    expect(coverage.revisions.map(({ revision, files }) => [revision, files])).toEqual([
      ['2025-06-18', ['c.yaml']],
      ['2025-11-25', ['a.yaml', 'b.yaml']],
    ]);
    expect(coverage.revisions[0]!.parts.find(({ name }) => name === 'tools/call')!.count).toBe(0);
    expect(coverage.missing).toEqual(['2024-11-05', '2025-03-26', '2026-07-28']);
    expect(coverage.unknown).toEqual(['d.yaml', 'e.yaml']);
  });

  it('does not count what the revision lacks, and names it', () => {
    expect(newest.others.map(({ name }) => name)).toEqual(['acme/search']);
  });
});

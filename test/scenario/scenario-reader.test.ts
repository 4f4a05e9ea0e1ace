import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { readScenario } from '../../src/scenario/scenario-reader.ts';

it('a scenario may come from elsewhere than a file', () => {
  const placeOf = () => ({ file: 'a/b.yaml', line: 1 });
  const written = { cassette: '/cassettes/a.yaml', play: 'client', expect: [{ session: 'client' }] };
  expect(readScenario(written, { file: 'a/b.yaml', placeOf })).toMatchObject({
    cassette: resolve('/cassettes/a.yaml'),
    expect: [{ session: 'client', line: 1 }],
  });
});

import { describe, expect, it } from 'vitest';
import { composeUpgrades, FORMAT_UPGRADES, type FormatUpgrade } from '../../../src/cassette/read/format-upgrade.ts';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import type { YamlField } from '../../../src/cassette/read/yaml/yaml-field.ts';

const renaming = (from: number, key: string): FormatUpgrade => ({
  from,
  header: (fields) => fields,
  event: (fields: YamlField[]) => fields.map((field) => (field.key === key ? { ...field, key: 'client' } : field)),
});

describe('cassettes of an older format', () => {
  it('go through every step from theirs on, oldest first', () => {
    const event: YamlField[] = [{ key: 'c', json: '{}', at: 0 }];
    const toB: FormatUpgrade = {
      ...renaming(1, 'c'),
      event: (fields) => fields.map((field) => ({ ...field, key: `${field.key}b` })),
    };
    const toC: FormatUpgrade = {
      ...toB,
      from: 2,
      event: (fields) => fields.map((field) => ({ ...field, key: `${field.key}!` })),
    };
    expect(composeUpgrades(1, [toC, toB]).event(event)[0]!.key).toBe('cb!');
    expect(composeUpgrades(2, [toC, toB]).event(event)[0]!.key).toBe('c!');
    expect(composeUpgrades(3, [toC, toB]).event(event)).toEqual(event);
  });

  it('are read as if they were new', () => {
    const cassette = 'format: mcp-record/1\nrecorder: r\nevents:\n- caller:\n    method: ping\n- end: complete\n';
    const { events } = parseCassette(cassette, 'old.yaml', [renaming(1, 'caller')]);
    expect(events[0]!.frame).toMatchObject({
      kind: 'message',
      from: 'client',
      json: { text: '{"method":"ping"}' },
    });
    expect(() => parseCassette(cassette, 'old.yaml')).toThrow('CASSETTE_BAD_EVENT');
  });

  it('do not exist yet', () => expect(FORMAT_UPGRADES).toEqual([]));
});

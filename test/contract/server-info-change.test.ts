import { describe, expect, it } from 'vitest';
import { serverInfoChanges, versionNote } from '../../src/contract/server-info-change.ts';
import { META } from '../../src/protocol/meta.ts';

const said = (recorded: unknown, live: unknown) =>
  serverInfoChanges(recorded, live).map(({ severity, reason, path }) => `${severity}: ${reason} (${path})`);

describe('introductionChanges', () => {
  it.each([
    [{ tools: {} }, {}, 'breaking: capability "tools" was lost (/result/capabilities/tools)'],
    [
      { tools: { listChanged: true } },
      { tools: { listChanged: false } },
      'breaking: capability "tools.listChanged" was lost (/result/capabilities/tools/listChanged)',
    ],
    [{}, { logging: {} }, 'compatible: capability "logging" is new (/result/capabilities/logging)'],
    [
      { tools: { listChanged: false } },
      { tools: { listChanged: true } },
      'compatible: capability "tools.listChanged" is new (/result/capabilities/tools/listChanged)',
    ],
    [
      { experimental: { level: 1 } },
      { experimental: { level: 2 } },
      'breaking: capability "experimental.level" changed (/result/capabilities/experimental/level)',
    ],
  ])('judges capabilities %j → %j', (recorded, live, change) => {
    expect(said({ capabilities: recorded }, { capabilities: live })).toEqual([change]);
  });

  it.each([
    [{ protocolVersion: 'a' }, { protocolVersion: 'b' }, 'breaking: protocol revision a → b (/result/protocolVersion)'],
    [
      { supportedVersions: ['a'] },
      { supportedVersions: ['b'] },
      'breaking: other revisions are supported (/result/supportedVersions/0)',
    ],
    [{ instructions: 'a' }, { instructions: 'b' }, 'cosmetic: instructions changed (/result/instructions)'],
    [
      { serverInfo: { name: 'a' } },
      { serverInfo: { name: 'b' } },
      'cosmetic: serverInfo.name changed (/result/serverInfo/name)',
    ],
    [{}, { more: 1 }, 'compatible: more changed (/result/more)'],
  ])('judges %j → %j', (recorded, live, change) => {
    expect(said(recorded, live)).toEqual([change]);
  });
});

describe('versionNote', () => {
  const server = (version: string) => ({ result: { serverInfo: { name: 's', version } } });
  const modern = (version: string) => ({ result: { _meta: { [META.serverInfo]: { version } } } });

  it('tells of another version, wherever the revision puts it', () => {
    const note = 'The server says that its version is 2; recorded was 1.';
    expect(versionNote(server('1'), server('2'))).toBe(note);
    expect(versionNote(modern('1'), modern('2'))).toBe(note);
  });

  it('says nothing of the same version, or of none', () => {
    expect(versionNote(server('1'), server('1'))).toBeUndefined();
    expect(versionNote({ error: {} }, server('1'))).toBeUndefined();
    expect(versionNote(server('1'), { error: { code: -32000, message: 'HTTP 401' } })).toBeUndefined();
  });
});

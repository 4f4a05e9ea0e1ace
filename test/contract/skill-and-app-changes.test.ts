import { describe, expect, it } from 'vitest';
import { listChanges } from '../../src/contract/compare-item-lists.ts';
import { metaChanges, skillChanges } from '../../src/contract/skill-and-app-changes.ts';
import type { Change } from '../../src/match/contract-change-types.ts';
import { LISTS } from '../../src/protocol/method-table.ts';

const words = (changes: readonly Change[]) => changes.map(({ severity, reason }) => `${severity}: ${reason}`);

describe('what a tool or resource says of its app (extension Apps)', () => {
  const ui = (before: unknown, after: unknown) => words(metaChanges({ ui: before }, { ui: after }, '/m'));

  it('another app, or none, breaks; a first one does not', () => {
    expect(ui({ resourceUri: 'ui://a' }, { resourceUri: 'ui://b' })).toEqual([
      'breaking: _meta.ui.resourceUri changed',
    ]);
    expect(ui({ resourceUri: 'ui://a' }, {})).toEqual(['breaking: _meta.ui.resourceUri was removed']);
    expect(words(metaChanges(undefined, { ui: { resourceUri: 'ui://a' } }, '/m'))).toEqual([
      'compatible: _meta.ui.resourceUri is new',
    ]);
    expect(words(metaChanges({ 'ui/resourceUri': 'ui://a' }, {}, '/m'))).toEqual([
      'breaking: ui/resourceUri was removed',
    ]);
  });

  it('a host or permission less breaks the app, and one more lets it do what nobody has agreed to', () => {
    const csp = (...connectDomains: string[]) => ({ csp: { connectDomains } });
    expect(ui(csp('https://a.test'), csp('https://b.test'))).toEqual([
      'breaking: _meta.ui: csp.connectDomains "https://a.test" was removed',
      'suspicious: _meta.ui: csp.connectDomains "https://b.test" is new',
    ]);
    expect(ui({}, { permissions: { camera: {} } })).toEqual(['suspicious: _meta.ui: permission "camera" is new']);
    expect(ui({ permissions: { camera: {} } }, {})).toEqual(['breaking: _meta.ui: permission "camera" was removed']);
  });

  it('a tool without visibility is for the model and for apps', () => {
    expect(ui({ visibility: ['app', 'model'] }, {})).toEqual([]);
    expect(ui({}, { visibility: ['app'] })).toEqual(['breaking: _meta.ui: visible to "model" was removed']);
    expect(ui({ visibility: ['app'] }, {})).toEqual(['suspicious: _meta.ui: visible to "model" is new']);
  });

  it('the border of an app, and what others have in _meta, is for people', () => {
    expect(ui({ prefersBorder: true }, { prefersBorder: false })).toEqual(['cosmetic: _meta.ui.prefersBorder changed']);
    expect(words(metaChanges({ 'acme/note': 1 }, { 'acme/note': 2 }, '/m'))).toEqual([
      'cosmetic: _meta.acme/note changed',
    ]);
  });

  it('is judged where tools are listed', () => {
    const list = (resourceUri: string) => ({ tools: [{ name: 'a', _meta: { ui: { resourceUri } } }] });
    expect(listChanges(LISTS.get('tools/list')!, list('ui://a'), list('ui://b'))).toEqual([
      {
        severity: 'breaking',
        path: '/result/tools/0/_meta/ui/resourceUri',
        reason: 'tool "a": _meta.ui.resourceUri changed',
        affects: { kind: 'tools', name: 'a' },
      },
    ]);
  });
});

describe('a skill (extension Skills)', () => {
  const uri = 'skill://a/SKILL.md';
  const skill = (frontmatter: object, ...resources: object[]) => ({ uri, frontmatter, resources });
  const changes = (before: unknown, after: unknown) => words(skillChanges(before, after, '/s'));

  it('is described to people, and asks hosts for more with other members of its frontmatter', () => {
    expect(changes(skill({ description: 'A' }), skill({ description: 'B', 'allowed-tools': 'Bash' }))).toEqual([
      'cosmetic: description changed',
      'suspicious: allowed-tools is new',
    ]);
  });

  it('is approved with its files: what they hold counts', () => {
    const file = (name: string, digest: string) => ({ uri: `skill://a/${name}`, digest, size: 1 });
    expect(changes(skill({}, file('x', '1'), file('y', '1')), skill({}, file('x', '2'), file('z', '1')))).toEqual([
      'suspicious: file "skill://a/x" has another content',
      'breaking: file "skill://a/y" was removed',
      'compatible: new file "skill://a/z"',
    ]);
    expect(changes(skill({}, file('x', '1')), { ...skill({}), resources: 'dynamic' })).toEqual([
      'suspicious: its files have no digests any more',
    ]);
    expect(changes({ ...skill({}), resources: 'dynamic' }, skill({}, file('x', '1')))).toEqual([
      'compatible: its files now have digests',
    ]);
  });

  it('is told apart from others by its URI', () => {
    const list = (...skills: unknown[]) => ({ skills });
    const other = { ...skill({ name: 'b' }), uri: 'skill://b/SKILL.md' };
    expect(words(listChanges(LISTS.get('skills/list')!, list(skill({ name: 'a' }), other), list(other)))).toEqual([
      'breaking: skill "skill://a/SKILL.md" was removed',
    ]);
    expect(changes(skill({}), { ...skill({}), uri: 'skill://b/SKILL.md' })).toEqual(['breaking: uri changed']);
  });
});

it('an event type is judged by what callers subscribe with, and by how and what it delivers (extension Events)', () => {
  const types = (delivery: string[], inputSchema: object, payloadSchema: object) => ({
    events: [{ name: 'incident', delivery, inputSchema, payloadSchema }],
  });
  const before = types(['poll', 'push'], { required: [] }, { properties: { id: {} } });
  const after = types(['poll', 'webhook'], { required: ['service'] }, { properties: {} });
  expect(words(listChanges(LISTS.get('events/list')!, before, after))).toEqual([
    'breaking: event type "incident": delivery "push" is no longer allowed',
    'compatible: event type "incident": delivery "webhook" is now allowed',
    'breaking: event type "incident": argument "service" is now required',
    'breaking: event type "incident": field "id" was removed',
  ]);
});

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unwrap, wrap } from '../../../src/cli/wrap/wrap.ts';
import { EXTENSION_MANIFESTS } from './configurations/extension-manifests.ts';

const file = 'manifest.json';
const put = (text: string, names: readonly string[] = []) =>
  wrap(text, { file, names, folder: '/cassettes', program: ['npx', '-y', 'mcp-record'] });
const take = (text: string) => unwrap(text, { file, names: [] });
const recorderFor = (name: string) => ['-y', 'mcp-record', 'record', '-o', `${join('/cassettes', name)}/`];

interface Launch {
  command?: string;
  args?: string[];
  env?: Record<string, string>;
}
const configurationIn = (text: string): Launch & { platform_overrides?: Record<string, Launch> } =>
  JSON.parse(text).server.mcp_config;

/** What a host starts on a system, with its rules for overrides. */
function launchOn(platform: string, text: string): Launch {
  const { platform_overrides: overrides = {}, ...config } = configurationIn(text);
  const own = overrides[platform] ?? {};
  return { command: own.command ?? config.command!, args: own.args ?? config.args ?? [] };
}

describe.each(Object.entries(EXTENSION_MANIFESTS))('the manifest of %s', (_, text) => {
  it('is what it was, to the byte, when the recorder is out again', () => {
    const wrapped = put(text);
    expect(wrapped.servers.every(({ isChanged }) => isChanged)).toBe(true);
    expect(wrapped.text).not.toBe(text);
    expect(take(wrapped.text).text).toBe(text);
  });

  it('is wrapped once only', () => {
    const { text: wrapped } = put(text);
    expect(put(wrapped).text).toBe(wrapped);
  });

  it.each(['linux', 'darwin', 'win32'])(
    'starts the recorder, and that the server with its own words, on %s',
    (platform) => {
      const before = launchOn(platform, text);
      const { command, args = [] } = launchOn(platform, put(text).text);
      expect([command, args.slice(0, 4)]).toEqual(['npx', recorderFor('').slice(0, 4)]);
      const own = args.slice(args[5] === '--' ? 6 : 5);
      expect(own).toEqual([before.command, ...before.args!]);
    },
  );
});

it('variables that the host fills in stay in the arguments and the environment', () => {
  const config = configurationIn(put(EXTENSION_MANIFESTS['a bundled server for Node']!).text);
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the host fills them in
  expect(config).toEqual({
    command: 'npx',
    args: [...recorderFor('notes'), '--', 'node', '${__dirname}/server/index.js', '${user_config.folders}'],
    env: { API_KEY: '${user_config.api_key}' },
  });
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the host fills them in
});

it('each system with a command of its own is a server of its own', () => {
  const { servers } = put(EXTENSION_MANIFESTS['a binary with commands of its own on some systems']!);
  expect(servers.map(({ name }) => name)).toEqual(['tool', 'tool-win32', 'tool-linux']);
});

/** A manifest with this configuration. */
const manifest = (config: unknown) =>
  JSON.stringify({
    manifest_version: '0.3',
    name: 'a',
    server: { type: 'binary', entry_point: 'x', mcp_config: config },
  });

describe('what is left as it is, with the reason:', () => {
  it.each([
    ['an extension whose host finds its command', undefined, 'has no "mcp_config"'],
    ['a command in the folder of the extension', { command: 'server/tool' }, 'starts "server/tool", which its host'],
    [
      'a system with a command and the arguments of all',
      { command: 'a', args: ['b'], platform_overrides: { win32: { command: 'c' } } },
      'has platform_overrides.win32 with a "command" and no "args"',
    ],
    [
      'a system with arguments and the command of all',
      { command: 'a', args: ['b'], platform_overrides: { linux: { args: ['c'] } } },
      'has platform_overrides.linux with "args" and no "command"',
    ],
    [
      'a system with a command in the folder',
      { command: 'a', platform_overrides: { linux: { command: './c', args: [] } } },
      'starts "./c"',
    ],
    ['no command at all', { args: ['a'] }, 'has neither a "command" nor a "url"'],
    ['what is no object', 'node', 'has neither a "command" nor a "url"'],
  ])('%s', (_, config, why) => {
    const text = manifest(config);
    expect(put(text)).toEqual({
      text,
      servers: [{ name: 'a', isChanged: false, what: expect.stringContaining(why) }],
    });
    expect(take(text).text).toBe(text);
  });
});

it('a manifest of something else is no extension', () => {
  for (const text of ['{ "manifest_version": 3, "name": "a" }', '{ "server": { "mcp_config": { "command": "a" } } }'])
    expect(() => put(text)).toThrow('or "server" of an extension');
});

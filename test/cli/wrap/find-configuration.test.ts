import { describe, expect, it } from 'vitest';
import { CLIENT_NAMES } from '../../../src/cli/wrap/client-names.ts';
import { placesOf, type Surroundings } from '../../../src/cli/wrap/client-places.ts';
import { findConfiguration } from '../../../src/cli/wrap/find-configuration.ts';

const LINUX: Surroundings = { platform: 'linux', home: '/h/me', env: {} };
const MACOS: Surroundings = { platform: 'darwin', home: '/U/me', env: { XDG_CONFIG_HOME: '/xdg' } };
const WINDOWS: Surroundings = {
  platform: 'win32',
  home: 'C:\\Users\\me',
  env: { APPDATA: 'C:\\Users\\me\\AppData\\Roaming', LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local' },
};

const filesOf = (client: string, surroundings: Surroundings) => placesOf(client, surroundings)!.map(({ file }) => file);

describe('the files of each client', () => {
  it('on Linux, macOS and Windows', () => {
    const files = Object.fromEntries(
      CLIENT_NAMES.map((client) => [
        client,
        [LINUX, MACOS, WINDOWS].map((system) => filesOf(client, system).join(' | ')),
      ]),
    );
    expect(files).toMatchInlineSnapshot(`
      {
        "claude-code": [
          ".mcp.json | /h/me/.claude.json",
          ".mcp.json | /U/me/.claude.json",
          ".mcp.json | C:\\Users\\me\\.claude.json",
        ],
        "claude-desktop": [
          "/h/me/.config/Claude/claude_desktop_config.json",
          "/U/me/Library/Application Support/Claude/claude_desktop_config.json",
          "C:\\Users\\me\\AppData\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json | C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json",
        ],
        "codex": [
          ".codex/config.toml | /h/me/.codex/config.toml",
          ".codex/config.toml | /U/me/.codex/config.toml",
          ".codex/config.toml | C:\\Users\\me\\.codex\\config.toml",
        ],
        "copilot": [
          ".mcp.json | .github/mcp.json | /h/me/.copilot/mcp-config.json",
          ".mcp.json | .github/mcp.json | /U/me/.copilot/mcp-config.json",
          ".mcp.json | .github/mcp.json | C:\\Users\\me\\.copilot\\mcp-config.json",
        ],
        "cursor": [
          ".cursor/mcp.json | /h/me/.cursor/mcp.json",
          ".cursor/mcp.json | /U/me/.cursor/mcp.json",
          ".cursor/mcp.json | C:\\Users\\me\\.cursor\\mcp.json",
        ],
        "gemini": [
          ".gemini/settings.json | /h/me/.gemini/settings.json",
          ".gemini/settings.json | /U/me/.gemini/settings.json",
          ".gemini/settings.json | C:\\Users\\me\\.gemini\\settings.json",
        ],
        "opencode": [
          "opencode.json | opencode.jsonc | .opencode/opencode.json | .opencode/opencode.jsonc | /h/me/.config/opencode/opencode.json | /h/me/.config/opencode/opencode.jsonc",
          "opencode.json | opencode.jsonc | .opencode/opencode.json | .opencode/opencode.jsonc | /xdg/opencode/opencode.json | /xdg/opencode/opencode.jsonc",
          "opencode.json | opencode.jsonc | .opencode/opencode.json | .opencode/opencode.jsonc | C:\\Users\\me\\.config\\opencode\\opencode.json | C:\\Users\\me\\.config\\opencode\\opencode.jsonc",
        ],
        "vscode": [
          ".vscode/mcp.json | /h/me/.config/Code/User/mcp.json",
          ".vscode/mcp.json | /U/me/Library/Application Support/Code/User/mcp.json",
          ".vscode/mcp.json | C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json",
        ],
        "windsurf": [
          "/h/me/.codeium/windsurf/mcp_config.json",
          "/U/me/.codeium/windsurf/mcp_config.json",
          "C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json",
        ],
        "zed": [
          ".zed/settings.json | /h/me/.config/zed/settings.json",
          ".zed/settings.json | /U/me/.config/zed/settings.json",
          ".zed/settings.json | C:\\Users\\me\\AppData\\Roaming\\Zed\\settings.json",
        ],
      }
    `);
  });

  it('follow the variables with which users move them', () => {
    const env = {
      XDG_CONFIG_HOME: '/xdg',
      CODEX_HOME: '/codex',
      COPILOT_HOME: '/copilot',
      CLAUDE_CONFIG_DIR: '/claude',
    };
    const moved = CLIENT_NAMES.map((client) => placesOf(client, { ...LINUX, env })!.at(-1)!.file);
    expect(moved).toEqual([
      '/claude/.claude.json',
      '/xdg/Claude/claude_desktop_config.json',
      '/h/me/.cursor/mcp.json',
      '/xdg/Code/User/mcp.json',
      '/xdg/zed/settings.json',
      '/codex/config.toml',
      '/h/me/.gemini/settings.json',
      '/xdg/opencode/opencode.jsonc',
      '/copilot/mcp-config.json',
      '/h/me/.codeium/windsurf/mcp_config.json',
    ]);
  });
});

describe('the configuration that is taken', () => {
  const ONE = '{ "mcpServers": { "a": { "command": "a" } } }';
  const find = (client: string, texts: Record<string, string>) =>
    findConfiguration(client, LINUX, { exists: (file) => file in texts, read: (file) => texts[file]! });

  it('is the project’s before the user’s, and the others are named', () => {
    const user = '/h/me/.claude.json';
    expect(find('claude-code', { '.mcp.json': ONE, [user]: ONE })).toEqual({
      taken: { file: '.mcp.json', scope: 'project' },
      others: [{ file: user, scope: 'user' }],
    });
    expect(find('claude-code', { [user]: ONE })).toEqual({ taken: { file: user, scope: 'user' }, others: [] });
  });

  it('is one with servers before one without', () => {
    const user = '/h/me/.gemini/settings.json';
    expect(find('gemini', { '.gemini/settings.json': '{ "theme": "x" }', [user]: ONE }).taken.file).toBe(user);
    const project = '.gemini/settings.json';
    expect(find('gemini', { [project]: '{ "theme": "x" }', [user]: '{ "mcpServers": {} }' }).taken.file).toBe(project);
  });

  it('is not looked for behind one that is broken', () => {
    expect(() => find('codex', { '.codex/config.toml': '[', '/h/me/.codex/config.toml': '' })).toThrow(
      '.codex/config.toml:1: it is no TOML there',
    );
  });

  it('of an unknown client is answered with the one that was meant', () => {
    expect(() => find('curser', {})).toThrow('[WRAP_UNKNOWN_CLIENT]\n  Did you mean --client cursor?');
    expect(() => find('toString', {})).toThrow('the known clients are claude-code, claude-desktop');
  });

  it('that is nowhere is said with each place', () => {
    expect(() => find('codex', {})).toThrow(
      'there is no .codex/config.toml (project), no /h/me/.codex/config.toml (user). [WRAP_NO_CONFIGURATION]',
    );
  });
});

import { posix, win32 } from 'node:path';

/** Surroundings that determine where clients keep their configurations. */
export interface Surroundings {
  platform: NodeJS.Platform;
  /** Home folder of the user. */
  home: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** Configuration file in which a client lists its servers. */
export interface ClientPlace {
  /** Path, relative to the project for the scope `project`. */
  file: string;
  scope: 'project' | 'user';
}

type Join = (...parts: string[]) => string;

/** Platform-specific names of user folders. */
interface Folders {
  home: string;
  /** Folder for settings of applications. */
  settings: string;
  /** Folder for settings of programs that use `~/.config` on macOS too. */
  config: string;
  env: Surroundings['env'];
  platform: NodeJS.Platform;
  join: Join;
}

interface Client {
  /** Files of a project, in the order of preference. */
  project: readonly string[];
  user(folders: Folders): readonly string[];
}

/** Package of Claude Desktop on Windows, whose settings the system redirects. */
const CLAUDE_PACKAGE = 'Claude_pzs8sxrjxfjjc';
const CLAUDE_DESKTOP = 'claude_desktop_config.json';

/** Clients by the names that `--client` takes. docs/wrap.md names the sources. */
const CLIENTS: Readonly<Record<string, Client>> = {
  'claude-code': {
    project: ['.mcp.json'],
    user: ({ home, env, join }) => [join(env.CLAUDE_CONFIG_DIR || home, '.claude.json')],
  },
  'claude-desktop': {
    project: [],
    user: ({ settings, env, platform, join }) => [
      ...(platform === 'win32' && env.LOCALAPPDATA
        ? [join(env.LOCALAPPDATA, 'Packages', CLAUDE_PACKAGE, 'LocalCache', 'Roaming', 'Claude', CLAUDE_DESKTOP)]
        : []),
      join(settings, 'Claude', CLAUDE_DESKTOP),
    ],
  },
  cursor: { project: ['.cursor/mcp.json'], user: ({ home, join }) => [join(home, '.cursor', 'mcp.json')] },
  vscode: {
    project: ['.vscode/mcp.json'],
    user: ({ settings, join }) => [join(settings, 'Code', 'User', 'mcp.json')],
  },
  zed: {
    project: ['.zed/settings.json'],
    user: ({ settings, config, platform, join }) => [
      platform === 'win32' ? join(settings, 'Zed', 'settings.json') : join(config, 'zed', 'settings.json'),
    ],
  },
  codex: {
    project: ['.codex/config.toml'],
    user: ({ home, env, join }) => [join(env.CODEX_HOME || join(home, '.codex'), 'config.toml')],
  },
  gemini: { project: ['.gemini/settings.json'], user: ({ home, join }) => [join(home, '.gemini', 'settings.json')] },
  opencode: {
    project: ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'],
    user: ({ home, env, join }) =>
      ['opencode.json', 'opencode.jsonc'].map((name) =>
        join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode', name),
      ),
  },
  copilot: {
    project: ['.mcp.json', '.github/mcp.json'],
    user: ({ home, env, join }) => [join(env.COPILOT_HOME || join(home, '.copilot'), 'mcp-config.json')],
  },
  windsurf: { project: [], user: ({ home, join }) => [join(home, '.codeium', 'windsurf', 'mcp_config.json')] },
};

/** Returns the configuration files of a client, the project's files first. Undefined: the client is unknown. */
export function placesOf(name: string, surroundings: Surroundings): ClientPlace[] | undefined {
  const client = Object.hasOwn(CLIENTS, name) ? CLIENTS[name] : undefined;
  if (client === undefined) return undefined;
  const folders = foldersOf(surroundings);
  return [
    ...client.project.map((file): ClientPlace => ({ file, scope: 'project' })),
    ...client.user(folders).map((file): ClientPlace => ({ file, scope: 'user' })),
  ];
}

function foldersOf({ platform, home, env }: Surroundings): Folders {
  const { join } = platform === 'win32' ? win32 : posix;
  const onLinux = env.XDG_CONFIG_HOME || join(home, '.config');
  const settings: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: env.APPDATA || join(home, 'AppData', 'Roaming'),
  };
  const config = platform === 'linux' ? onLinux : join(home, '.config');
  return { home, env, platform, join, config, settings: settings[platform] ?? onLinux };
}

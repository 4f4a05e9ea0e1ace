import { shellWord } from '../../text-report/shell-word.ts';

/**
 * Variables that the clients of the TypeScript and Python SDKs pass on to the server that they start. Windows has some
 * of its own in every process.
 */
const PASSED_ON: readonly string[] = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];
const PASSED_ON_BY_WINDOWS: readonly string[] = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'LOGONSERVER',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'PROMPT',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'USERDOMAIN',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
];

/** Variables that shells, `npx` and other package runners, and macOS set for the processes that they start. */
const SET_ON_THE_WAY =
  /^(?:_|PWD|OLDPWD|SHLVL|INIT_CWD|NODE|NODE_PATH|COLOR|EDITOR|PROJECT_CWD|BERRY_BIN_FOLDER|PNPM_\w+|npm_\w+|__CF_USER_TEXT_ENCODING)$/i;

interface Process {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
}

/**
 * Reports whether a process has only the variables that clients of the SDKs pass on. What the user's shell exports has
 * then not reached it.
 */
export function hasClientVariablesOnly({ env, platform }: Process = process): boolean {
  const isWindows = platform === 'win32';
  const passed = new Set(isWindows ? PASSED_ON_BY_WINDOWS : PASSED_ON);
  return Object.keys(env).every(
    (name) => SET_ON_THE_WAY.test(name) || passed.has(isWindows ? name.toUpperCase() : name),
  );
}

/** What SDK clients do with variables, after their name in a sentence. */
export const PASSED_ALONE = 'passes on PATH, HOME and the like alone';

/**
 * Returns advice for a process that misses variables, with a space before it. Empty if the process has other variables
 * than those that clients pass on.
 * @param names variables that may be missing
 */
export function missingVariablesAdvice(names: readonly string[], from: Process = process): string {
  if (!hasClientVariablesOnly(from)) return '';
  const env = names.map((name) => `${name}: process.env.${name}`).join(', ');
  return ` The client that started this process ${PASSED_ALONE}: give its transport what your shell exports, new StdioClientTransport({ command, args, env: { ${env} } }).`;
}

/** Returns the note at the end of a recording without rules, as {@link missingVariablesAdvice}. */
export function recordingEnvironmentNote(cassette: string, from: Process = process): string {
  if (!hasClientVariablesOnly(from)) return '';
  return `note: the client ${PASSED_ALONE}, so rules and secrets of your shell did not reach the recorder. To search for them: mcp-record redact --check ${shellWord(cassette)} (of variables, it takes those with the name of a credential: CRM_TOKEN, not CRM_SESSION). To redact them, give it --redact-rules FILE.`;
}

/** Names that `--client` takes. They stand apart, because every command loads them for its help. */
export const CLIENT_NAMES: readonly string[] = [
  'claude-code',
  'claude-desktop',
  'cursor',
  'vscode',
  'zed',
  'codex',
  'gemini',
  'opencode',
  'copilot',
  'windsurf',
];

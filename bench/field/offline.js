import { join } from 'node:path';
import { FIELD } from './commands.js';

/** The environment of what runs: no program reports home, or finds the settings of the user. */
export const OFFLINE = {
  HOME: join(FIELD, 'home'),
  DO_NOT_TRACK: '1',
  MCP_USE_ANONYMIZED_TELEMETRY: 'false',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
};

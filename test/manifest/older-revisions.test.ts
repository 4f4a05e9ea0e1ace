import { showSessions } from './sessions.ts';

/** Each session in the revisions before the newest that has it: that one is in coverage.test.ts. */
showSessions('older');

import type { Milliseconds } from '../../kernel/clock.ts';
import type { Redactor, RedactorOptions } from '../../redact/redactor.ts';
import type { StartLiveServer } from '../../verify/run/live-server-types.ts';
import type { PrepareFork } from '../served-fork/prepare-fork-types.ts';

/** The server that pages may verify, and go on with after a replay. Only the command line names it. */
export interface ServerUnderTest {
  /** Its command or URL, for people. */
  name: string;
  start: StartLiveServer;
  isHttp: boolean;
  /** Maximum wait for an answer or notification. */
  patience: Milliseconds;
  /** Makes the redactor of what the server says. */
  redactor(): Redactor;
  /** Sources of the credentials that it gets. */
  credentials: Pick<RedactorOptions, 'env' | 'headers'>;
  prepareFork: PrepareFork;
}

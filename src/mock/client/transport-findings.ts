import type { LineFrame } from '../../channel/frame.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { type HttpFailure, refusalWords } from '../../verify/compare/classify-http-failure.ts';
import { refusedTitle } from '../../verify/compare/compare-http-refusals.ts';
import { junkWords } from '../../verify/compare/session-end-steps.ts';
import type { LiveEnd } from '../../verify/run/live-server-types.ts';

/** Errors of a server under test apart from its messages, with the same checks as `verify`. */
export class TransportFindings {
  readonly #isProcess: boolean;
  readonly #refused = new Set<string>();
  #junk: LineFrame | undefined;
  #junkCount = 0;
  #end: Finding | undefined;

  constructor({ isProcess }: { isProcess: boolean }) {
    this.#isProcess = isProcess;
  }

  /** Notes an invalid line on standard output. Standard error may have any text. */
  line(frame: LineFrame): void {
    if (frame.on === 'stderr') return;
    this.#junk ??= frame;
    this.#junkCount++;
  }

  /** Notes a notification or an answer of the client that the server refused, or left without a response, over HTTP. */
  refused(message: JsonText, refusal: HttpFailure): void {
    const { code, next } = refusal;
    this.#refused.add(`The client's ${refusedTitle(message)} ${refusalWords(refusal)}. ${next} [${code}]`);
  }

  /**
   * Notes the end of a server whose client has left. A server that needs SIGTERM is not reported: clients send SIGTERM,
   * and SDK servers with timers wait for it. `stderr` has the server's last lines.
   */
  ended({ exit, killed }: LiveEnd, stderr: string): void {
    if (exit === undefined || exit.status === 0) return;
    if (killed && exit.status !== 'SIGKILL') return;
    const why = killed
      ? 'The server did not end after its input had ended, nor after SIGTERM: it needed SIGKILL.'
      : `The server ended with ${exit.status} after its input had ended.`;
    this.#end = { kind: 'differs', text: `${why}${stderr}` };
  }

  get findings(): Finding[] {
    const of = this.#isProcess ? 'on its standard output' : 'in its event streams';
    const junk = this.#junk && junkWords(this.#junk, { count: this.#junkCount, isProcess: this.#isProcess });
    return [
      ...(junk === undefined ? [] : [{ kind: 'differs' as const, text: `The server sent ${junk}, ${of}.` }]),
      ...[...this.#refused].map((text) => ({ kind: 'differs' as const, text })),
      ...(this.#end ? [this.#end] : []),
    ];
  }
}

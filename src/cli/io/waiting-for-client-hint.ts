import { isatty } from 'node:tty';
import { say } from './output.ts';

const STDIN = 0;

/** Prints a hint if standard input is a terminal. Clients never see it. */
export function sayWaiting(text: string): void {
  if (isatty(STDIN)) say(text);
}

/** Prints that a command waits for a client on standard input. */
export function sayWaitingForClient(what: string): void {
  sayWaiting(`${what}: waiting for a client on standard input, a JSON-RPC message on each line. Ctrl-D ends it.`);
}

/** Prints how to end a command that listens for clients. */
export function sayHowToEnd(): void {
  sayWaiting('Ctrl-C ends it.');
}

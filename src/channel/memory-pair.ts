import { asMicrotask } from '../kernel/clock.ts';
import type { Channel } from './channel.ts';
import type { WireFrame } from './frame.ts';

/**
 * Creates two connected channels in memory. Frames arrive in order, in a later microtask and never inside `send`.
 * Frames wait, without a limit, until the other end listens or resumes. The streams `protocol` and `stderr` share one
 * queue.
 */
export function memoryPair(): [client: Channel, server: Channel] {
  const client = new Inbox();
  const server = new Inbox();
  return [endOf(client, server), endOf(server, client)];
}

function endOf(own: Inbox, peer: Inbox): Channel {
  return {
    listen: (receive) => own.listen(receive),
    send(frame) {
      peer.put(frame);
      return true;
    },
    drained: (_stream, resume) => asMicrotask(resume),
    pause: () => own.pause(true),
    resume: () => own.pause(false),
  };
}

class Inbox {
  #frames: WireFrame[] = [];
  #receive: ((frame: WireFrame) => void) | undefined;
  #paused = false;
  #scheduled = false;

  put(frame: WireFrame): void {
    this.#frames.push(frame);
    this.#schedule();
  }

  listen(receive: (frame: WireFrame) => void): void {
    this.#receive = receive;
    this.#schedule();
  }

  pause(paused: boolean): void {
    this.#paused = paused;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#paused || this.#receive === undefined || this.#frames.length === 0) return;
    this.#scheduled = true;
    asMicrotask(() => {
      this.#scheduled = false;
      this.#deliver();
    });
  }

  #deliver(): void {
    const frames = this.#frames;
    this.#frames = [];
    for (let index = 0; index < frames.length; index++) {
      if (this.#paused) {
        this.#frames = [...frames.slice(index), ...this.#frames];
        return;
      }
      this.#receive!(frames[index]!);
    }
  }
}

/** Preloaded into a server: the port that it listens on is the first line of its stderr that says `port N`. */
import { Server } from 'node:net';

const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  this.once('listening', () => console.error(`port ${this.address().port}`));
  return listen.apply(this, args);
};

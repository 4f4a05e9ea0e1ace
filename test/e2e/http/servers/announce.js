/**
 * Preloaded into a server: the port that it listens on is the first line of its stderr that says `port N`. Each request over
 * HTTP that reaches it is a line `request METHOD`.
 */
import { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';

const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  this.once('listening', () => console.error(`port ${this.address().port}`));
  return listen.apply(this, args);
};

const { emit } = HttpServer.prototype;
HttpServer.prototype.emit = function (event, ...args) {
  if (event === 'request') console.error(`request ${args[0].method}`);
  return emit.call(this, event, ...args);
};

/** Messages to the letter as the official TypeScript SDK writes them: the order of their keys, and the lines of its events. */

/** The beginning of an answer whose content is a text, and its end: what is between them is that text as JSON. */
export const ANSWER_BEGIN = '{"result":{"content":[{"type":"text","text":';
export const answerEnd = (id) => `}]},"jsonrpc":"2.0","id":${id}}`;

/** What a notification of a log says of a text that is JSON already. */
export const notificationOf = (json) =>
  `{"method":"notifications/message","params":{"level":"info","logger":"bench","data":${json}},"jsonrpc":"2.0"}`;

/** An event as a server with an event store writes it, or, without `id`, one that has none. */
export function eventOf(message, id) {
  return `event: message\n${id === undefined ? '' : `id: ${id}\n`}data: ${message}\n\n`;
}

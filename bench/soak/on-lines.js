/**
 * Calls `take` with each line of a stream, and with what follows the last of them. From Node 24 on, `node:readline` ends
 * lines at U+2028 and U+2029 as well, which JSON may hold.
 */
export function onLines(stream, take) {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) take(line);
  });
  stream.on('end', () => {
    if (rest !== '') take(rest);
  });
}

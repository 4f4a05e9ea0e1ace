// `floor-pipe.js DEED,… FACTOR FILE COMMAND…`: forwards as the bare pipe does, and after that does the least that a recorder
// has to: `writes` FACTOR times as many bytes to FILE in the same turn, `looks` once at each byte, `parses` each whole line.
import { isAscii } from 'node:buffer';
import { spawn } from 'node:child_process';
import { openSync, writeSync } from 'node:fs';

const [, , deeds, factor, file, command, ...args] = process.argv;
const cassette = openSync(file, 'w');
const DEEDS = {
  writes: (data) => {
    let left = Math.round(data.length * Number(factor));
    while (left > 0) left -= writeSync(cassette, data, 0, Math.min(left, data.length));
  },
  looks: (data) => {
    let marked = isAscii(data) ? 0 : 1;
    for (let at = 0; at < data.length; at++) if (data[at] === MARK) marked++;
    return marked;
  },
  parses: (data, heard) => {
    let from = 0;
    for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, from)) {
      heard.push(data.subarray(from, end));
      JSON.parse(Buffer.concat(heard.splice(0)).toString());
      from = end + 1;
    }
    if (from < data.length) heard.push(data.subarray(from));
  },
};
const [MARK, NEWLINE] = Buffer.from('=\n');
const done = deeds.split(',').map((deed) => DEEDS[deed]);

const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
pass(process.stdin, child.stdin);
pass(child.stdout, process.stdout);
child.on('exit', (status) => process.exit(status ?? 1));

function pass(source, target) {
  const heard = [];
  source.pipe(target);
  source.on('data', (data) => {
    for (const deed of done) deed(data, heard);
  });
}

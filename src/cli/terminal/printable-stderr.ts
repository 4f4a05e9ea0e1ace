import type { WireFrame } from '../../channel/frame.ts';
import { printableLines } from '../../text-report/printable-text.ts';
import type { Parent } from '../../transports/stdio/parent-channel.ts';

/**
 * Returns the channel to a parent process whose standard error is a terminal, if `terminal` is one: recorded lines of
 * the server's standard error cannot steer it. A program reads them as they were recorded.
 */
export function printableStderr(parent: Parent, terminal: { isTTY?: boolean } = process.stderr): Parent {
  if (terminal.isTTY !== true) return parent;
  return { ...parent, send: (frame) => parent.send(isStderr(frame) ? { ...frame, data: escaped(frame.data) } : frame) };
}

function isStderr(frame: WireFrame): frame is Extract<WireFrame, { kind: 'bytes' }> {
  return frame.kind === 'bytes' && frame.on === 'stderr';
}

function escaped(data: Uint8Array): Uint8Array {
  return Buffer.from(printableLines(Buffer.from(data).toString().replaceAll('\r\n', '\n')));
}

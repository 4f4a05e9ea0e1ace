import type { Frame } from '../../channel/frame.ts';

/** Part of an event with a new value. */
export interface ChangedPart {
  /** Possible keys of the part. A key that ends with `Bytes` contains base64. */
  keys: readonly string[];
  /** New value as text: of a scalar itself, of a mapping or list its JSON. */
  text: string;
  bytes: Uint8Array;
}

/** Returns the parts of `kept` that differ from the original frame. */
export function changedFrameParts(frame: Frame, kept: Frame): ChangedPart[] {
  const before = partsOf(frame);
  return partsOf(kept)
    .filter(({ value }, i) => before[i]?.value !== value)
    .map(({ keys, value }) => part(keys, value));
}

interface Part {
  keys: string[];
  value: unknown;
}

/** Returns the parts of a frame. Frames of one kind have their parts in the same order. */
function partsOf(frame: Frame): Part[] {
  switch (frame.kind) {
    case 'message':
      return [
        { keys: [frame.from, `${frame.from}Bytes`], value: frame.json.text },
        { keys: ['sse'], value: frame.sse },
        { keys: ['headers'], value: frame.headers },
        { keys: ['sse'], value: frame.sse },
      ];
    case 'line': {
      const key = frame.on === 'stderr' ? 'stderr' : frame.from;
      return [
        { keys: [key, `${key}Bytes`], value: frame.data },
        { keys: ['sse'], value: frame.sse },
        { keys: ['headers'], value: frame.headers },
        { keys: ['sse'], value: frame.sse },
      ];
    }
    case 'open':
      return [
        { keys: ['path'], value: frame.path },
        { keys: ['resumes'], value: frame.resumes },
        { keys: ['headers'], value: frame.headers },
        { keys: ['body', 'bodyBytes'], value: frame.body },
      ];
    case 'http-response':
      return [
        { keys: ['headers'], value: frame.headers },
        { keys: ['body', 'bodyBytes'], value: frame.body },
      ];
    case 'sse':
      return [{ keys: ['sse'], value: frame.sse }];
    case 'comment':
      return [{ keys: ['comment'], value: frame.text }];
    case 'authorization':
      return [{ keys: ['authorization'], value: frame.json.text }];
    default:
      return [];
  }
}

function part(keys: readonly string[], value: unknown): ChangedPart {
  if (value instanceof Uint8Array) return { keys, text: Buffer.from(value).toString('latin1'), bytes: value };
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { keys, text, bytes: Buffer.from(text) };
}

/** Returns the compressed data in the document. */
export function embeddedBytes(): Uint8Array<ArrayBuffer> {
  const block = atob(document.getElementById('data')!.textContent);
  const compressed = new Uint8Array(block.length);
  for (let at = 0; at < block.length; at++) compressed[at] = block.charCodeAt(at);
  return compressed;
}

/** Unpacks the data without blocking the page. */
export function unpacked<Data>(compressed: Uint8Array<ArrayBuffer>): Promise<Data> {
  return responseOf(compressed).json();
}

/** Unpacks a text without blocking the page. */
export function unpackedText(compressed: Uint8Array<ArrayBuffer>): Promise<string> {
  return responseOf(compressed).text();
}

function responseOf(compressed: Uint8Array<ArrayBuffer>): Response {
  return new Response(new Blob([compressed]).stream().pipeThrough(new DecompressionStream('gzip')));
}

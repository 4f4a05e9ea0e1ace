/** Sizes and places in a DLL: https://learn.microsoft.com/windows/win32/debug/pe-format */
const [PE, COFF, OPTIONAL, SECTION] = [0x40, 0x44, 0x58, 0x148];
const FILE_ALIGNMENT = 0x200;
const ADDRESS = 0x1000;
const EXPORTS_SIZE = 40;

/**
 * Returns a DLL for 64-bit Windows that has no code: each of its functions is one of another library, as in
 * `{ ProcessPrng: 'advapi32.SystemFunction036' }`.
 */
export function libraryOfForwards(name, forwards) {
  const functions = Object.entries(forwards).sort(([a], [b]) => (a < b ? -1 : 1));
  const exports = exportSection(`${name}.dll`, functions);
  const rawSize = Math.ceil(exports.length / FILE_ALIGNMENT) * FILE_ALIGNMENT;
  const header = Buffer.alloc(FILE_ALIGNMENT);
  header.write('MZ', 0, 'latin1');
  header.writeUInt32LE(PE, 0x3c);
  header.write('PE', PE, 'latin1');
  writeWords(header, COFF, { 0: 0x8664, 2: 1, 16: SECTION - OPTIONAL, 18: 0x2022 });
  // PE32+, for Windows 6 and later.
  writeWords(header, OPTIONAL, { 0: 0x20b, 40: 6, 48: 6, 68: 2 });
  header.writeBigUInt64LE(0x1_8000_0000n, OPTIONAL + 24);
  const sizes = { 32: ADDRESS, 36: FILE_ALIGNMENT, 56: 2 * ADDRESS, 60: FILE_ALIGNMENT, 108: 16 };
  writeLongs(header, OPTIONAL, { ...sizes, 112: ADDRESS, 116: exports.length });
  header.write('.edata', SECTION, 'latin1');
  const place = { 8: exports.length, 12: ADDRESS, 16: rawSize, 20: FILE_ALIGNMENT };
  writeLongs(header, SECTION, { ...place, 36: 0x4000_0040 });
  return Buffer.concat([header, exports], header.length + rawSize);
}

/** The table of exports, with its arrays of addresses, names and ordinals, and the text that they point to. */
function exportSection(library, functions) {
  const count = functions.length;
  const [addresses, names, ordinals] = [0, 4, 8].map((size) => EXPORTS_SIZE + size * count);
  const table = Buffer.alloc(EXPORTS_SIZE + 10 * count);
  let strings = '';
  const addressOf = (string) => {
    const address = ADDRESS + table.length + strings.length;
    strings += `${string}\0`;
    return address;
  };
  const arrays = { 28: ADDRESS + addresses, 32: ADDRESS + names, 36: ADDRESS + ordinals };
  writeLongs(table, 0, { 12: addressOf(library), 16: 1, 20: count, 24: count, ...arrays });
  for (const [index, [name, target]] of functions.entries()) {
    writeLongs(table, 4 * index, { [addresses]: addressOf(target), [names]: addressOf(name) });
    table.writeUInt16LE(index, ordinals + 2 * index);
  }
  return Buffer.concat([table, Buffer.from(strings, 'latin1')]);
}

function writeWords(buffer, start, fields) {
  for (const [offset, value] of Object.entries(fields)) buffer.writeUInt16LE(value, start + Number(offset));
}

function writeLongs(buffer, start, fields) {
  for (const [offset, value] of Object.entries(fields)) buffer.writeUInt32LE(value, start + Number(offset));
}

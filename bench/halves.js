// A server that says every line again, byte for byte, in two pieces that part a letter where there is one to part.
process.stdin.on('data', async (data) => {
  process.stdin.pause();
  const at = data.findIndex((byte) => byte >= 0xc0) + 1 || data.length >> 1;
  process.stdout.write(data.subarray(0, at));
  await new Promise(setImmediate);
  process.stdout.write(data.subarray(at));
  process.stdin.resume();
});

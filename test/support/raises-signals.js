// Loaded before a program on Windows, where no process can send a signal to another one: raises those that its parent names, as Node does
// for Ctrl+C.
process.on('message', (signal) => process.emit(signal, signal) || process.exit(1));
process.channel.unref();

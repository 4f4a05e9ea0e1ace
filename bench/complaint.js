/** So much of what a program says on stderr is kept, from its end, in UTF-16 code units. */
const COMPLAINT_MAX = 4_000;

/** Listens to what `child` says on stderr. Gives what gives the end of that so far, for who has to tell why it ended. */
export function complaintOf(child) {
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaint = (complaint + text).slice(-COMPLAINT_MAX);
  });
  return () => complaint;
}

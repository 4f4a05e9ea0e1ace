/** The major version of Node that we run on. */
export const nodeLine: number = Number(process.versions.node.split('.', 1)[0]);

/** Returns the NODE_OPTIONS with which every Node process first runs this program, an ES module. */
export const preload = (program: string): string =>
  `${process.env.NODE_OPTIONS} --import=data:text/javascript,${encodeURIComponent(program)}`;

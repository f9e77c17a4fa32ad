// Loaded into a client by --import. When an update has its response, the clocks of the client jump.
const { WALL_JUMP = '0', STEADY_JUMP = '0' } = process.env;

const { fetch } = globalThis;
globalThis.fetch = async (url, message) => {
  const response = await fetch(url, message);
  if (message?.method === 'PATCH') {
    const { now } = Date;
    Date.now = () => now() + 1_000 * Number(WALL_JUMP);
    const since = performance.now.bind(performance);
    performance.now = () => since() + 1_000 * Number(STEADY_JUMP);
  }
  return response;
};

import { connect } from 'node:net';

/**
 * Sends bytes on a connection of its own, as they are, and returns all that comes back until there is no more, and
 * the statuses of the responses in it.
 * @param drip sent every second from then on
 */
export const responsesTo = async (baseUrl: string, bytes: string, drip?: string) => {
  const { port, hostname } = new URL(baseUrl);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  // Whatever the connection waits for, there will be no more of it.
  socket.setTimeout(10_000, () => socket.destroy());
  socket.write(bytes, 'latin1');
  const dripping = drip === undefined ? undefined : setInterval(() => socket.write(drip), 1_000);
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(dripping);
  return { text, statuses: [...text.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map(([, status]) => Number(status)) };
};

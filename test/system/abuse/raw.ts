import { connect } from 'node:net';

/**
 * Sends raw bytes on a new connection. Returns the text received until the connection closes, or is
 * idle for 10 s, and the statuses of the responses in the text.
 */
export const responsesTo = async (baseUrl: string, bytes: string) => {
  const { port, hostname } = new URL(baseUrl);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  // Otherwise an idle connection would stay open, waiting for bytes that neither side will send.
  socket.setTimeout(10_000, () => socket.destroy());
  socket.write(bytes, 'latin1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('close', resolve));
  return {
    text,
    statuses: [...text.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map(([, status]) => Number(status)),
  };
};

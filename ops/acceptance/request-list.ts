/** Far more than a list needs for its first byte. */
const timeLimit = 30_000;

interface ListBeginning {
  status: number;
  /** The first characters of the body. */
  beginning: string;
}

/**
 * Requests the list of a stage, and closes it after its first characters. Rejects if there is no
 * response within 30 seconds.
 */
export const requestList = async (baseUrl: string, apiKey: string): Promise<ListBeginning> => {
  const { status, body } = await fetch(`${baseUrl}/inventory`, {
    headers: { Authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(timeLimit),
  });
  const reader = body?.getReader();
  const first = await reader?.read();
  // This closes the connection.
  await reader?.cancel();
  return { status, beginning: new TextDecoder().decode(first?.value) };
};

/** Whether a key can be sent in a header. */
export const isSendable = (apiKey: string): boolean => /^[\x21-\x7e]+$/.test(apiKey);

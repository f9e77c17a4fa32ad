/** Far more than a list needs for its first byte. */
const timeLimit = 30_000;

interface ListBeginning {
  status: number;
  /** Up to `characters` of the body, or a few more. */
  beginning: string;
}

/**
 * Requests the list of a stage, and closes it after its first two characters: `[]` if the stage
 * has no stock. Rejects if there is no response within 30 seconds.
 */
export const requestList = async (baseUrl: string, apiKey: string): Promise<ListBeginning> => {
  const { status, body } = await fetch(`${baseUrl}/inventory`, {
    headers: { Authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(timeLimit),
  });
  return { status, beginning: await beginningOf(body, 2) };
};

/** Reads a body until it has this many characters or ends, and closes it. */
export const beginningOf = async (
  body: ReadableStream<Uint8Array> | null,
  characters: number,
): Promise<string> => {
  const decoder = new TextDecoder();
  let beginning = '';
  // To leave the loop closes the connection.
  for await (const chunk of body ?? []) {
    beginning += decoder.decode(chunk, { stream: true });
    if (beginning.length >= characters) {
      break;
    }
  }
  return beginning;
};

/** Whether a key can be sent in a header. */
export const isSendable = (apiKey: string): boolean => /^[\x21-\x7e]+$/.test(apiKey);

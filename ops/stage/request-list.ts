/** Requests the list of a stage. Returns the status and the beginning of the body. */
export const requestList = async (
  baseUrl: string,
  apiKey: string,
): Promise<{ status: number; beginning: string }> => {
  const request = {
    headers: { Authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(30_000),
  };
  const { status, body } = await fetch(`${baseUrl}/inventory`, request);
  const reader = body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return { status, beginning: new TextDecoder().decode(value) };
};

/** Returns what start prints once it serves: everything that clients need, to paste. */
export const banner = (baseUrl: string, apiKey: string): string => `\
Petstore inventory is running. Press Ctrl-C to stop.

Base URL: ${baseUrl}
API key: ${apiKey}
API reference: ${new URL(baseUrl).origin}/#key=${apiKey}

For a second terminal:
export PETSTORE_BASE_URL=${baseUrl} PETSTORE_API_KEY=${apiKey}

Try it:
curl -H "Authorization: Bearer ${apiKey}" ${baseUrl}/inventory

`;

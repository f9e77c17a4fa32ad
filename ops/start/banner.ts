interface Started {
  stageName: string;
  /** Ends in `/v1`. */
  baseUrl: string;
  apiKey: string;
  /** Whether the user gave the key, which is then shown nowhere. */
  isGivenKey: boolean;
  /** Where debuggers attach to each function, by its name. */
  inspectPorts: Record<string, number>;
  /** The user's, which may send requests for this machine to a proxy. */
  env: NodeJS.ProcessEnv;
}

/** Returns what start prints once it serves: everything that clients need, to paste. */
export const banner = (started: Started): string => {
  const { stageName, baseUrl, apiKey, isGivenKey, inspectPorts, env } = started;
  const { origin } = new URL(baseUrl);
  const shownKey = isGivenKey ? 'the one given with --api-key' : apiKey;
  const pageUrl = isGivenKey ? `${origin}/` : `${origin}/#key=${apiKey}`;
  const exportKey = isGivenKey ? '' : ` PETSTORE_API_KEY=${apiKey}`;
  const debuggers = Object.entries(inspectPorts).map(
    ([name, port]) => `Debugger for ${name}: 127.0.0.1:${port}\n`,
  );
  return `\
Petstore inventory (${stageName}) is running. Press Ctrl-C to stop.

Base URL: ${baseUrl}
API key: ${shownKey}
API reference: ${pageUrl}
${debuggers.join('')}
For a second terminal${isGivenKey ? ', which also needs PETSTORE_API_KEY' : ''}:
export PETSTORE_BASE_URL=${baseUrl}${exportKey}${isProxied(env) ? ` ${withoutProxy}` : ''}

Try it:
curl ${isProxied(env) ? '--noproxy 127.0.0.1 ' : ''}-H "Authorization: Bearer ${isGivenKey ? '$PETSTORE_API_KEY' : apiKey}" ${baseUrl}/inventory

`;
};

/** In the second terminal, which keeps its own exceptions. */
const withoutProxy = 'no_proxy="127.0.0.1,$no_proxy,$NO_PROXY"';

/** Whether curl and others would send a request for this machine to a proxy. */
const isProxied = ({ http_proxy, all_proxy, ALL_PROXY, no_proxy, NO_PROXY }: NodeJS.ProcessEnv) =>
  Boolean(http_proxy || all_proxy || ALL_PROXY) &&
  !/(^|[\s,])(\*|127\.0\.0\.1)($|[\s,])/.test(no_proxy || NO_PROXY || '');

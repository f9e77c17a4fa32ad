import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { toJson } from '../../functions/shared/json.ts';

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const read = (directory: string, file: string) => readFileSync(join(directory, file));

interface File {
  body: Buffer | string;
  contentType: string;
}

/**
 * The page's files except openapi.json, by path. Read once, because npm ci may delete them while
 * the service runs.
 */
const files: Record<string, File> = {
  '/': {
    body: read(import.meta.dirname, 'api-page.html'),
    contentType: 'text/html; charset=utf-8',
  },
  '/swagger-ui.css': { body: read(swaggerUi, 'swagger-ui.css'), contentType: 'text/css' },
  '/swagger-ui-bundle.js': {
    body: read(swaggerUi, 'swagger-ui-bundle.js'),
    contentType: 'text/javascript',
  },
  '/favicon-32x32.png': { body: read(swaggerUi, 'favicon-32x32.png'), contentType: 'image/png' },
};

const pathOf = (url: string): string => url.replace(/\?.*/s, '');

/** Whether a URL belongs to the API reference page. */
export const isApiPage = (url: string): boolean =>
  pathOf(url) in files || pathOf(url) === '/openapi.json';

/**
 * Serves a page that shows openapi.yaml and can call its operations at a base URL. The page is
 * authorized with the API key in its own URL: `/#key=<API key>`.
 */
export const apiPage = (baseUrl: string): RequestListener => {
  const openapi = { body: openapiJson(baseUrl), contentType: 'application/json' };
  return (message, response) => {
    const { body, contentType } = files[pathOf(message.url ?? '')] ?? openapi;
    response.setHeader('Content-Type', contentType);
    response.end(body);
  };
};

/**
 * Returns openapi.yaml as JSON, as it suits the page. Its server is the one that the page comes from,
 * which people may reach by another name or a forwarded port.
 */
const openapiJson = (baseUrl: string): string => {
  const text = readFileSync(join(import.meta.dirname, '../../openapi.yaml'), 'utf8');
  const document = parse(text, { intAsBigInt: true });
  const { info } = document;
  return toJson({
    ...document,
    info: { ...info, description: folded(info.description) },
    servers: [{ url: new URL(baseUrl).pathname, description: 'This machine' }],
  });
};

/** Folds a description in Markdown, so that a reader sees the operations without scrolling. */
const folded = (description: string): string =>
  `<details><summary>About this API</summary>\n\n${description}\n</details>`;

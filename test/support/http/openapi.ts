import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

// biome-ignore lint/suspicious/noExplicitAny: the document's own schema is checked by linters.
type Json = any;

export const openapi: Json = parse(
  readFileSync(join(import.meta.dirname, '../../../openapi.yaml'), 'utf8'),
);

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);

/** Returns a part of the document, with each component at the place that refers to it. */
const resolved = (part: Json): Json =>
  JSON.parse(JSON.stringify(part), (_name, value: Json) => {
    const [, kind = '', name] = /^#\/components\/(\w+)\/(\w+)$/.exec(value?.$ref) ?? [];
    return name === undefined ? value : resolved(openapi.components[kind][name]);
  });

/**
 * Returns the JSON schema of a response, as an object with its headers, named in lower case, and
 * its body.
 */
const schemaOf = (status: number, { headers = {}, content }: Json): object => {
  const declared = Object.entries<Json>(headers).map(([name, header]) => ({
    ...header,
    name: name.toLowerCase(),
  }));
  const required = declared.filter((header) => header.required).map(({ name }) => name);
  const { schema } = content['application/json'];
  return {
    properties: {
      headers: {
        // API Gateway gives each response the second, which the document does not require.
        required: ['content-type', 'x-amzn-requestid', ...required],
        properties: {
          ...Object.fromEntries(declared.map((header) => [header.name, header.schema])),
          'content-type': { const: 'application/json' },
        },
      },
      body:
        status < 400 ? schema : { allOf: [schema, { properties: { status: { const: status } } }] },
    },
  };
};

/** The schemas of responses by status. ajv would compile a new object each time. */
type Schemas = Record<string, object>;

const schemasOf = (responses: Json): Schemas =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      schemaOf(Number(status), response),
    ]),
  );

const error = {
  content: { 'application/json': { schema: resolved(openapi.components.schemas.Error) } },
};
const allow = { required: true, schema: { type: 'string', pattern: '^[A-Z]+(, [A-Z]+)*$' } };

/** Of requests for no operation. The document says only that the responses are Errors. */
const withoutOperation = schemasOf({
  404: error,
  405: { ...error, headers: { Allow: allow } },
  429: error,
});

interface Operation {
  parameters: { name: string; in: 'path' | 'query' | 'header' }[];
  schemas: Schemas;
}

/** The operations of the document by path and method. */
const operations = Object.entries<Json>(resolved(openapi.paths)).map(([path, methods]) => ({
  pattern: new RegExp(`^${path.replaceAll(/\{.*?\}/g, '[^/]+')}$`),
  byMethod: Object.fromEntries(
    Object.entries<Json>(methods).map(([method, { parameters = [], responses }]) => [
      method.toUpperCase(),
      { parameters, schemas: schemasOf(responses) } as Operation,
    ]),
  ),
}));

export const allOperations = operations.flatMap(({ byMethod }) => Object.values(byMethod));

/** Returns the first thing that the document does not allow about a response; empty if it is valid. */
export const violations = (
  method: string,
  path: string,
  { status, headers, text }: { status: number; headers: IncomingHttpHeaders; text: string },
): string[] => {
  const [, below = ''] = /^(?:\/\w+)?\/v1([^?]*?)\/?(?:\?.*)?$/s.exec(path) ?? [];
  const operation = operations.find(({ pattern }) => pattern.test(below))?.byMethod[method];
  const schema = (operation?.schemas ?? withoutOperation)[status];
  if (schema === undefined) {
    return [`${status} is no response to ${method} ${path}`];
  }
  // A response to HEAD has no body.
  const body = method === 'HEAD' ? undefined : JSON.parse(text);
  return ajv.validate(schema, { headers, body }) ? [] : [ajv.errorsText()];
};

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
ajv.addSchema(openapi, 'openapi');

/**
 * The document with absolute references: `#/` in a part of it would refer to the root of that part.
 */
const absolute: Json = JSON.parse(JSON.stringify(openapi).replaceAll('"#/', '"openapi#/'));

const error = {
  content: { 'application/json': { schema: { $ref: 'openapi#/components/schemas/Error' } } },
};

/**
 * The responses to requests for no operation, of which the document says only that they are Errors.
 */
const withoutOperation: Json = {
  404: { ...error },
  405: {
    ...error,
    headers: {
      Allow: { required: true, schema: { type: 'string', pattern: '^[A-Z]+(, [A-Z]+)*$' } },
    },
  },
  429: { ...error },
};

/** Returns a part of the document, or the component that it refers to. */
const resolve = (part: Json): Json => {
  const [, kind = '', name = ''] = /^openapi#\/components\/(\w+)\/(\w+)$/.exec(part.$ref) ?? [];
  return absolute.components[kind]?.[name] ?? part;
};

/** An operation of the document. */
interface Operation {
  operationId: string;
  parameters: { name: string; in: 'path' | 'query' | 'header' }[];
  /** By status. */
  responses: Json;
}

const readOperation = ({ operationId, parameters = [], responses }: Json): Operation => ({
  operationId,
  parameters: parameters.map(resolve),
  responses,
});

/** The operations of the document by path and method. */
const operations: [path: string, Record<string, Operation>][] = Object.entries<Json>(
  absolute.paths,
).map(([path, { parameters: _, ...methods }]) => [
  path,
  Object.fromEntries(
    Object.entries(methods).map(([method, each]) => [method, readOperation(each)]),
  ),
]);

export const allOperations = operations.flatMap(([, byMethod]) => Object.values(byMethod));

/** Returns the operation that a request is for; undefined if there is none. */
const operationOf = (method: string, path: string): Operation | undefined => {
  const pathname = /^(?:\/\w+)?\/v1([^?]*?)\/?(\?.*)?$/s.exec(path)?.[1] ?? '';
  const [, byMethod = {}] =
    operations.find(([template]) =>
      new RegExp(`^${template.replaceAll(/\{.*?\}/g, '[^/]+')}$`).test(pathname),
    ) ?? [];
  return byMethod[method.toLowerCase()];
};

/**
 * Returns the JSON schema of a response, as an object with its headers, named in lower case, and
 * its body.
 */
const schemaOf = (status: number, response: Json): object => {
  const { headers = {}, content } = resolve(response);
  const declared = Object.entries<Json>(headers).map(([name, header]) => ({
    ...resolve(header),
    name: name.toLowerCase(),
  }));
  const { schema } = content['application/json'];
  const schemas = Object.fromEntries(declared.map((header) => [header.name, header.schema]));
  return {
    properties: {
      headers: {
        required: [
          'content-type',
          // The document says so in its description.
          'x-amzn-requestid',
          ...declared.filter(({ required }) => required).map(({ name }) => name),
        ],
        properties: { ...schemas, 'content-type': { const: 'application/json' } },
      },
      body:
        status < 400 ? schema : { allOf: [schema, { properties: { status: { const: status } } }] },
    },
  };
};

/**
 * The schemas made so far, by response object of the document. ajv would compile a new schema
 * object every time.
 */
const schemas = new Map<Json, object>();

/** Returns the first thing that the document does not allow about a response; empty if it is valid. */
export const violations = (
  method: string,
  path: string,
  { status, headers, text }: { status: number; headers: IncomingHttpHeaders; text: string },
): string[] => {
  const { responses = withoutOperation } = operationOf(method, path) ?? {};
  const response = responses[status];
  if (!response) {
    return [`${status} is no response to ${method} ${path}`];
  }
  const schema = schemas.get(response) ?? schemaOf(status, response);
  schemas.set(response, schema);
  // A response to HEAD has no body.
  const body = method === 'HEAD' ? undefined : JSON.parse(text);
  return ajv.validate(schema, { headers, body }) ? [] : [ajv.errorsText()];
};

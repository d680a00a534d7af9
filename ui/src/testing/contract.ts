import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020, { type SchemaObject, type ValidateFunction } from '@redocly/ajv/dist/2020.js';

/** The parts of the OpenAPI document needed to find a response's schema. */
type Content = { 'application/json'?: { schema: SchemaObject } };
type Answer = { $ref?: string; content?: Content };
type Operation = { responses: Record<string, Answer> };
type Contract = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, SchemaObject>; responses: Record<string, Answer> };
};

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

const contract = JSON.parse(readFileSync(join(import.meta.dirname, '../api/openapi.json'), 'utf8')) as Contract;

const ajv = new Ajv2020({
  strict: false, // the document has OpenAPI's own keywords, such as example
  validateSchema: false,
  formats: {
    'date-time': (text: string) => RFC3339.test(text) && !Number.isNaN(Date.parse(text)),
    date: /^\d{4}-\d{2}-\d{2}$/,
    // Tests use readable ids such as u-nusrat, and JavaScript's only numbers are doubles.
    uuid: true,
    int32: true,
    int64: true,
    double: true,
  },
});
// The document allows additions of later versions, but a test's response must match the present
// one.
for (const schema of Object.values(contract.components.schemas)) {
  if (schema.properties) schema.additionalProperties ??= false;
}
ajv.addSchema(contract, 'contract');

/** Paths with the most literal parts first: /deals/my-deals is no deal id. */
const ways = Object.entries(contract.paths)
  .map(([path, operations]) => ({ path, operations, pattern: new RegExp(`^/api${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`) }))
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length);

const validators = new Map<string, ValidateFunction>();

/** Compiles a schema on first use, since a test file needs few. */
function validatorOf(pointer: string): ValidateFunction {
  const known = validators.get(pointer);
  if (known) return known;
  const made = ajv.compile({ $ref: `contract${pointer}` });
  validators.set(pointer, made);
  return made;
}

const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/**
 * The violation of the OpenAPI document by a response, or null. Undocumented failures may have any
 * body.
 */
export async function breachOf(request: Request, response: Response): Promise<string | null> {
  const { pathname } = new URL(request.url);
  const method = request.method.toLowerCase();
  const call = `${request.method} ${pathname} ${response.status}`;
  const way = ways.find(({ pattern, operations }) => pattern.test(pathname) && operations[method]);
  const described = way?.operations[method]?.responses[response.status];
  if (!way || !described) return way && !response.ok ? null : `${call}: the document knows no such call or answer`;
  if (described.content && !described.content['application/json']) return null; // a file
  const pointer = described.$ref ?? `#/paths/${escaped(way.path)}/${method}/responses/${response.status}`;
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return response.ok ? `${call}: no JSON` : null; // a proxy fails in its own format
  }
  const validate = validatorOf(`${pointer}/content/application~1json/schema`);
  return validate(body) ? null : `${call}: ${ajv.errorsText(validate.errors, { dataVar: 'body' })} in ${text.slice(0, 300)}`;
}

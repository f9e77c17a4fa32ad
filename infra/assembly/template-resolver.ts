import {
  localValues,
  type Properties,
  pseudoParameters,
  type StackIdentity,
} from './local-values.ts';

export type Resources = Record<string, { Type: string; Properties?: Properties }>;

/** Evaluates the intrinsic functions of a template, as the local run needs them. */
export class TemplateResolver {
  readonly #resources: Resources;
  readonly #pseudoParameters: ReturnType<typeof pseudoParameters>;
  readonly #values: ReturnType<typeof localValues>;
  readonly #functions: Record<string, (argument: never) => unknown> = {
    Ref: (name: string) => this.ref(name),
    'Fn::GetAtt': ([logicalId, attribute]: [string, string]) => this.#getAtt(logicalId, attribute),
    'Fn::Join': ([separator, parts]: [string, unknown]) =>
      (this.resolve(parts) as string[]).join(separator),
    'Fn::Select': ([index, list]: [number, unknown]) => (this.resolve(list) as unknown[])[index],
    'Fn::Split': ([separator, text]: [string, unknown]) =>
      String(this.resolve(text)).split(separator),
    'Fn::Sub': (text: string) =>
      text.replace(/\$\{([^}]+)\}/g, (_match, name: string) => this.ref(name)),
  };

  constructor(resources: Resources, stack: StackIdentity) {
    this.#resources = resources;
    this.#pseudoParameters = pseudoParameters(stack);
    this.#values = localValues(stack, (value) => this.resolve(value));
  }

  /** Returns the value of `Ref` for a resource or a pseudo parameter. */
  ref(name: string): string {
    const resource = this.#resources[name];
    if (resource) {
      return this.#values[resource.Type]?.(name, resource.Properties ?? {}) ?? name;
    }
    const value = this.#pseudoParameters[name];
    if (value === undefined) {
      throw new Error(`The template refers to ${name}, which it does not define.`);
    }
    return value;
  }

  #getAtt(logicalId: string, attribute: string): string {
    const name = `${this.#resources[logicalId]?.Type}.${attribute}`;
    const value = this.#values[name]?.(logicalId, {});
    if (value === undefined) {
      throw new Error(`The local run has no attribute ${name}.`);
    }
    return value;
  }

  /** Returns a value of the template with the results of all intrinsic functions in it. */
  resolve(value: unknown): unknown {
    if (Array.isArray(value)) {
      return value.map((item) => this.resolve(item));
    }
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    const members = Object.entries(value);
    // An intrinsic function is an object with its name as the only member.
    const [name = '', argument] = members[0] ?? [];
    const evaluate = this.#functions[name];
    if (evaluate) {
      return evaluate(argument as never);
    }
    if (name.startsWith('Fn::')) {
      throw new Error(`The template uses ${name}, which the local run does not evaluate.`);
    }
    return Object.fromEntries(members.map(([key, member]) => [key, this.resolve(member)]));
  }
}

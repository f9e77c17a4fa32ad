import type { SynthesizedStack } from '../../infra/assembly/resolved-stack.ts';
import { NotInvokedError } from '../lambda/function-error.ts';
import type { LambdaFunction } from '../lambda/lambda-function.ts';
import { invokePermissions } from './invoke-permissions.ts';

/**
 * Returns the function that an invocation URI names. Its invocations fail if the source, a part of
 * the API such as `authorizers/<id>`, lacks permission for them.
 * @throws Error if there is no such function
 */
export type FindFunction = (invocationUri: string, source: string) => LambdaFunction;

interface InvokedFunctionsProps {
  stack: SynthesizedStack;
  /** The functions by ARN. */
  functions: Map<string, LambdaFunction>;
  apiArn: string;
}

export const invokedFunctions = (props: InvokedFunctionsProps): FindFunction => {
  const { stack, functions, apiArn } = props;
  const isPermitted = invokePermissions(stack);
  return (invocationUri, source) => {
    const invokedArn = invokedArnOf(invocationUri);
    const lambda = functions.get(withoutAlias(invokedArn));
    if (!lambda) {
      throw new Error(`The stack has no function ${invokedArn}.`);
    }
    return isPermitted(invokedArn, `${apiArn}/${source}`) ? lambda : refused(invokedArn);
  };
};

/** Returns the ARN of a function or alias, from `arn:aws:apigateway:…/functions/<ARN>/…`. */
const invokedArnOf = (invocationUri: string): string =>
  /\/functions\/(.+)\/(?:response-streaming-)?invocations$/.exec(invocationUri)?.[1] ??
  invocationUri;

/** Returns the ARN of a function. All its aliases run the same code here. */
const withoutAlias = (arn: string): string => arn.replace(/(:function:[^:]+):.*/, '$1');

/** A function that the API may not invoke. */
const refused = (arn: string): LambdaFunction => {
  const refuse = () => Promise.reject(new NotInvokedError(arn));
  return { invoke: refuse, invokeStreaming: refuse, close: () => {} };
};
